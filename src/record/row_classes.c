/*
 * row_classes.c
 *		See row_classes.h.
 */
#include "postgres.h"

#include "record/row_classes.h"

struct RowClasses
{
	const int32 *class_of_row;
	RowStore *store; /* used instead if the recoding comes in pieces */
	int32 adding;    /* the class being recorded */
};

RowClasses *
row_classes_create(const Recoding *recoding, CodeTapes *tapes, Budget *budget, bool outlive)
{
	RowClasses *classes = palloc0(sizeof(RowClasses));

	classes->class_of_row = recoding->group_of_row;
	if (recoding->next)
		classes->store = row_store_create(recoding->rows, tapes, budget);
	else if (outlive)
		classes->class_of_row =
			memcpy(budget_allocate(budget, recoding->rows, sizeof(int32), "partitioning"),
				   recoding->group_of_row, sizeof(int32) * recoding->rows);
	return classes;
}

static void
put_class(void *state, int32 row, const int32 *code)
{
	RowClasses *classes = state;

	(void) code;
	row_store_put(classes->store, row, classes->adding);
}

void
row_classes_add(RowClasses *classes, const Recoding *recoding, int32 class)
{
	classes->adding = recoding->groups_before + class;
	if (classes->store)
		recoding->each_row(recoding, class, put_class, classes);
}

int32
row_classes_get(const RowClasses *classes, int64 row)
{
	if (classes->store)
		return row_store_get(classes->store, row);
	return classes->class_of_row[row];
}
