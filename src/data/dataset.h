/*
 * dataset.h
 *		A table as codes: the one container for all algorithms over rows.
 *
 * A row has one int32 code for each attribute.  NULL is DATASET_NULL, below all other codes.
 * Values have codes from 0 on: in order of appearance while the dataset is filled, in the order of
 * the values once it is final.  Codes are dense (0 .. values - 1, and each occurs) unless whole
 * numbers are coded by their places on a scale.  An array by code with an entry for NULL starts at
 * index -1.
 */
#ifndef KANON_DATASET_H
#define KANON_DATASET_H

#include "postgres.h"

#include "base/budget.h"
#include "data/code_tape.h"
#include "data/dictionary.h"

#define DATASET_NULL (-1)

/* The layout of codes; sizes in int32s. */
typedef enum DatasetLayout
{
	DATASET_RECORDS, /* one record for each row, padded to 16 bytes: its codes, then its number;
						records may be moved */
	DATASET_GROUPS,  /* one record for each distinct row; it ends with the number of such rows */
	DATASET_COLUMNS  /* one column for each attribute; fast if only few of many rows are read */
} DatasetLayout;

/* A row on a tape: a tuple of int32s. */
typedef struct RowLayout
{
	int attributes; /* first its codes of these, then its number */
	int sides;      /* .. then those of its sides */
	int target;     /* int32s of its target, which comes last: 0, or those of a double */
	int width;      /* of a tuple */
} RowLayout;

typedef struct Dataset
{
	DatasetLayout layout;
	int attributes;
	int stride;    /* from one row to the next: 1 for columns, otherwise a multiple of 4 */
	int64 step;    /* from one attribute to the next: 1 for records */
	int64 rows;    /* or groups; at most PG_INT32_MAX */
	int64 members; /* rows represented; differs from rows only with groups */
	int64 capacity;
	int32 *codes;
	int32 *values;  /* [attribute]: number of distinct values without NULL; -1: codes are places */
	bool *has_null; /* [attribute] */
	/*
	 * Beside the codes, by the number of the row, so that they stay when records are moved: other
	 * codes, such as sensitive values, and what a split follows.
	 */
	int32 **side;   /* [side][row] */
	double *target; /* [row]; NULL: none */
	/* Earlier rows, on a tape.  NULL: none. */
	CodeTape *tape;
	RowLayout tuple;          /* of that tape */
	int64 taped;              /* rows on it */
	const int32 **final_code; /* [place in a tuple]: maps codes on the tape, except NULL, to final
								 ones where they changed */
	Budget *budget;
} Dataset;

/* An empty dataset in the current context.  It grows against the budget. */
extern Dataset *dataset_create(DatasetLayout layout, int attributes, Budget *budget);

/* Gives an empty dataset of records sides, and a target for each row. */
extern void dataset_add_sides(Dataset *dataset, int sides, bool target);

/* The bytes that a row takes, with its sides and target. */
extern Size dataset_row_bytes(const Dataset *dataset);

/*
 * Makes room for this many rows, so that appending them moves nothing.  Raises
 * ERRCODE_PROGRAM_LIMIT_EXCEEDED beyond PG_INT32_MAX rows.
 */
extern void dataset_reserve(Dataset *dataset, int64 rows);

/*
 * Appends a row, or a group of "members" rows, and returns its number, from 0.  The caller fills in
 * the codes.  Amortized O(1).
 */
extern int64 dataset_append(Dataset *dataset, int64 members);

/*
 * Moves the first "rows" rows of a dataset with a tape to that, and sets the capacity, to no less
 * than what remains.
 */
extern void dataset_spill(Dataset *dataset, int64 rows, int64 capacity);

/*
 * Replaces the codes of an attribute, which are a dictionary's, by the ranks of its values in that
 * order.  Returns the dictionary's codes by rank, palloc'd against the budget.  O(rows), plus
 * dictionary_order.
 */
extern int32 *dataset_rank(Dataset *dataset, int attribute, const Dictionary *dictionary,
						   DictionaryOrder order);

/*
 * Replaces the codes of an attribute by code_of[code]; NULL stays.  O(rows).  Codes on a tape are
 * mapped when they are read, so code_of must live as long.
 */
extern void dataset_recode(Dataset *dataset, int attribute, const int32 *code_of);

/* The attributes, by number of distinct codes, fewest first; codes must be dense.  Palloc'd. */
extern int *dataset_by_cardinality(const Dataset *dataset);

/*
 * Sorts the records by their codes, the attribute of lowest cardinality first, NULL last; stable.
 * O(rows * attributes + values) time, and as much memory again as the records take.
 */
extern void dataset_sort(Dataset *dataset);

/*
 * Moves the records: at each place will be the one that was at order[place].  O(rows * attributes),
 * and as much memory again as the records take.
 */
extern void dataset_arrange(Dataset *dataset, const int32 *order);

extern void dataset_free(Dataset *dataset);

extern RowLayout row_layout(int attributes, int sides, bool target);

/* The code at a position.  Until records are moved, the position is the row's number. */
static inline int32 *
dataset_code(const Dataset *dataset, int64 position, int attribute)
{
	return dataset->codes + position * dataset->stride + attribute * dataset->step;
}

/* The number of distinct codes of an attribute, NULL included; codes must be dense. */
static inline int32
dataset_cardinality(const Dataset *dataset, int attribute)
{
	return dataset->values[attribute] + (dataset->has_null[attribute] ? 1 : 0);
}

/* The codes of all rows; for columns only. */
static inline const int32 *
dataset_codes(const Dataset *dataset, int attribute)
{
	return dataset->codes + attribute * dataset->step;
}

/* The codes of a row and what follows them; for records and groups only. */
static inline int32 *
dataset_record(const Dataset *dataset, int64 position)
{
	return dataset->codes + position * dataset->stride;
}

/* The number of a record's row: from 0, in the order of appending. */
static inline int32
dataset_row(const Dataset *dataset, const int32 *record)
{
	return record[dataset->attributes];
}

/* The number of rows that a group's record represents. */
static inline int64
dataset_members(const Dataset *dataset, const int32 *record)
{
	return *(const int64 *) (record + dataset->stride - 2);
}

#endif /* KANON_DATASET_H */
