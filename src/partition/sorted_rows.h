/*
 * sorted_rows.h
 *		Sorts the rows of a part by one attribute, or finds the code at a rank without sorting.
 */
#ifndef KANON_SORTED_ROWS_H
#define KANON_SORTED_ROWS_H

#include "postgres.h"

#include "base/budget.h"
#include "data/dataset.h"

typedef struct SortedRow
{
	uint32 place; /* from the beginning of the part */
	int32 code;
} SortedRow;

typedef struct SortedRows SortedRows;

/* Scratch space for parts of up to "rows" rows, 16 bytes each, in the current context. */
extern SortedRows *sorted_rows_create(int64 rows, Budget *budget);

/*
 * Sorts the records [begin, end) by code; stable; valid until the next call.  Codes lie in
 * [minimum, maximum].  O(rows).
 */
extern const SortedRow *sorted_rows_sort(SortedRows *sorted, const Dataset *dataset, int64 begin,
										 int64 end, int attribute, int32 minimum, int32 maximum);

typedef struct RankSelect RankSelect;

typedef struct RankedCode
{
	int32 code;
	int64 below; /* rows with a lower code */
	int64 equal; /* rows with this code */
} RankedCode;

/* Scratch space for parts of up to "rows" rows, 4 bytes each, in the current context. */
extern RankSelect *rank_select_create(int64 rows, Budget *budget);

/*
 * The code at place "rank" (from 0) if the records [begin, end) were sorted by the attribute, whose
 * codes lie in [minimum, maximum].  O(rows), whatever the codes.
 */
extern RankedCode rank_select_find(RankSelect *select, const Dataset *dataset, int64 begin,
								   int64 end, int attribute, int32 minimum, int32 maximum,
								   int64 rank);

typedef struct CodesBeside
{
	int32 below; /* the highest that is not above the threshold */
	int32 above; /* the lowest that is */
} CodesBeside;

/* The codes of the attribute beside a threshold, on both sides of which there are records. */
extern CodesBeside codes_beside(const Dataset *dataset, int64 begin, int64 end, int attribute,
								int32 threshold);

#endif /* KANON_SORTED_ROWS_H */
