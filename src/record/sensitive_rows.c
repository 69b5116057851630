/*
 * sensitive_rows.c
 *		See sensitive_rows.h.
 *
 * Values get provisional codes as they appear, 0 being NULL, as in dimension_query.h.
 * Members of a value are its rows, or its pairs with different people: only values
 * that have members get final codes, so that who belongs to nobody is not looked at
 * here either.
 */
#include "postgres.h"

#include "record/sensitive_rows.h"

#include <math.h>

#include "base/interrupt.h"
#include "catalog/pg_type.h"
#include "dimension/model_query.h"
#include "sql/number_query.h"
#include "sql/type_query.h"
#include "utils/lsyscache.h"

#define PURPOSE "sensitive values"

typedef struct SensitiveCodes
{
	const SensitiveField *source;
	Dictionary *dictionary; /* without dimension: value v has the code v + 1 */
	int32 *code;            /* [row] */
	int64 *members;         /* [provisional code] */
	int32 codes;            /* provisional ones */
	int32 *final_code;      /* [provisional code]; -1: no members */
	int64 *count;           /* [final code]: members */
	int32 *rows_of_pair;    /* people whose rows may leave: [pair] */
} SensitiveCodes;

struct SensitiveRows
{
	const SensitiveFields *fields;
	Budget *budget;
	int64 rows;
	int64 capacity;
	SensitiveCodes *column;
	Dictionary *person;
	int32 *person_of_row;
	bool numbered;        /* people have their final numbers */
	const bool *left_out; /* [row], or NULL */
	RowModels models;
	RowPeople people;
};

static void
make_room(SensitiveRows *rows, int64 capacity)
{
	for (int i = 0; i < rows->fields->columns; i++)
		rows->column[i].code = budget_enlarge(rows->budget, rows->column[i].code, rows->capacity,
											  capacity, sizeof(int32), PURPOSE);
	if (rows->fields->person)
		rows->person_of_row = budget_enlarge(rows->budget, rows->person_of_row, rows->capacity,
											 capacity, sizeof(int32), PURPOSE);
	rows->capacity = capacity;
}

static Dictionary *
create_dictionary(const RecordField *field, Budget *budget)
{
	ValueType type = type_query_value_type(field->type, OidIsValid(field->collation)
															? field->collation
															: get_typcollation(field->type));

	return dictionary_create(&type, budget);
}

SensitiveRows *
sensitive_rows_create(const SensitiveFields *fields, int64 expected, Budget *budget)
{
	SensitiveRows *rows = palloc0(sizeof(SensitiveRows));

	rows->fields = fields;
	rows->budget = budget;
	rows->column = palloc0(sizeof(SensitiveCodes) * Max(fields->columns, 1));
	for (int i = 0; i < fields->columns; i++)
	{
		rows->column[i].source = &fields->column[i];
		if (fields->column[i].field.domain == NULL)
			rows->column[i].dictionary = create_dictionary(&fields->column[i].field, budget);
	}
	if (fields->person)
		rows->person = create_dictionary(fields->person, budget);
	make_room(rows, Max(expected, 1));
	return rows;
}

void
sensitive_rows_add(SensitiveRows *rows, const Datum *values, const bool *nulls)
{
	int64 row = rows->rows;

	if (row == rows->capacity)
		make_room(rows, rows->capacity * 2);
	for (int i = 0; i < rows->fields->columns; i++)
	{
		SensitiveCodes *column = &rows->column[i];
		int number = column->source->field.number;

		if (column->source->field.domain)
			column->code[row] =
				dimension_query_encode(column->source->field.domain, values[number], nulls[number]);
		else
			column->code[row] =
				nulls[number] ? 0 : 1 + dictionary_encode(column->dictionary, values[number]);
	}
	if (rows->fields->person)
	{
		int number = rows->fields->person->number;

		rows->person_of_row[row] =
			nulls[number] ? ROW_NOBODY : dictionary_encode(rows->person, values[number]);
	}
	rows->rows++;
}

/* People numbered in an order of their values that is the same everywhere. */
static void
number_people(SensitiveRows *rows)
{
	int32 people = dictionary_size(rows->person);
	int32 *order = dictionary_order(rows->person, DICTIONARY_BY_BYTES);
	int32 *rank = budget_allocate(rows->budget, people, sizeof(int32), PURPOSE);

	for (int32 i = 0; i < people; i++)
	{
		interrupt_check(i);
		rank[order[i]] = i;
	}
	for (int64 row = 0; row < rows->rows; row++)
	{
		interrupt_check(row);
		if (rows->person_of_row[row] != ROW_NOBODY)
			rows->person_of_row[row] = rank[rows->person_of_row[row]];
	}
	rows->numbered = true;
}

static const RowPeople *
describe_people(SensitiveRows *rows, int64 k)
{
	int columns = Max(rows->fields->columns, 1);

	if (rows->person == NULL)
		return NULL;
	if (!rows->numbered)
		number_people(rows);
	rows->people = (RowPeople){.k = k,
							   .people = dictionary_size(rows->person),
							   .person = rows->person_of_row,
							   .pairs = palloc0(sizeof(int32) * columns),
							   .pair = palloc0(sizeof(int32 *) * columns)};
	return &rows->people;
}

static bool
is_left_out(const SensitiveRows *rows, int64 row)
{
	return rows->left_out && rows->left_out[row];
}

/* Members by value where rows are members. */
static void
count_rows(SensitiveRows *rows, SensitiveCodes *column)
{
	for (int64 row = 0; row < rows->rows; row++)
	{
		interrupt_check(row);
		if (!is_left_out(rows, row))
			column->members[column->code[row]]++;
	}
}

static void
count_rows_of_pairs(SensitiveRows *rows, int number)
{
	SensitiveCodes *column = &rows->column[number];

	column->rows_of_pair =
		budget_allocate(rows->budget, rows->people.pairs[number], sizeof(int32), PURPOSE);
	for (int64 row = 0; row < rows->rows; row++)
	{
		interrupt_check(row);
		if (rows->person_of_row[row] != ROW_NOBODY && !is_left_out(rows, row))
			column->rows_of_pair[rows->people.pair[number][row]]++;
	}
}

/* Members by value where people are, who count once for each; numbers the pairs. */
static void
count_people(SensitiveRows *rows, int number)
{
	SensitiveCodes *column = &rows->column[number];
	ValueType type = type_query_value_type(INT8OID, InvalidOid);
	Dictionary *pairs = dictionary_create(&type, rows->budget);
	int32 *pair = budget_allocate(rows->budget, rows->rows, sizeof(int32), PURPOSE);

	for (int64 row = 0; row < rows->rows; row++)
	{
		int64 person = rows->person_of_row[row];

		interrupt_check(row);
		if (person == ROW_NOBODY || is_left_out(rows, row))
			continue;
		pair[row] =
			dictionary_encode(pairs, Int64GetDatum(person * column->codes + column->code[row]));
		if (pair[row] == rows->people.pairs[number])
		{
			rows->people.pairs[number]++;
			column->members[column->code[row]]++;
		}
	}
	rows->people.pair[number] = pair;
	if (rows->left_out)
		count_rows_of_pairs(rows, number);
}

/* Final codes in an order of the values that is the same everywhere, NULL last, and members. */
static void
order_codes(SensitiveRows *rows, SensitiveCodes *column, SensitiveDomain *domain)
{
	int32 *order = dictionary_order(column->dictionary, DICTIONARY_BY_BYTES);
	int64 *count = budget_allocate(rows->budget, column->codes, sizeof(int64), PURPOSE);

	column->final_code = budget_allocate(rows->budget, column->codes, sizeof(int32), PURPOSE);
	for (int32 i = 0; i < column->codes; i++)
	{
		int32 provisional = i < column->codes - 1 ? order[i] + 1 : 0;
		bool occurs = column->members[provisional] > 0;

		interrupt_check(i);
		column->final_code[provisional] = occurs ? domain->codes : -1;
		if (occurs)
			count[domain->codes++] = column->members[provisional];
	}
	domain->has_null = column->members[0] > 0;
	domain->count = column->count = count;
	domain->ordered = model_query_is_ordered(getBaseType(column->source->field.type));
}

static void
order_hierarchy(SensitiveCodes *column, SensitiveDomain *domain)
{
	AttributeDomain *values = column->source->field.domain;
	int64 *marginal;
	Dimension *dimension = dimension_query_finish(values, column->members, &marginal);

	column->final_code = values->final_code;
	domain->codes = dimension->cardinality[0];
	domain->has_null = dimension->has_null;
	domain->count = column->count = marginal;
	domain->hierarchy = dimension;
}

static const Dictionary *
dictionary_of(const SensitiveCodes *column)
{
	return column->dictionary ? column->dictionary : column->source->field.domain->ground;
}

static void
read_numbers(const SensitiveRows *rows, const SensitiveCodes *column, SensitiveDomain *domain)
{
	Oid type = getBaseType(column->source->field.type);
	double *number = budget_allocate(rows->budget, domain->codes, sizeof(double), PURPOSE);

	for (int32 provisional = 1; provisional < column->codes; provisional++)
	{
		int32 code = column->final_code[provisional];

		interrupt_check(provisional);
		if (code < 0)
			continue;
		number[code] =
			number_query_scaled(type, dictionary_value(dictionary_of(column), provisional - 1));
		if (!isfinite(number[code]))
			ereport(ERROR, (errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
							errmsg("field \"%s\" holds a number that is not finite", domain->name),
							errdetail("Variance is not defined with it.")));
	}
	domain->number = number;
}

static void
finish_column(SensitiveRows *rows, int number)
{
	SensitiveCodes *column = &rows->column[number];
	SensitiveDomain *domain = &rows->models.domain[number];

	column->codes = 1 + dictionary_size(dictionary_of(column));
	column->members = budget_allocate(rows->budget, column->codes, sizeof(int64), PURPOSE);
	if (rows->person)
		count_people(rows, number);
	else
		count_rows(rows, column);
	*domain = (SensitiveDomain){.name = column->source->field.name};
	if (column->dictionary)
		order_codes(rows, column, domain);
	else
		order_hierarchy(column, domain);
	if (column->source->needs & MODEL_NEEDS_NUMBERS)
		read_numbers(rows, column, domain);
	sensitive_domain_prepare(domain, rows->budget);
	rows->models.code[number] =
		rows->left_out ? budget_allocate(rows->budget, rows->rows, sizeof(int32), PURPOSE)
					   : column->code;
	for (int64 row = 0; row < rows->rows; row++)
	{
		interrupt_check(row);
		rows->models.code[number][row] = column->final_code[column->code[row]];
	}
}

const RowModels *
sensitive_rows_finish(SensitiveRows *rows, int64 k, const bool *left_out)
{
	const SensitiveFields *fields = rows->fields;
	int columns = Max(fields->columns, 1);

	rows->left_out = left_out;
	rows->models = (RowModels){.models = fields->models,
							   .model = fields->model,
							   .column_of = fields->column_of,
							   .columns = fields->columns,
							   .code = palloc0(sizeof(int32 *) * columns),
							   .domain = palloc0(sizeof(SensitiveDomain) * columns),
							   .people = describe_people(rows, k)};
	for (int i = 0; i < fields->columns; i++)
		finish_column(rows, i);
	return &rows->models;
}

bool
sensitive_rows_leave(SensitiveRows *rows, int64 row)
{
	bool same_ranks = true;

	if (rows->person && rows->person_of_row[row] == ROW_NOBODY)
		return true;
	for (int i = 0; i < rows->fields->columns; i++)
	{
		SensitiveCodes *column = &rows->column[i];
		const SensitiveDomain *domain = &rows->models.domain[i];
		int64 *members = &column->count[rows->models.code[i][row]];

		if (rows->person && --column->rows_of_pair[rows->people.pair[i][row]] > 0)
			continue;
		if (--*members == 0 && domain->ordered && (column->source->needs & MODEL_NEEDS_DISTANCE))
			same_ranks = false;
	}
	return same_ranks;
}

void
sensitive_rows_settle(SensitiveRows *rows)
{
	for (int i = 0; i < rows->fields->columns; i++)
		sensitive_domain_sum(&rows->models.domain[i]);
}
