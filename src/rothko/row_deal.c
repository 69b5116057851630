/*
 * row_deal.c
 *		See row_deal.h.
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

#include "rothko/row_deal.h"

#include "base/interrupt.h"
#include "rothko/row_sort.h"

#define PURPOSE "partitioning"

typedef void (*TupleTaker)(void *state, int64 at, const int32 *tuple);

static void
each_row(const CodedRows *rows, TupleTaker take, void *state)
{
	CodedScan scan = coded_scan_begin(rows);
	int64 at = 0;
	int64 count;

	while ((count = coded_scan_next(&scan)) > 0)
		for (int64 i = 0; i < count; i++)
			take(state, at++, scan.tuple + i * rows->layout->width);
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

static void
set_apart(void *state, int64 at, const int32 *tuple)
{
	const Deal *deal = state;
	int32 code = tuple[deal->split->attribute];
	int32 threshold = deal->split->threshold;

	(void) at;
	code_tape_append(code < threshold   ? deal->dealt.side[0]
					 : code > threshold ? deal->dealt.side[1]
										: deal->ties.tape,
					 tuple);
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

static bool
is_equal(const Deal *deal, const int32 *tuple)
{
	return memcmp(tuple, deal->boundary, sizeof(int32) * deal->layout->attributes) == 0;
}

static void
find_boundary(void *state, int64 at, const int32 *tuple)
{
	Deal *deal = state;

	if (at == deal->left)
		memcpy(deal->boundary, tuple, sizeof(int32) * deal->layout->attributes);
}

static void
count_equal(void *state, int64 at, const int32 *tuple)
{
	Deal *deal = state;

	if (!is_equal(deal, tuple))
		return;
	if (deal->equal == 0)
		deal->first = at;
	deal->equal++;
}

static void
deal_tie(void *state, int64 at, const int32 *tuple)
{
	const Deal *deal = state;
	bool left = at < deal->left;

	if (deal->equal > 0 && at >= deal->first && at < deal->first + deal->equal)
	{
		/* Evenly: of the first ties, as many as is their share. */
		int64 dealt = deal->left - deal->first;
		int64 before = at - deal->first;

		left = (before + 1) * dealt / deal->equal > before * dealt / deal->equal;
	}
	code_tape_append(deal->dealt.side[left ? 0 : 1], tuple);
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
	each_row(rows, set_apart, &deal);
	deal.left = split->first - code_tape_tuples(deal.dealt.side[0]);
	if (deal.left > 0 && deal.left < code_tape_tuples(deal.ties.tape))
	{
		sort_ties(&deal, tapes, budget);
		each_row(&deal.ties, find_boundary, &deal);
		each_row(&deal.ties, count_equal, &deal);
	}
	each_row(&deal.ties, deal_tie, &deal);
	code_tape_close(deal.ties.tape);
	pfree(deal.boundary);
	return deal.dealt;
}
