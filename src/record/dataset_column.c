/*
 * dataset_column.c
 *		See dataset_column.h.
 *
 * Example: the ages 40, 25, NULL, 26 get the codes 0, -15, NULL, -14.  The
 * names 'b', 'c', 'a' get 0, 1, 2 and at the end 1, 2, 0.  The int8 values 1 and
 * 10^12 lie too far apart for an int32: the second one turns the column into one
 * with a dictionary.  Places on a scale then come from the values, so widths
 * do not depend on how a column is coded.
 */
#include "postgres.h"

#include "record/dataset_column.h"

#include <math.h>

#include "base/interrupt.h"
#include "common/int.h"
#include "data/dictionary.h"
#include "sql/number_query.h"
#include "sql/type_query.h"
#include "utils/lsyscache.h"

#define PURPOSE "dictionary of values"

struct DatasetColumn
{
	MemoryContext context;
	Dataset *dataset;
	int number;
	Oid type; /* base type */
	ValueType value_type;
	AttributeDomain *domain; /* hierarchical */
	Dictionary *dictionary;  /* ordered, not by distance */
	int32 *order;            /* [final code]: the dictionary's code */
	bool by_distance;
	bool has_base;
	int64 base; /* the whole number that has code 0 */
};

DatasetColumn *
dataset_column_create(Dataset *dataset, int number, Oid type, Oid collation,
					  AttributeDomain *domain)
{
	DatasetColumn *column = palloc0(sizeof(DatasetColumn));

	column->context = CurrentMemoryContext;
	column->dataset = dataset;
	column->number = number;
	column->type = getBaseType(type);
	column->domain = domain;
	column->value_type = type_query_value_type(
		type, OidIsValid(collation) ? collation : get_typcollation(column->type));
	column->by_distance = domain == NULL && number_query_is_whole(column->type);
	if (domain == NULL && !column->by_distance)
		column->dictionary = dictionary_create(&column->value_type, dataset->budget);
	return column;
}

/* The codes so far become those of a dictionary; the last record has none yet. */
static void
leave_distances(DatasetColumn *column)
{
	MemoryContext previous = MemoryContextSwitchTo(column->context);

	column->by_distance = false;
	column->dictionary = dictionary_create(&column->value_type, column->dataset->budget);
	MemoryContextSwitchTo(previous);
	for (int64 row = 0; row < column->dataset->rows - 1; row++)
	{
		int32 *code = &dataset_record(column->dataset, row)[column->number];

		interrupt_check(row);
		if (*code != DATASET_NULL)
			*code = dictionary_encode(column->dictionary,
									  number_query_value(column->type, column->base + *code));
	}
}

/* False if the value is infinite or too far away from the first. */
static inline bool
encode_distance(DatasetColumn *column, Datum value, int32 *code)
{
	int64 number;
	int64 distance;

	if (!number_query_whole(column->type, value, &number))
		return false;
	if (!column->has_base)
	{
		column->base = number;
		column->has_base = true;
	}
	if (pg_sub_s64_overflow(number, column->base, &distance) || distance > PG_INT32_MAX ||
		distance < -PG_INT32_MAX)
		return false;
	*code = (int32) distance;
	return true;
}

void
dataset_column_encode(DatasetColumn *column, int32 *record, Datum value, bool is_null)
{
	int32 *code = &record[column->number];

	if (column->by_distance)
	{
		if (is_null)
			*code = DATASET_NULL;
		if (is_null || encode_distance(column, value, code))
			return;
		leave_distances(column);
	}
	if (column->domain)
		*code = dimension_query_encode(column->domain, value, is_null);
	else
		*code = is_null ? DATASET_NULL : dictionary_encode(column->dictionary, value);
}

/* code -> another one, in all records; NULL is not looked up. */
static void
map_codes(const DatasetColumn *column, const int32 *map)
{
	for (int64 row = 0; row < column->dataset->rows; row++)
	{
		int32 *code = &dataset_record(column->dataset, row)[column->number];

		interrupt_check(row);
		if (*code != DATASET_NULL)
			*code = map[*code];
	}
}

/*
 * The place of a final code.  Whole numbers are placed by their distance from the
 * lowest one, which is exact where that of their nearest doubles is not: widths are then the
 * same as if the codes were distances.
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

/* Places on the scale by final code; NULL if they are not all finite, or the values have none. */
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

static PartitionAttribute
finish_dictionary(DatasetColumn *column, DictionaryOrder order)
{
	int32 size = dictionary_size(column->dictionary);
	int32 *rank = budget_allocate(column->dataset->budget, size, sizeof(int32), PURPOSE);

	column->order = dictionary_order(column->dictionary, order);
	for (int32 code = 0; code < size; code++)
	{
		interrupt_check(code);
		rank[column->order[code]] = code;
	}
	map_codes(column, rank);
	return (PartitionAttribute){.position = place_values(column, size)};
}

/* Rows by provisional code. */
static int64 *
count_rows(const DatasetColumn *column)
{
	int64 *rows = budget_allocate(column->dataset->budget, dimension_query_codes(column->domain),
								  sizeof(int64), PURPOSE);

	for (int64 row = 0; row < column->dataset->rows; row++)
	{
		interrupt_check(row);
		rows[dataset_record(column->dataset, row)[column->number]]++;
	}
	return rows;
}

static PartitionAttribute
finish_hierarchy(DatasetColumn *column)
{
	int64 *marginal;
	Dimension *dimension = dimension_query_finish(column->domain, count_rows(column), &marginal);

	column->domain->final_code[0] = DATASET_NULL;
	map_codes(column, column->domain->final_code);
	return (PartitionAttribute){.dimension = dimension};
}

PartitionAttribute
dataset_column_finish(DatasetColumn *column, DictionaryOrder order)
{
	if (column->domain)
		return finish_hierarchy(column);
	if (column->dictionary)
		return finish_dictionary(column, order);
	return (PartitionAttribute){0};
}

Datum
dataset_column_value(const DatasetColumn *column, int32 code)
{
	if (column->dictionary)
		return dictionary_value(column->dictionary, column->order[code]);
	return number_query_value(column->type, column->base + code);
}
