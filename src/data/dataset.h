/*
 * dataset.h
 *		A table as codes: the one container for all who work on rows.
 *
 * A row has one int32 code for each attribute.  NULL is DATASET_NULL, below every other code;
 * values have codes from 0 on: while a dataset is filled in the order of appearance, once they
 * are final in that of the values.  Codes are dense, 0 .. values - 1, each of which occurs,
 * unless whole numbers are coded by their places on a scale.  Arrays by code that need an entry
 * for NULL are addressed from -1 on.
 */
#ifndef KANON_DATASET_H
#define KANON_DATASET_H

#include "postgres.h"

#include "base/budget.h"
#include "data/code_tape.h"
#include "data/dictionary.h"

#define DATASET_NULL (-1)

/* How codes lie, in int32s. */
typedef enum DatasetLayout
{
	DATASET_RECORDS, /* a record for each row, padded to 16 bytes, that may be moved as a whole:
					  * its codes, then its number */
	DATASET_GROUPS,  /* a record for each different row, which ends with how many rows it is */
	DATASET_COLUMNS  /* a column for each attribute: for who reads one of many rows */
} DatasetLayout;

typedef struct Dataset
{
	DatasetLayout layout;
	int attributes;
	int stride;    /* from a row to the next: 1 for columns, else a multiple of 4 */
	int64 step;    /* from an attribute to the next: 1 for records */
	int64 rows;    /* or groups: at most PG_INT32_MAX */
	int64 members; /* rows that these are; other than rows only with groups */
	int64 capacity;
	int32 *codes;
	int32 *values;  /* [attribute]: how many, NULL apart; -1: codes are places */
	bool *has_null; /* [attribute] */
	/* Rows that came before these and lie on a tape; tuples begin with the attributes' codes. NULL:
	 * there are none. */
	CodeTape *tape;
	const int32 **final_code; /* [attribute]: of codes on the tape but NULL, where they change */
	Budget *budget;
} Dataset;

/* Empty, in the current context; grows against the budget. */
extern Dataset *dataset_create(DatasetLayout layout, int attributes, Budget *budget);

/*
 * Room for so many rows, so that appending them moves nothing.  Error beyond
 * PG_INT32_MAX rows (ERRCODE_PROGRAM_LIMIT_EXCEEDED).
 */
extern void dataset_reserve(Dataset *dataset, int64 rows);

/*
 * One more row, or group of "members" rows, whose codes are to be filled in; its number,
 * from 0 in the order of appending.  O(1) on the average.
 */
extern int64 dataset_append(Dataset *dataset, int64 members);

/*
 * The first rows are dropped, and there is room for so many from now on, at least for those that
 * are left.
 */
extern void dataset_drop(Dataset *dataset, int64 rows, int64 capacity);

/*
 * The codes of an attribute, which are a dictionary's, become ranks of its values in that order.
 * Returns the dictionary's codes by rank, palloc'd against the budget.  O(rows), and
 * dictionary_order's.
 */
extern int32 *dataset_rank(Dataset *dataset, int attribute, const Dictionary *dictionary,
						   DictionaryOrder order);

/*
 * The codes of an attribute become others, code_of[code]; NULL stays.  O(rows); those on a tape
 * are read so, as long as code_of lives.
 */
extern void dataset_recode(Dataset *dataset, int attribute, const int32 *code_of);

/* The attributes from that of fewest different codes on, which must be dense; palloc'd. */
extern int *dataset_by_cardinality(const Dataset *dataset);

/*
 * Brings the records into the order of their codes, the attribute of lowest cardinality first,
 * NULL last, equal ones as they stand.  O(rows * attributes + values), and as much room again
 * meanwhile.
 */
extern void dataset_sort(Dataset *dataset);

extern void dataset_free(Dataset *dataset);

/* The code at a position; the number of the row until records are moved. */
static inline int32 *
dataset_code(const Dataset *dataset, int64 position, int attribute)
{
	return dataset->codes + position * dataset->stride + attribute * dataset->step;
}

/* How many different codes an attribute has, which must be dense. */
static inline int32
dataset_cardinality(const Dataset *dataset, int attribute)
{
	return dataset->values[attribute] + (dataset->has_null[attribute] ? 1 : 0);
}

/* The codes of all rows; of columns only. */
static inline const int32 *
dataset_codes(const Dataset *dataset, int attribute)
{
	return dataset->codes + attribute * dataset->step;
}

/* The codes of a row, and what lies behind them; of records and groups only. */
static inline int32 *
dataset_record(const Dataset *dataset, int64 position)
{
	return dataset->codes + position * dataset->stride;
}

/* The row's number (from 0, in the order of appending) of a record. */
static inline int32
dataset_row(const Dataset *dataset, const int32 *record)
{
	return record[dataset->attributes];
}

/* How many rows a group's record is. */
static inline int64
dataset_members(const Dataset *dataset, const int32 *record)
{
	return *(const int64 *) (record + dataset->stride - 2);
}

#endif /* KANON_DATASET_H */
