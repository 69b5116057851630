/*
 * ring.c
 *		See ring.h.
 *
 * The sorted rows are cut where two neighbours have least in common, that is,
 * where they differ in the earliest attribute; of such places the one nearest to
 * the middle.  So each part is cut before rows that have more in common are parted,
 * and stays large enough.
 *
 * Example: k = 2 and the rows a1 a1 a2 b1 b1.  They are cut between a2 and b1: the
 * ring of a1 a1 a2 has the records a1, a*, a*, that of b1 b1 has b1, b1.
 */
#include "postgres.h"

#include "matching/ring.h"

#include "base/interrupt.h"

#define PURPOSE "matching of rows"

typedef struct Ring
{
	int k;
	const int32 *order; /* rows so that neighbours are alike */
	const int *sorted;  /* the attributes in that order */
	int16 *alike;       /* [place]: attributes that it has in common with the place before it */
	Matching *matching;
} Ring;

static int16
count_alike(const Ring *ring, const CellRows *rows, int64 place)
{
	const int32 *before = cell_rows_codes(rows, ring->order[place - 1]);
	const int32 *at = cell_rows_codes(rows, ring->order[place]);
	int alike = 0;

	while (alike < rows->attributes && before[ring->sorted[alike]] == at[ring->sorted[alike]])
		alike++;
	return (int16) alike;
}

/* Each record covers itself and the next ones around. */
static void
close_ring(Ring *ring, int64 begin, int64 end)
{
	for (int64 place = begin; place < end; place++)
	{
		int32 *covered = matching_covered(ring->matching, ring->order[place]);
		int64 next = place;

		for (int i = 0; i < ring->k; i++)
		{
			interrupt_check(place * ring->k + i);
			covered[i] = ring->order[next];
			if (++next == end)
				next = begin;
		}
	}
}

/* The first place of the second part. */
static int64
best_cut(const Ring *ring, int64 begin, int64 end)
{
	int64 best = begin + ring->k;

	for (int64 place = begin + ring->k; place <= end - ring->k; place++)
	{
		interrupt_check(place);
		if (ring->alike[place] < ring->alike[best] ||
			(ring->alike[place] == ring->alike[best] &&
			 Abs(2 * place - begin - end) < Abs(2 * best - begin - end)))
			best = place;
	}
	return best;
}

/* The larger part is not recursed into, so the stack stays low. */
static void
cut(Ring *ring, int64 begin, int64 end)
{
	while (end - begin >= 2 * (int64) ring->k)
	{
		int64 middle = best_cut(ring, begin, end);

		CHECK_FOR_INTERRUPTS();
		if (middle - begin < end - middle)
		{
			cut(ring, begin, middle);
			begin = middle;
		}
		else
		{
			cut(ring, middle, end);
			end = middle;
		}
	}
	close_ring(ring, begin, end);
}

Matching *
ring_run(const CellRows *rows, int k)
{
	Ring ring = {.k = k, .matching = matching_create(rows->rows, k, rows->budget)};
	int32 *order = cell_rows_order(rows);
	int *sorted = cell_rows_by_cardinality(rows);
	Size bytes = mul_size(sizeof(int16), Max(rows->rows, 1));

	budget_take(rows->budget, bytes, PURPOSE);
	ring.alike = palloc_extended(bytes, MCXT_ALLOC_HUGE);
	ring.order = order;
	ring.sorted = sorted;
	for (int64 place = 1; place < rows->rows; place++)
	{
		interrupt_check(place);
		ring.alike[place] = count_alike(&ring, rows, place);
	}
	cut(&ring, 0, rows->rows);
	budget_give(rows->budget, add_size(bytes, mul_size(sizeof(int32), Max(rows->rows, 1))));
	pfree(ring.alike);
	pfree(order);
	pfree(sorted);
	return ring.matching;
}
