/*
 * sorted_rows.h
 *		Sorts the rows of a part by one attribute.
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

#endif /* KANON_SORTED_ROWS_H */
