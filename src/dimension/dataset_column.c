/*
 * dataset_column.c
 *		See dataset_column.h.
 *
 * Example: the ages 40, 25, NULL, 26 get the places M, M - 15, NULL, M - 14, where M = MIDDLE.  The
 * names 'b', 'c', 'a' get 0, 1, 2 and finally 1, 2, 0.  The int8 values 1 and 10^12 are too far
 * apart: the second makes the column use a dictionary.  Places on a scale then come from the
 * values, so widths do not depend on the coding.
 */
#include "postgres.h"

#include "dimension/dataset_column.h"

#include <math.h>

#include "base/interrupt.h"
#include "catalog/pg_type.h"
#include "common/int.h"
#include "data/dictionary.h"
#include "sql/type_query.h"
#include "utils/lsyscache.h"

#define PURPOSE "dictionary of values"
#define MIDDLE (1 << 30) /* place of the first whole number; later ones may lie on both sides */

DatasetColumn *
dataset_column_create(Dataset *dataset, int number, const DescribedAttribute *attribute, bool ranks)
{
	DatasetColumn *column = palloc0(sizeof(DatasetColumn));

	column->attribute = attribute;
	column->dataset = dataset;
	column->number = number;
	column->type = getBaseType(attribute->type);
	column->hierarchical = attribute->domain != NULL;
	column->domain = column->hierarchical
						 ? attribute->domain
						 : dimension_query_values(NULL, attribute, dataset->budget);
	dimension_query_begin(column->domain);
	column->real = -1;
	column->minimum = column->maximum = DATASET_NULL;
	/*
	 * Spans of types without ranges are texts that stand for the values between them, which are
	 * counted.
	 */
	column->by_place = !column->hierarchical && !ranks && number_query_is_whole(column->type) &&
					   (column->type == BOOLOID || OidIsValid(type_query_range(column->type)));
	return column;
}

/* The whole number at a place. */
static inline Datum
value_at(const DatasetColumn *column, int32 place)
{
	return number_query_value(column->type, column->first + (place - MIDDLE));
}

static int32
code_of_place(void *state, int32 place)
{
	DatasetColumn *column = state;

	return place == DATASET_NULL
			   ? DATASET_NULL
			   : dictionary_encode(column->domain->ground, value_at(column, place));
}

/* Bytes of a dictionary if each row has a value of its own. */
#define ENTRY_BYTES 64

/* Bytes of a value while codes become final: its order, rank and place, or its sort key. */
#define FINAL_BYTES 24

/*
 * Turns the codes so far into dictionary codes; the last row has none yet.  Rows may go to a tape
 * before they are visited or after they have their codes, but not in between.
 */
static void
leave_places(DatasetColumn *column)
{
	Dataset *dataset = column->dataset;
	Budget *budget = dataset->budget;
	bool (*relieve)(void *relieved) = budget->relieve;

	column->by_place = false;
	if (relieve && !budget_fits(budget, mul_size(ENTRY_BYTES, dataset->rows)))
		relieve(budget->relieved);
	budget->relieve = NULL;
	/* Those of a whole have no rows. */
	(void) code_of_place(column, column->minimum);
	(void) code_of_place(column, column->maximum);
	if (dataset->tape)
		dataset->tape = code_tape_recode(dataset->tape, column->number, code_of_place, column);
	for (int64 row = 0; row < dataset->rows - 1; row++)
	{
		int32 *code = dataset_code(dataset, row, column->number);

		interrupt_check(row);
		*code = code_of_place(column, *code);
	}
	budget->relieve = relieve;
}

/* Returns false if the value is infinite or too far from the first. */
static inline bool
encode_place(DatasetColumn *column, Datum value, int32 *code)
{
	int64 number;
	int64 distance;

	if (!number_query_whole(column->type, value, &number))
		return false;
	if (!column->has_first)
	{
		column->first = number;
		column->has_first = true;
	}
	if (pg_sub_s64_overflow(number, column->first, &distance) || distance > PG_INT32_MAX - MIDDLE ||
		distance < -MIDDLE)
		return false;
	*code = MIDDLE + (int32) distance;
	return true;
}

/* The code of a value.  May move rows to a tape. */
static int32
encode_value(DatasetColumn *column, Datum value)
{
	int32 code;

	if (column->by_place)
	{
		if (encode_place(column, value, &code))
			return code;
		leave_places(column);
	}
	return dictionary_encode(column->domain->ground, value);
}

void
dataset_column_encode(DatasetColumn *column, Datum value, bool is_null)
{
	Dataset *dataset = column->dataset;
	int32 code = is_null ? DATASET_NULL : encode_value(column, value);

	if (is_null)
		dataset->has_null[column->number] = true;
	*dataset_code(dataset, dataset->rows - 1, column->number) = code;
}

/* Adds these rows to the counts. */
static void
count_values(DatasetColumn *column, int64 begin, int64 end)
{
	int64 *rows = dimension_query_rows(column->domain);

	for (int64 row = begin; row < end; row++)
	{
		interrupt_check(row);
		rows[*dataset_code(column->dataset, row, column->number) + 1]++;
	}
}

/* Extends the bounds by the places of the first rows of the dataset. */
static void
bound_places(DatasetColumn *column, int64 rows)
{
	for (int64 row = 0; column->by_place && row < rows; row++)
	{
		int32 code = *dataset_code(column->dataset, row, column->number);

		interrupt_check(row);
		if (code == DATASET_NULL)
			continue;
		column->minimum = column->maximum == DATASET_NULL ? code : Min(column->minimum, code);
		column->maximum = Max(column->maximum, code);
	}
}

void
dataset_column_leave(DatasetColumn *column, int64 rows)
{
	if (column->hierarchical && column->codes.dimension == NULL)
		count_values(column, 0, rows);
	bound_places(column, rows);
}

void
dataset_column_know(DatasetColumn *column)
{
	const int64 *rows;

	if (!column->hierarchical)
		return;
	rows = dimension_query_rows(column->domain);
	column->knows = dimension_query_codes(column->domain);
	column->known = budget_allocate(column->dataset->budget, column->knows, sizeof(int64), PURPOSE);
	memcpy(column->known, rows, sizeof(int64) * column->knows);
	memset(column->domain->rows, 0, sizeof(int64) * column->knows);
}

void
dataset_column_narrow(DatasetColumn *column, int64 most)
{
	if (column->by_place && (int64) column->maximum - column->minimum >= most)
		leave_places(column);
}

/*
 * The place of a final code.  Whole numbers are placed by their exact distance from the lowest one,
 * because their nearest doubles are not exact.  So widths are the same as if the codes were
 * distances.
 */
static double
place_value(const DatasetColumn *column, int32 code)
{
	int64 number;
	int64 lowest;

	if (!number_query_is_whole(column->type))
		return number_query_scaled(column->type, dataset_column_value(column, code));
	if (!number_query_whole(column->type, dataset_column_value(column, code), &number) ||
		!number_query_whole(column->type, dataset_column_value(column, 0), &lowest))
		return INFINITY;
	return (double) ((uint64) number - (uint64) lowest);
}

/*
 * The places on the scale by final code; NULL if the values have none or they are not all finite.
 */
static const double *
place_values(const DatasetColumn *column, int32 size)
{
	double *position;

	if (!number_query_is_scaled(column->type) || size == 0)
		return NULL;
	position = budget_allocate(column->dataset->budget, size, sizeof(double), PURPOSE);
	for (int32 code = 0; code < size; code++)
	{
		interrupt_check(code);
		position[code] = place_value(column, code);
		if (!isfinite(position[code]))
			return NULL;
	}
	return isfinite(position[size - 1] - position[0]) ? position : NULL;
}

static void
finish_hierarchy(DatasetColumn *column)
{
	const Dimension *dimension;
	Dataset *dataset = column->dataset;
	int64 real = column->real >= 0 ? column->real : dataset->rows;
	int64 *told = NULL;

	/* By provisional code of the domain; 0 is NULL. */
	count_values(column, 0, real);
	if (real < dataset->rows || column->known)
	{
		const int64 *rows = dimension_query_rows(column->domain);
		int32 codes = dimension_query_codes(column->domain);

		told = budget_allocate(dataset->budget, codes, sizeof(int64), PURPOSE);
		memcpy(told, rows, sizeof(int64) * codes);
		count_values(column, real, dataset->rows);
	}
	for (int32 code = 0; code < column->knows; code++)
		column->domain->rows[code] += column->known[code];
	dimension_query_finish(column->domain, told);
	dimension = column->domain->dimension;
	column->codes.dimension = dimension;
	column->order = column->domain->value_of_code;
	if (told)
		pfree(told);
	/* Unknown values become NULL. */
	dataset_recode(dataset, column->number, column->domain->final_code + 1);
	dataset->has_null[column->number] = dimension->has_null;
	dataset->values[column->number] = dimension->cardinality[0] - (dimension->has_null ? 1 : 0);
}

void
dataset_column_finish(DatasetColumn *column, DictionaryOrder order)
{
	Dataset *dataset = column->dataset;

	column->codes.plain = column->attribute->plain;
	if (column->by_place)
	{
		dataset->values[column->number] = -1;
		return;
	}
	if (column->hierarchical)
		finish_hierarchy(column);
	else
	{
		column->order = dataset_rank(dataset, column->number, column->domain->ground, order);
		column->codes.position = place_values(column, dataset->values[column->number]);
	}
	column->minimum = 0;
	column->maximum = dataset->values[column->number] - 1;
}

/* A dataset while its columns are read. */
typedef struct ColumnsReader
{
	Dataset *dataset;
	DatasetColumn **column;
	KeyConsumer take;
	void *state;
	int64 rows;
} ColumnsReader;

static void
read_row(void *state, const Datum *values, const bool *nulls, int64 count)
{
	ColumnsReader *reader = state;
	int attributes = reader->dataset->attributes;
	bool groups = reader->dataset->layout == DATASET_GROUPS;

	for (int64 copies = groups ? 1 : Min(count, DATASET_COLUMN_COPIES); copies > 0; copies--)
	{
		dataset_append(reader->dataset, count);
		for (int i = 0; i < attributes; i++)
			dataset_column_encode(reader->column[i], values[i], nulls[i]);
		if (reader->take)
			reader->take(reader->state, values[attributes], nulls[attributes]);
	}
	reader->rows += count;
}

DatasetColumn **
dataset_columns_read(Dataset *dataset, RowSource *source, DescribedAttribute *const *attribute,
					 KeyConsumer take, void *state, int64 *rows)
{
	ColumnsReader reader = {.dataset = dataset,
							.column = palloc(sizeof(DatasetColumn *) * Max(dataset->attributes, 1)),
							.take = take,
							.state = state};

	for (int i = 0; i < dataset->attributes; i++)
		reader.column[i] = dataset_column_create(dataset, i, attribute[i], true);
	source->scan(source, read_row, &reader);
	if (rows)
		*rows = reader.rows;
	return reader.column;
}

uint64
dataset_column_extent(DatasetColumn *column)
{
	int64 lowest;
	int64 highest;

	bound_places(column, column->dataset->rows);
	if (column->maximum == DATASET_NULL)
		return 0;
	if (column->hierarchical || !number_query_is_whole(column->type) ||
		!number_query_whole(column->type, dataset_column_value(column, column->minimum), &lowest) ||
		!number_query_whole(column->type, dataset_column_value(column, column->maximum), &highest))
		return (uint64) column->maximum - column->minimum + 1;
	return (uint64) highest - (uint64) lowest + 1;
}

RecodingColumn *
dataset_columns_codes(DatasetColumn *const *column, int count)
{
	RecodingColumn *codes = palloc(sizeof(RecodingColumn) * Max(count, 1));

	for (int i = 0; i < count; i++)
		codes[i] = column[i]->codes;
	return codes;
}

RecodingColumn
dataset_column_measured(const DatasetColumn *column, const RecodingColumn *recoded)
{
	RecodingColumn measured = *recoded;

	if (recoded->dimension || !recoded->spans || column->by_place ||
		OidIsValid(type_query_range(column->type)))
		return measured;
	/* The codes of values are their ranks. */
	measured.position = NULL;
	measured.whole = (double) column->maximum;
	return measured;
}

void
dataset_column_span(const DatasetColumn *column, RecodingColumn *recoded)
{
	Budget *budget = column->dataset->budget;
	AttributeDomain *domain = column->domain;
	int32 *order = dimension_query_declared(domain);
	int32 *place = budget_allocate(budget, domain->declared, sizeof(int32), PURPOSE);
	int32 size = column->dataset->values[column->number];
	double *position = budget_allocate(budget, size, sizeof(double), PURPOSE);

	for (int32 i = 0; i < domain->declared; i++)
		place[order[i]] = i;
	for (int32 code = 0; code < size; code++)
	{
		interrupt_check(code);
		position[code] = place[domain->value_of_code[code]];
	}
	recoded->spans = true;
	recoded->position = position;
	recoded->whole = (double) domain->declared - 1;
	pfree(place);
	pfree(order);
}

int32
dataset_column_values(const DatasetColumn *column)
{
	return column->hierarchical ? 0 : dictionary_size(column->domain->ground);
}

Size
dataset_column_bytes(const DatasetColumn *column)
{
	const Dictionary *values = column->domain->ground;

	if (column->hierarchical)
		return dimension_query_bytes(column->domain);
	return column->by_place
			   ? 0
			   : dictionary_bytes(values) + FINAL_BYTES * (Size) dictionary_size(values);
}

/* The final codes of the domain's values, of an ordered column. */
static int32 *
codes_of_values(const DatasetColumn *column)
{
	MemoryContext previous = MemoryContextSwitchTo(column->dataset->budget->context);
	int32 size = dictionary_size(column->domain->ground);
	int32 *code_of = budget_allocate(column->dataset->budget, Max(size, 1), sizeof(int32), PURPOSE);

	for (int32 code = 0; code < size; code++)
	{
		interrupt_check(code);
		code_of[column->order[code]] = code;
	}
	MemoryContextSwitchTo(previous);
	return code_of;
}

int32
dataset_column_find(DatasetColumn *column, Datum value, bool is_null)
{
	int32 code;

	if (is_null || column->maximum == DATASET_NULL)
		return DATASET_NULL;
	if (column->hierarchical)
		return dimension_query_find(column->domain, value, false);
	if (column->by_place)
		return encode_place(column, value, &code) ? Max(Min(code, column->maximum), column->minimum)
												  : column->minimum;
	if (column->code_of == NULL)
		column->code_of = codes_of_values(column);
	code = dictionary_find(column->domain->ground, value);
	return code < 0 ? 0 : column->code_of[code];
}

Datum
dataset_column_value(const DatasetColumn *column, int32 code)
{
	if (column->by_place)
		return value_at(column, code);
	return dictionary_value(column->domain->ground, column->order[code]);
}

char *
dataset_column_text(const DatasetColumn *column, int32 code)
{
	return value_text_write(&column->domain->level[0].text, dataset_column_value(column, code));
}

int32 *
dataset_column_rank_by_bytes(const DatasetColumn *column)
{
	Budget *budget = column->dataset->budget;
	const Dictionary *values = column->domain->ground;
	int32 size = dictionary_size(values);
	int32 *by_bytes;
	int32 *place;
	int32 *rank;

	if (!dictionary_is_local(values))
		return NULL;
	by_bytes = dictionary_order(values, DICTIONARY_BY_BYTES);
	place = budget_allocate(budget, size, sizeof(int32), PURPOSE);
	rank = budget_allocate(budget, size, sizeof(int32), PURPOSE);
	for (int32 i = 0; i < size; i++)
		place[by_bytes[i]] = i;
	for (int32 code = 0; code < size; code++)
		rank[code] = place[column->order[code]];
	pfree(place);
	pfree(by_bytes);
	return rank;
}
