/*
 * sensitive_rows.c
 *		See sensitive_rows.h.
 *
 * Values get provisional codes as they appear, 0 for NULL, as in dimension_query.h.  The members of
 * a value are its rows, or its pairs with distinct people.  Only values with members get final
 * codes, so rows of nobody do not count here either.
 */
#include "postgres.h"

#include "record/sensitive_rows.h"

#include <math.h>

#include "base/interrupt.h"
#include "catalog/pg_type.h"
#include "dimension/sensitive_values.h"
#include "sql/type_query.h"

#define PURPOSE "sensitive values"

typedef struct SensitiveCodes
{
	AttributeDomain *values;
	int32 *rows_of_pair; /* if rows of people may leave: [pair] */
	int64 *expected;     /* [provisional code]: members, or NULL */
	int64 codes;         /* .. that have an entry */
	int64 room;          /* .. or room for one */
} SensitiveCodes;

struct SensitiveRows
{
	const Description *description;
	Dataset *dataset;
	int side;     /* first side of the dataset */
	int32 **code; /* [column][row]: these sides */
	SensitiveCodes *column;
	Dictionary *person;   /* NULL: rows are counted */
	int32 numbered;       /* people with final numbers; 0: not numbered yet */
	const bool *left_out; /* [row], or NULL */
	RowModels models;
	RowPeople people;
};

/* [row]: the number of the person, or ROW_NOBODY; the last side. */
static int32 *
people_of_rows(const SensitiveRows *rows)
{
	return rows->code[rows->description->demand.columns];
}

int
sensitive_rows_sides(const Description *description)
{
	return description->demand.columns + (description->person ? 1 : 0);
}

SensitiveRows *
sensitive_rows_create(const Description *description, Dataset *dataset, int side)
{
	SensitiveRows *rows = palloc0(sizeof(SensitiveRows));
	Budget *budget = dataset->budget;

	rows->description = description;
	rows->dataset = dataset;
	rows->side = side;
	rows->code = dataset->side + side;
	rows->column = palloc0(sizeof(SensitiveCodes) * Max(description->demand.columns, 1));
	for (int i = 0; i < description->demand.columns; i++)
	{
		DescribedAttribute *attribute = description->sensitive[i];

		rows->column[i].values = attribute->domain
									 ? attribute->domain
									 : sensitive_values_load(description, attribute, budget);
		dimension_query_begin(rows->column[i].values);
	}
	if (description->person)
	{
		ValueType type =
			type_query_value_type(description->person->type, description->person->collation);

		rows->person = dictionary_create(&type, budget);
	}
	return rows;
}

void
sensitive_rows_add(SensitiveRows *rows, const Datum *values, const bool *nulls)
{
	for (int i = 0; i < rows->description->demand.columns; i++)
	{
		const SensitiveCodes *column = &rows->column[i];
		int field = column->values->attribute->number - 1;
		/* Encoding may move the rows before. */
		int32 code = dimension_query_encode(column->values, values[field], nulls[field]);

		rows->code[i][rows->dataset->rows - 1] = code;
	}
	if (rows->person)
	{
		int field = rows->description->person->number - 1;

		people_of_rows(rows)[rows->dataset->rows - 1] =
			nulls[field] ? ROW_NOBODY : dictionary_encode(rows->person, values[field]);
	}
}

void
sensitive_rows_expect(SensitiveRows *rows, int column, Datum value, bool isnull, int64 members)
{
	SensitiveCodes *codes = &rows->column[column];
	int32 code = dimension_query_encode(codes->values, value, isnull);

	while (codes->codes <= code)
	{
		codes->expected = budget_room(rows->dataset->budget, codes->expected, &codes->room,
									  codes->codes + 1, sizeof(int64), PURPOSE);
		codes->expected[codes->codes++] = 0;
	}
	codes->expected[code] = members;
}

/* Numbers people in an order of their values that is the same on all systems. */
static void
number_people(SensitiveRows *rows)
{
	int32 *person = people_of_rows(rows);
	int32 people = dictionary_size(rows->person);
	int32 *order = dictionary_order(rows->person, DICTIONARY_BY_BYTES);
	int32 *rank = budget_allocate(rows->dataset->budget, people, sizeof(int32), PURPOSE);

	for (int32 i = 0; i < people; i++)
	{
		interrupt_check(i);
		rank[order[i]] = i;
	}
	for (int64 row = 0; row < rows->dataset->rows; row++)
	{
		interrupt_check(row);
		if (person[row] != ROW_NOBODY)
			person[row] = rank[person[row]];
	}
	rows->numbered = people;
}

static const RowPeople *
describe_people(SensitiveRows *rows, int64 k)
{
	int columns = Max(rows->description->demand.columns, 1);

	if (rows->person == NULL)
		return NULL;
	if (rows->numbered == 0)
		number_people(rows);
	rows->people = (RowPeople){.k = k,
							   .people = rows->numbered,
							   .person = people_of_rows(rows),
							   .pairs = palloc0(sizeof(int32) * columns),
							   .pair = palloc0(sizeof(int32 *) * columns)};
	return &rows->people;
}

static bool
is_left_out(const SensitiveRows *rows, int64 row)
{
	return rows->left_out && rows->left_out[row];
}

void
sensitive_rows_leave_memory(SensitiveRows *rows, int64 count)
{
	for (int i = 0; i < rows->description->demand.columns; i++)
	{
		int64 *members = dimension_query_rows(rows->column[i].values);

		for (int64 row = 0; row < count; row++)
		{
			interrupt_check(row);
			members[rows->code[i][row]]++;
		}
	}
}

int64
sensitive_rows_values(const SensitiveRows *rows)
{
	int64 values = 0;

	for (int i = 0; i < rows->description->demand.columns; i++)
		values += dimension_query_codes(rows->column[i].values);
	return values;
}

Size
sensitive_rows_bytes(const SensitiveRows *rows)
{
	Size bytes = 0;

	for (int i = 0; i < rows->description->demand.columns; i++)
		bytes += dimension_query_bytes(rows->column[i].values) +
				 sizeof(int64) * (Size) dimension_query_codes(rows->column[i].values);
	return bytes;
}

/* Without those that are left out. */
static void
count_rows_of_pairs(SensitiveRows *rows, int number)
{
	SensitiveCodes *column = &rows->column[number];

	column->rows_of_pair =
		budget_allocate(rows->dataset->budget, rows->people.pairs[number], sizeof(int32), PURPOSE);
	for (int64 row = 0; row < rows->dataset->rows; row++)
	{
		interrupt_check(row);
		if (rows->people.person[row] != ROW_NOBODY && !rows->left_out[row])
			column->rows_of_pair[rows->people.pair[number][row]]++;
	}
}

/* Counts members by value with people, each person once; numbers the pairs. */
static void
count_people(SensitiveRows *rows, int number, int64 *members)
{
	SensitiveCodes *column = &rows->column[number];
	int64 codes = dimension_query_codes(column->values);
	ValueType type = type_query_value_type(INT8OID, InvalidOid);
	Dictionary *pairs = dictionary_create(&type, rows->dataset->budget);
	int32 *pair =
		budget_allocate(rows->dataset->budget, rows->dataset->rows, sizeof(int32), PURPOSE);

	for (int64 row = 0; row < rows->dataset->rows; row++)
	{
		int64 person = rows->people.person[row];

		interrupt_check(row);
		if (person == ROW_NOBODY || is_left_out(rows, row))
			continue;
		pair[row] =
			dictionary_encode(pairs, Int64GetDatum(person * codes + rows->code[number][row]));
		if (pair[row] == rows->people.pairs[number])
		{
			rows->people.pairs[number]++;
			members[rows->code[number][row]]++;
		}
	}
	rows->people.pair[number] = pair;
	if (rows->left_out)
		count_rows_of_pairs(rows, number);
}

static void
finish_column(SensitiveRows *rows, int number)
{
	SensitiveCodes *column = &rows->column[number];
	int64 *members = dimension_query_rows(column->values);

	if (rows->person)
		count_people(rows, number, members);
	for (int64 row = 0; row < rows->dataset->rows && rows->person == NULL; row++)
	{
		interrupt_check(row);
		if (!is_left_out(rows, row))
			members[rows->code[number][row]]++;
	}
	for (int64 code = 0; code < column->codes; code++)
		members[code] = Max(members[code], column->expected[code]);
	dimension_query_finish(column->values, NULL);
	rows->models.demand.domain[number] = sensitive_values_finish(column->values);
	rows->models.code[number] =
		rows->left_out
			? budget_allocate(rows->dataset->budget, rows->dataset->rows, sizeof(int32), PURPOSE)
			: rows->code[number];
	for (int64 row = 0; row < rows->dataset->rows; row++)
	{
		interrupt_check(row);
		rows->models.code[number][row] = column->values->final_code[rows->code[number][row]];
	}
	if (rows->dataset->tape)
		rows->dataset->final_code[rows->dataset->attributes + 1 + rows->side + number] =
			column->values->final_code;
}

const RowModels *
sensitive_rows_finish(SensitiveRows *rows, int64 k, const bool *left_out)
{
	const Demand *demand = &rows->description->demand;
	int columns = Max(demand->columns, 1);

	rows->left_out = left_out;
	rows->models = (RowModels){.demand = *demand,
							   .code = palloc0(sizeof(int32 *) * columns),
							   .people = describe_people(rows, k)};
	rows->models.demand.domain = palloc(sizeof(SensitiveDomain *) * columns);
	for (int i = 0; i < demand->columns; i++)
		finish_column(rows, i);
	return &rows->models;
}

int32
sensitive_rows_find(const SensitiveRows *rows, int column, Datum value, bool isnull)
{
	return Max(dimension_query_find(rows->column[column].values, value, isnull), 0);
}

bool
sensitive_rows_leave(SensitiveRows *rows, int64 row)
{
	bool same_ranks = true;

	if (rows->person && people_of_rows(rows)[row] == ROW_NOBODY)
		return true;
	for (int i = 0; i < rows->description->demand.columns; i++)
	{
		SensitiveCodes *column = &rows->column[i];
		int64 *members = &column->values->marginal[rows->models.code[i][row]];

		if (rows->person && --column->rows_of_pair[rows->people.pair[i][row]] > 0)
			continue;
		if (--*members == 0 && column->values->sensitive.ordered &&
			(column->values->attribute->needs & MODEL_NEEDS_DISTANCE))
			same_ranks = false;
	}
	return same_ranks;
}

double
sensitive_rows_settle(SensitiveRows *rows)
{
	double most = 0;

	for (int i = 0; i < rows->description->demand.columns; i++)
	{
		SensitiveDomain *domain = &rows->column[i].values->sensitive;
		int64 before = domain->members;
		int64 left;

		sensitive_domain_sum(domain);
		left = domain->members;
		most = Max(most, left > 0 ? (double) (before - left) / (double) left : INFINITY);
	}
	return most;
}
