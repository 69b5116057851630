/*
 * row_classes.h
 *		The class of each row, in row order, for a recoding in memory or in pieces.
 */
#ifndef KANON_ROW_CLASSES_H
#define KANON_ROW_CLASSES_H

#include "postgres.h"

#include "data/recoding.h"

typedef struct RowClasses RowClasses;

/*
 * For a recoding at its first piece, with group_of_row; in the current context, against the budget.
 * Keeps using the tapes and, unless it is to outlive the recoding, that as well.
 */
extern RowClasses *row_classes_create(const Recoding *recoding, CodeTapes *tapes, Budget *budget,
									  bool outlive);

/* Records a class for its rows; call it once for each class of each piece. */
extern void row_classes_add(RowClasses *classes, const Recoding *recoding, int32 class);

/*
 * Gives classes other numbers, from 1, after all are added; two may get the same.
 *
 * _numbers: an array for those of all "count" classes, to be filled in; against the budget.
 *
 * If there is no memory for that: _rename gives those from "first" on number[0], number[1], .. Call
 * it for all, some at a time, each once, and then _renamed.  One pass over all rows each time.
 * Unless it was to outlive the recoding, that one's group_of_row is overwritten.
 */
extern int32 *row_classes_numbers(RowClasses *classes, int32 count, const Budget *budget);
extern void row_classes_rename(RowClasses *classes, int32 first, int32 count, const int32 *number);
extern void row_classes_renamed(RowClasses *classes);

/*
 * The class of a row, numbered from 1 over all pieces, or 0 if it is left out; rows from 0 in order
 * of arrival.  O(1) in their order.
 */
extern int32 row_classes_get(const RowClasses *classes, int64 row);

/*
 * One number for each row, put in any order and read in row order.  It lies on tapes, each for as
 * many rows as fit in memory.  While numbers are put, it takes one tape buffer for each quarter of
 * the memory limit that they would fill; while they are read, one such quarter.
 */
typedef struct RowStore RowStore;

/* An empty store in the current context, against the budget; keeps using the tapes. */
extern RowStore *row_store_create(int64 rows, CodeTapes *tapes, Budget *budget);

/* Puts the number of a row, from 0; at most once for each row. */
extern void row_store_put(RowStore *store, int32 row, int32 number);

/*
 * The number of a row, or 0 if it has none.  Call it after all numbers are put.  O(1) in row order.
 */
extern int32 row_store_get(RowStore *store, int64 row);

#endif /* KANON_ROW_CLASSES_H */
