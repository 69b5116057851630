/*
 * class_sort.h
 *		Sorts tuples by class and, within a class, by their contents.
 *
 * The fields are keys in order, sorted like ORDER BY, followed by the spellings of fields whose
 * equal values may differ (sql/comparison.h).  So the result does not depend on the order in which
 * the tuples came.
 */
#ifndef KANON_CLASS_SORT_H
#define KANON_CLASS_SORT_H

#include "postgres.h"

#include "data/row_classes.h"
#include "relation/description.h"
#include "sql/tuple_spool.h"

typedef struct ClassSort ClassSort;

/*
 * An empty sort of the fields of records that stand beside their cells, in the current context.
 * Like the executor's sorts, it takes work_mem and temporary files.
 */
extern ClassSort *class_sort_create(const Description *description);

/* Puts the tuple of the next row, whose record has these values, [number of the field - 1]. */
extern void class_sort_put(ClassSort *sort, const Datum *values, const bool *nulls);

/* Sorts the tuples of all rows that have a class, once their classes are known. */
extern void class_sort_run(ClassSort *sort, const RowClasses *classes);

/* Then the next tuple, (class, field, ..), in a slot of its own; NULL after the last. */
extern TupleTableSlot *class_sort_next(ClassSort *sort);

#endif /* KANON_CLASS_SORT_H */
