/*
 * row_store.h
 *		Something of each row, put down in any order and asked for in that of the rows: on
 *		tapes, of as many rows each as fit in memory.
 */
#ifndef KANON_ROW_STORE_H
#define KANON_ROW_STORE_H

#include "postgres.h"

#include "base/budget.h"
#include "data/code_tape.h"

typedef struct RowStore RowStore;

/*
 * Of no row yet; a row will take about so many bytes, or just that, in whole int32s: fixed.  In the
 * current context, against the budget: a sixteenth of its limit while rows are put.  Goes on using
 * the tapes.
 */
extern RowStore *row_store_create(int64 rows, Size bytes, bool fixed, CodeTapes *tapes,
								  Budget *budget);

/* Each row at most once, from 0. */
extern void row_store_put(RowStore *store, int32 row, const void *data, Size bytes);

/*
 * What was put of a row, after the last was, aligned as by palloc; the store's, until it is asked
 * for another row.  NULL: nothing.  O(1) in order.
 */
extern const void *row_store_get(RowStore *store, int64 row);

extern void row_store_free(RowStore *store);

#endif /* KANON_ROW_STORE_H */
