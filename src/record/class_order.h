/*
 * class_order.h
 *		Classes in the order of what they show, so that their places tell nothing else: not how the
 *		table was cut, nor which rows were in one class if several look alike.
 *
 * Classes come with keys (cell_writer_key).  Those with the same key get one place, and their rows
 * are sorted as those of one class (record/class_sort.h).
 *
 * Example: classes 1, 2, 3 show "*, [20,30)", "*, [10,20)", "*, [20,30)": their places are 2, 1, 2.
 */
#ifndef KANON_CLASS_ORDER_H
#define KANON_CLASS_ORDER_H

#include "postgres.h"

#include "base/budget.h"
#include "data/row_classes.h"
#include "executor/tuptable.h"

typedef struct ClassOrder ClassOrder;

/* Numbers of fields in front of the cells. */
#define CLASS_ORDER_KEY 0  /* bytea */
#define CLASS_ORDER_ROWS 1 /* int4 */
#define CLASS_ORDER_CELLS 2

/*
 * No classes yet, with these fields for their cells; in the current context.  Like the executor's
 * sorts, it takes work_mem and temporary files.
 */
extern ClassOrder *class_order_create(TupleDesc cells);

/* Puts the next class, numbered from 1: its key, the number of its rows, then its cells. */
extern void class_order_put(ClassOrder *order, const Datum *values, const bool *nulls);

/*
 * Sorts all classes and, unless NULL, gives those of the rows their places as numbers.  Takes four
 * bytes for each class from the budget, up to a quarter of what is left; if that is not enough,
 * passes over the rows several times.
 */
extern void class_order_run(ClassOrder *order, RowClasses *classes, const Budget *budget);

/* Then the next class, in a slot of its own, and its place, from 1; NULL after the last. */
extern TupleTableSlot *class_order_next(ClassOrder *order, int32 *place);

#endif /* KANON_CLASS_ORDER_H */
