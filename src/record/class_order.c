/*
 * class_order.c
 *		See class_order.h.
 *
 * A tuple is (key, rows, cell, .., class).
 */
#include "postgres.h"

#include "record/class_order.h"

#include "access/htup_details.h"
#include "base/interrupt.h"
#include "catalog/pg_type.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "sql/comparison.h"
#include "sql/tuple_spool.h"
#include "utils/builtins.h"
#include "utils/tuplesort.h"

#define PURPOSE "order of classes"
#define SHARE 4 /* of what is left of the memory limit, for places: rows need some, too */
#define LEAST_PLACES 1024

struct ClassOrder
{
	TupleDesc tuple;
	Tuplesortstate *sorted;
	TupleTableSlot *coming;
	TupleTableSlot *slot; /* of the class read last, .. */
	int32 place;          /* .. its place, 0: none, .. */
	StringInfoData key;   /* .. and its key */
	int32 classes;
};

static TupleDesc
describe_tuple(TupleDesc cells)
{
	TupleDesc tuple = CreateTemplateTupleDesc(CLASS_ORDER_CELLS + cells->natts + 1);

	TupleDescInitEntry(tuple, CLASS_ORDER_KEY + 1, "key", BYTEAOID, -1, 0);
	TupleDescInitEntry(tuple, CLASS_ORDER_ROWS + 1, "rows", INT4OID, -1, 0);
	for (int i = 0; i < cells->natts; i++)
		TupleDescCopyEntry(tuple, (AttrNumber) (CLASS_ORDER_CELLS + i + 1), cells,
						   (AttrNumber) (i + 1));
	TupleDescInitEntry(tuple, (AttrNumber) tuple->natts, "class", INT4OID, -1, 0);
	return tuple;
}

static void
end_sort(void *sort)
{
	tuplesort_end(sort);
}

ClassOrder *
class_order_create(TupleDesc cells)
{
	ClassOrder *order = palloc0(sizeof(ClassOrder));
	AttrNumber key = CLASS_ORDER_KEY + 1;
	Oid less = comparison_less(BYTEAOID);
	Oid collation = InvalidOid;
	bool nulls_first = false;

	order->tuple = describe_tuple(cells);
	order->coming = MakeSingleTupleTableSlot(order->tuple, &TTSOpsVirtual);
	order->slot = MakeSingleTupleTableSlot(order->tuple, &TTSOpsMinimalTuple);
	initStringInfo(&order->key);
	order->sorted = tuplesort_begin_heap(order->tuple, 1, &key, &less, &collation, &nulls_first,
										 work_mem, NULL, TUPLESORT_RANDOMACCESS);
	tuple_spool_watch(end_sort, order->sorted);
	return order;
}

void
class_order_put(ClassOrder *order, const Datum *values, const bool *nulls)
{
	TupleTableSlot *coming = ExecClearTuple(order->coming);
	int last = order->tuple->natts - 1;

	CHECK_FOR_INTERRUPTS();
	memcpy(coming->tts_values, values, sizeof(Datum) * last);
	memcpy(coming->tts_isnull, nulls, sizeof(bool) * last);
	coming->tts_values[last] = Int32GetDatum(++order->classes);
	coming->tts_isnull[last] = false;
	tuplesort_puttupleslot(order->sorted, ExecStoreVirtualTuple(coming));
}

static void
rewind_classes(ClassOrder *order)
{
	tuplesort_rescan(order->sorted);
	order->place = 0;
}

/* Finds the places of "count" classes from the first on. */
static void
find_places(ClassOrder *order, int32 first, int32 count, int32 *place)
{
	TupleTableSlot *slot;
	int32 at;

	while ((slot = class_order_next(order, &at)) != NULL)
	{
		int last = order->tuple->natts;
		bool isnull;
		int64 class = DatumGetInt32(slot_getattr(slot, last, &isnull));

		CHECK_FOR_INTERRUPTS();
		if (class >= first && class - first < count)
			place[class - first] = at;
	}
	rewind_classes(order);
}

/* Gives them to some classes after the other. */
static void
rename_classes(ClassOrder *order, RowClasses *classes, int32 most, const Budget *budget)
{
	int32 *place = budget_allocate(budget, most, sizeof(int32), PURPOSE);

	for (int64 first = 1; first <= order->classes; first += most)
	{
		int32 count = (int32) Min(most, order->classes - first + 1);

		find_places(order, (int32) first, count, place);
		row_classes_rename(classes, (int32) first, count, place);
	}
	row_classes_renamed(classes);
	pfree(place);
}

void
class_order_run(ClassOrder *order, RowClasses *classes, const Budget *budget)
{
	int64 fit = Max((int64) (budget_left(budget) / SHARE / sizeof(int32)), LEAST_PLACES);

	tuplesort_performsort(order->sorted);
	if (classes && order->classes <= fit)
		find_places(order, 1, order->classes, row_classes_numbers(classes, order->classes, budget));
	else if (classes)
		rename_classes(order, classes, (int32) fit, budget);
}

TupleTableSlot *
class_order_next(ClassOrder *order, int32 *place)
{
	TupleTableSlot *slot = order->slot;
	const char *key;
	int length;
	bool isnull;

	if (!tuplesort_gettupleslot(order->sorted, true, false, slot, NULL))
		return NULL;
	key = DatumGetPointer(slot_getattr(slot, CLASS_ORDER_KEY + 1, &isnull));
	length = (int) VARSIZE_ANY_EXHDR(key);
	if (order->place == 0 || length != order->key.len ||
		memcmp(VARDATA_ANY(key), order->key.data, length) != 0)
	{
		resetStringInfo(&order->key);
		appendBinaryStringInfo(&order->key, VARDATA_ANY(key), length);
		order->place++;
	}
	*place = order->place;
	return slot;
}
