/*
 * row_deal.c
 *		See coded_rows.h.
 *
 * Rows below the threshold go left, rows above go right, and the rows in between are sorted.  The
 * boundary lies among rows that are equal in all attributes: those before them go left, those after
 * them right, and they are dealt evenly.
 *
 * Example: (age, zip) (25, 2), (26, 3), (26, 1), (26, 1), cut by age in two and two. 26 is the
 * threshold, so one of three goes left.  Sorted, (26, 1) is first and equal to the second.  Of
 * these two, one is dealt to each side: the one with the higher number goes left.
 */
#include "postgres.h"

#include "rothko/coded_rows.h"

#include "base/context.h"
#include "base/interrupt.h"
#include "catalog/pg_operator_d.h"
#include "catalog/pg_type_d.h"
#include "executor/tuptable.h"
#include "utils/memutils.h"
#include "utils/tuplesort.h"

#define PURPOSE "partitioning"
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
	const int32 *tuple;

	while ((tuple = coded_scan_next(&scan)) != NULL)
	{
		ExecClearTuple(slot);
		for (int at = 0; at < rows->layout->width; at++)
			slot->tts_values[at] = Int32GetDatum(tuple[at]);
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
		AllocSetContextCreate(CurrentMemoryContext, "kanon row sort", CONTEXT_SMALL_SIZES);
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

typedef struct Deal
{
	const RowLayout *layout;
	const Split *split;
	DealtRows dealt;
	CodedRows ties;
	int64 left;      /* rows of ties that go left */
	int32 *boundary; /* the tuple right behind them */
	int64 first;     /* index of the first tie equal to it, and their number */
	int64 equal;
} Deal;

/* Writes rows below and above the threshold to their sides, the others to the ties. */
static void
set_apart(const Deal *deal, const CodedRows *rows)
{
	CodedScan scan = coded_scan_begin(rows);
	int32 threshold = deal->split->threshold;
	const int32 *tuple;

	while ((tuple = coded_scan_next(&scan)) != NULL)
	{
		int32 code = tuple[deal->split->attribute];

		code_tape_append(code < threshold   ? deal->dealt.side[0]
						 : code > threshold ? deal->dealt.side[1]
											: deal->ties.tape,
						 tuple);
	}
}

/* Sorts by the attributes, what models look at, and the numbers. */
static void
sort_ties(Deal *deal, CodeTapes *tapes, const Budget *budget)
{
	const RowLayout *layout = deal->layout;
	int *place = palloc(sizeof(int) * layout->width);
	int places = 0;

	for (int i = 0; i < layout->width; i++)
		if (i != deal->split->attribute && i != layout->attributes)
			place[places++] = i;
	place[places++] = layout->attributes;
	deal->ties = row_sort(&deal->ties, place, places, tapes, budget);
	pfree(place);
}

/* Finds the boundary among the sorted ties, and those equal to it. */
static void
find_boundary(Deal *deal)
{
	Size bytes = sizeof(int32) * deal->layout->attributes;
	CodedScan scan = coded_scan_begin(&deal->ties);
	const int32 *tuple;

	for (int64 at = 0; (tuple = coded_scan_next(&scan)) != NULL; at++)
		if (at == deal->left)
			memcpy(deal->boundary, tuple, bytes);
	scan = coded_scan_begin(&deal->ties);
	for (int64 at = 0; (tuple = coded_scan_next(&scan)) != NULL; at++)
		if (memcmp(tuple, deal->boundary, bytes) == 0 && deal->equal++ == 0)
			deal->first = at;
}

static void
deal_ties(const Deal *deal)
{
	CodedScan scan = coded_scan_begin(&deal->ties);
	const int32 *tuple;

	for (int64 at = 0; (tuple = coded_scan_next(&scan)) != NULL; at++)
	{
		int64 before = at - deal->first;
		bool left = at < deal->left;

		if (before >= 0 && before < deal->equal)
		{
			/* Evenly: of the first ties, as many as is their share. */
			int64 dealt = deal->left - deal->first;

			left = (before + 1) * dealt / deal->equal > before * dealt / deal->equal;
		}
		code_tape_append(deal->dealt.side[left ? 0 : 1], tuple);
	}
}

static CodeTape *
open_tape(CodeTapes *tapes, int width, const Budget *budget)
{
	budget_check(budget, CODE_TAPE_BYTES, PURPOSE);
	return code_tape_create(tapes, width);
}

DealtRows
row_deal(const CodedRows *rows, const Split *split, CodeTapes *tapes, const Budget *budget)
{
	const RowLayout *layout = rows->layout;
	Deal deal = {.layout = layout,
				 .split = split,
				 .ties = {.layout = layout, .tape = open_tape(tapes, layout->width, budget)},
				 .boundary = palloc(sizeof(int32) * layout->attributes)};

	for (int side = 0; side < 2; side++)
		deal.dealt.side[side] = open_tape(tapes, layout->width, budget);
	set_apart(&deal, rows);
	deal.left = split->first - code_tape_tuples(deal.dealt.side[0]);
	if (deal.left > 0 && deal.left < code_tape_tuples(deal.ties.tape))
	{
		sort_ties(&deal, tapes, budget);
		find_boundary(&deal);
	}
	deal_ties(&deal);
	code_tape_close(deal.ties.tape);
	pfree(deal.boundary);
	return deal.dealt;
}
