/*
 * dataset.c
 *		See dataset.h.
 *
 * Example: ages and zip codes, NULL unknown.  attributes = 2, stride = 4:
 *
 *		25, 53711, row 0, 0 | NULL, 53712, row 1, 0 | 27, 53711, row 2, 0
 */
#include "postgres.h"

#include "data/dataset.h"

#define FIRST_CAPACITY 64

static Size
record_bytes(const Dataset *dataset, int64 rows)
{
	return mul_size(mul_size(sizeof(int32), dataset->stride), rows);
}

Dataset *
dataset_create(int attributes, Budget *budget)
{
	Dataset *dataset = palloc0(sizeof(Dataset));

	dataset->attributes = attributes;
	dataset->stride = TYPEALIGN(4, attributes + 1);
	dataset->budget = budget;
	dataset_reserve(dataset, FIRST_CAPACITY);
	return dataset;
}

void
dataset_reserve(Dataset *dataset, int64 rows)
{
	if (rows <= dataset->capacity)
		return;
	if (rows > PG_INT32_MAX)
		ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
						errmsg("cannot partition more than %d rows at once", PG_INT32_MAX)));
	budget_take(dataset->budget, record_bytes(dataset, rows - dataset->capacity), "partitioning");
	dataset->records = dataset->records
						   ? repalloc_huge(dataset->records, record_bytes(dataset, rows))
						   : palloc_extended(record_bytes(dataset, rows), MCXT_ALLOC_HUGE);
	dataset->capacity = rows;
}

int32 *
dataset_append(Dataset *dataset)
{
	int32 *record;

	if (dataset->rows == dataset->capacity)
		dataset_reserve(dataset, dataset->capacity < PG_INT32_MAX / 2
									 ? dataset->capacity * 2
									 : Max(dataset->capacity + 1, (int64) PG_INT32_MAX));
	record = dataset_record(dataset, dataset->rows);
	memset(record + dataset->attributes, 0,
		   sizeof(int32) * (dataset->stride - dataset->attributes));
	record[dataset->attributes] = (int32) dataset->rows++;
	return record;
}

void
dataset_free(Dataset *dataset)
{
	budget_give(dataset->budget, record_bytes(dataset, dataset->capacity));
	pfree(dataset->records);
	pfree(dataset);
}
