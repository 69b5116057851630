/*
 * row_sort.c
 *		See row_sort.h.
 */
#include "postgres.h"

#include "rothko/row_sort.h"

#include "base/interrupt.h"
#include "catalog/pg_operator_d.h"
#include "catalog/pg_type_d.h"
#include "executor/tuptable.h"
#include "utils/memutils.h"
#include "utils/tuplesort.h"

#define SORT_SHARE 2 /* fraction of what the budget has left */

static Tuplesortstate *
begin_sort(TupleDesc fields, const int *place, int places, const Budget *budget)
{
	AttrNumber *columns = palloc(sizeof(AttrNumber) * places);
	Oid *less = palloc(sizeof(Oid) * places);
	Oid *collations = palloc0(sizeof(Oid) * places);
	bool *nulls_first = palloc0(sizeof(bool) * places);

	for (int i = 0; i < places; i++)
	{
		columns[i] = (AttrNumber) (place[i] + 1);
		less[i] = Int4LessOperator;
	}
	return tuplesort_begin_heap(fields, places, columns, less, collations, nulls_first,
								(int) (budget_left(budget) / SORT_SHARE / 1024), NULL,
								TUPLESORT_NONE);
}

static void
put_rows(Tuplesortstate *sort, TupleTableSlot *slot, const CodedRows *rows)
{
	CodedScan scan = coded_scan_begin(rows);
	int width = rows->layout->width;
	int64 count;

	while ((count = coded_scan_next(&scan)) > 0)
		for (int64 i = 0; i < count; i++)
		{
			ExecClearTuple(slot);
			for (int at = 0; at < width; at++)
				slot->tts_values[at] = Int32GetDatum(scan.tuple[i * width + at]);
			ExecStoreVirtualTuple(slot);
			tuplesort_puttupleslot(sort, slot);
		}
}

static void
get_rows(Tuplesortstate *sort, TupleTableSlot *slot, int width, CodeTape *tape)
{
	int32 *tuple = palloc(sizeof(int32) * width);

	for (int64 row = 0; tuplesort_gettupleslot(sort, true, false, slot, NULL); row++)
	{
		interrupt_check(row);
		slot_getallattrs(slot);
		for (int at = 0; at < width; at++)
			tuple[at] = DatumGetInt32(slot->tts_values[at]);
		code_tape_append(tape, tuple);
	}
	pfree(tuple);
}

CodedRows
row_sort(const CodedRows *rows, const int *place, int places, CodeTapes *tapes,
		 const Budget *budget)
{
	int width = rows->layout->width;
	CodedRows sorted = {.layout = rows->layout, .tape = code_tape_create(tapes, width)};
	MemoryContext scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon row sort", ALLOCSET_SMALL_SIZES);
	MemoryContext previous = MemoryContextSwitchTo(scratch);
	TupleDesc fields = CreateTemplateTupleDesc(width);
	TupleTableSlot *slot;
	Tuplesortstate *sort;

	for (int i = 0; i < width; i++)
		TupleDescInitEntry(fields, (AttrNumber) (i + 1), NULL, INT4OID, -1, 0);
	sort = begin_sort(fields, place, places, budget);
	slot = MakeSingleTupleTableSlot(fields, &TTSOpsVirtual);
	put_rows(sort, slot, rows);
	code_tape_close(rows->tape);
	tuplesort_performsort(sort);
	get_rows(sort, MakeSingleTupleTableSlot(fields, &TTSOpsMinimalTuple), width, sorted.tape);
	tuplesort_end(sort);
	MemoryContextSwitchTo(previous);
	MemoryContextDelete(scratch);
	return sorted;
}
