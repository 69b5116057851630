/*
 * row_classes.h
 *		The class of each row, in the order of the rows, whether the recoding is in memory or
 *		comes in pieces.
 */
#ifndef KANON_ROW_CLASSES_H
#define KANON_ROW_CLASSES_H

#include "postgres.h"

#include "data/recoding.h"
#include "data/row_store.h"

typedef struct RowClasses RowClasses;

/*
 * Of a recoding in its first piece, whose group_of_row was asked for; in the current context,
 * against the budget.  Goes on using the tapes, and unless it is to outlive the recoding, that.
 */
extern RowClasses *row_classes_create(const Recoding *recoding, CodeTapes *tapes, Budget *budget,
									  bool outlive);

/* Once for each class of each piece: puts it down for its rows. */
extern void row_classes_add(RowClasses *classes, const Recoding *recoding, int32 class);

/* Of all pieces: numbered from 1, from 0 the rows as they came.  O(1) in their order. */
extern int32 row_classes_get(const RowClasses *classes, int64 row);

#endif /* KANON_ROW_CLASSES_H */
