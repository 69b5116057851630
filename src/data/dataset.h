/*
 * dataset.h
 *		Rows as codes: row-major records that algorithms may move in place.
 *
 * A record holds one int32 code for each attribute and then the row's number,
 * padded to a multiple of 16 bytes.  Codes are in the order of the values; NULL
 * is DATASET_NULL, below every other code.
 */
#ifndef KANON_DATASET_H
#define KANON_DATASET_H

#include "postgres.h"

#include "base/budget.h"

#define DATASET_NULL PG_INT32_MIN

typedef struct Dataset
{
	int attributes;
	int stride; /* int32s of a record: a multiple of 4 */
	int64 rows;
	int64 capacity;
	int32 *records; /* rows * stride */
	Budget *budget;
} Dataset;

/* Empty, in the current context; grows against the budget. */
extern Dataset *dataset_create(int attributes, Budget *budget);

/*
 * Room for so many rows, so that appending them moves nothing.  Error beyond
 * PG_INT32_MAX rows (ERRCODE_PROGRAM_LIMIT_EXCEEDED).
 */
extern void dataset_reserve(Dataset *dataset, int64 rows);

/* The record of the next row, to be filled with codes; its number is set. */
extern int32 *dataset_append(Dataset *dataset);

extern void dataset_free(Dataset *dataset);

static inline int32 *
dataset_record(const Dataset *dataset, int64 position)
{
	return dataset->records + position * dataset->stride;
}

/* The row's number (from 0, in the order of appending) of a record. */
static inline int32
dataset_row(const Dataset *dataset, const int32 *record)
{
	return record[dataset->attributes];
}

#endif /* KANON_DATASET_H */
