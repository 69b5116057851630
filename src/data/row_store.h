/*
 * row_store.h
 *		One number for each row, put in any order and read in row order.  It lies on tapes, each for
 *		as many rows as fit in memory.
 */
#ifndef KANON_ROW_STORE_H
#define KANON_ROW_STORE_H

#include "postgres.h"

#include "base/budget.h"
#include "data/code_tape.h"

typedef struct RowStore RowStore;

/*
 * An empty store in the current context, against the budget.  While numbers are put, it takes one
 * tape buffer for each quarter of the memory limit that they would fill; while they are read, one
 * such quarter.  It keeps using the tapes.
 */
extern RowStore *row_store_create(int64 rows, CodeTapes *tapes, Budget *budget);

/* Puts the number of a row, from 0; at most once for each row. */
extern void row_store_put(RowStore *store, int32 row, int32 number);

/*
 * The number of a row, or 0 if it has none.  Call it after all numbers are put.  O(1) in row order.
 */
extern int32 row_store_get(RowStore *store, int64 row);

extern void row_store_free(RowStore *store);

#endif /* KANON_ROW_STORE_H */
