/*
 * local_classes.h
 *		The classes of a region: which tuples they have, what they cost, and which rows are left
 *		out.
 */
#ifndef KANON_LOCAL_CLASSES_H
#define KANON_LOCAL_CLASSES_H

#include "postgres.h"

#include "local/local_table.h"

#define LOCAL_LEFT_OUT (-1)

typedef struct LocalClasses
{
	const LocalTable *table;
	int32 *class_of; /* [tuple]: from 0, or LOCAL_LEFT_OUT */
	int32 count;
} LocalClasses;

/* The same, class by class. */
typedef struct LocalClassList
{
	int32 *tuple; /* ascending in each class; those left out are missing */
	int32 *begin; /* [class]: place of its first */
	int32 *size;  /* [class]: tuples */
	int32 *low;   /* [class * attributes + attribute]: codes of its region */
	int32 *high;
	int64 *rows; /* [class] */
	int64 *cost; /* [class]: of the cells of one of its rows */
} LocalClassList;

/* Palloc'd, against the table's budget.  O(tuples). */
extern LocalClassList local_classes_list(const LocalClasses *classes);
extern void local_class_list_free(LocalClassList *list);

/* Numbers the classes anew, without gaps, in the order of their first tuples. */
extern void local_classes_number(LocalClasses *classes);

/* What all rows cost that are not left out. */
extern int64 local_classes_cost(const LocalClasses *classes);

/* The least number of distinct people in a class; 0 without people. */
extern int64 local_classes_people(const LocalClasses *classes);

/* Makes classes with the same cells one, in the order of these cells.  Were there any? */
extern bool local_classes_merge(LocalClasses *classes);

/*
 * Leaves out at most so many rows: time and again those that save most for each row, as long as the
 * others save more than these lose, which is everything.  They are a tuple, or in one attribute all
 * of a class but the rows of its most frequent label, or all above or below a value; what remains
 * of the class satisfies.  The first such class on a tie.
 */
extern void local_classes_leave_out(LocalClasses *classes, int64 rows);

#endif /* KANON_LOCAL_CLASSES_H */
