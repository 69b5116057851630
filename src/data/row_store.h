/*
 * row_store.h
 *		A number of each row, put down in any order and asked for in that of the rows: on
 *		tapes, of as many rows each as fit in memory.
 */
#ifndef KANON_ROW_STORE_H
#define KANON_ROW_STORE_H

#include "postgres.h"

#include "base/budget.h"
#include "data/code_tape.h"

typedef struct RowStore RowStore;

/*
 * Of no row yet; in the current context, against the budget: a tape's buffer for each quarter of
 * the limit that the numbers take while they are put, such a quarter when they are asked for.
 * Goes on using the tapes.
 */
extern RowStore *row_store_create(int64 rows, CodeTapes *tapes, Budget *budget);

/* Each row at most once, from 0. */
extern void row_store_put(RowStore *store, int32 row, int32 number);

/* What was put of a row, after the last was; 0: nothing.  O(1) in order. */
extern int32 row_store_get(RowStore *store, int64 row);

extern void row_store_free(RowStore *store);

#endif /* KANON_ROW_STORE_H */
