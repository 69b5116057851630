/*
 * row_classes.h
 *		The class of each row, told in the order of the classes and asked for in that of the
 *		rows: on tapes, of as many rows each as fit in memory.
 */
#ifndef KANON_ROW_CLASSES_H
#define KANON_ROW_CLASSES_H

#include "postgres.h"

#include "base/budget.h"
#include "data/code_tape.h"

typedef struct RowClasses RowClasses;

/*
 * Of no row yet.  In the current context, against the budget, of which it takes a sixteenth; the
 * tapes' go on being used.
 */
extern RowClasses *row_classes_create(int64 rows, CodeTapes *tapes, Budget *budget);

/* Each row once, from 0. */
extern void row_classes_put(RowClasses *classes, int32 row, int32 class_number);

/* The class of a row, after the last was put: 0 for one that was not.  O(1) in order. */
extern int32 row_classes_get(RowClasses *classes, int64 row);

#endif /* KANON_ROW_CLASSES_H */
