/*
 * class_sort.h
 *		Tuples in the order of their classes, those of a class by what they hold.
 *
 * Fields are keys in their order, as ORDER BY sorts them, and then the spellings of those whose
 * values may be equal and yet differ (sql/comparison.h): so nothing is left to the order in which
 * the tuples came.
 */
#ifndef KANON_CLASS_SORT_H
#define KANON_CLASS_SORT_H

#include "postgres.h"

#include "data/recoding.h"
#include "record/row_classes.h"
#include "sql/tuple_spool.h"

typedef struct ClassSort ClassSort;
typedef struct SortedTuples SortedTuples;

/*
 * No tuple yet, of these fields; in the current context.  As what the executor sorts, tuples take
 * work_mem, and temporary files.
 */
extern ClassSort *class_sort_create(TupleDesc fields);

/* Of the next row. */
extern void class_sort_put(ClassSort *sort, const Datum *values, const bool *nulls);

/* The tuples of all rows, in order, once their classes are known; where the sort was created. */
extern SortedTuples *class_sort_end(ClassSort *sort, const RowClasses *classes);

/* The next one, (class, field, ..), in a slot that is theirs; NULL behind the last one. */
extern TupleTableSlot *class_sort_next(SortedTuples *tuples);

#endif /* KANON_CLASS_SORT_H */
