/*
 * ring.c
 *		See ring.h.
 *
 * The rows are cut where two neighbours have least in common; among such places, where the two
 * would lose most in one record; among these, nearest to the middle.  So rows that agree in more
 * attributes are separated later, when no others are left.
 *
 * Example: k = 2 and the rows a1 a1 a2 b1 b1.  They are cut between a2 and b1: the ring of a1 a1 a2
 * has the records a1, a*, a*, that of b1 b1 has b1, b1.
 */
#include "postgres.h"

#include "matching/ring.h"

#include "base/interrupt.h"
#include "matching/ring_order.h"

typedef struct Ring
{
	int k;
	const RingOrder *order;
	Matching *matching;
	int64 rounds; /* for interrupt checks */
} Ring;

/* Each record covers itself and the next ones around the ring. */
static void
close_ring(Ring *ring, int64 begin, int64 end)
{
	const int32 *row = ring->order->row;

	for (int64 place = begin; place < end; place++)
	{
		int32 *covered = matching_covered(ring->matching, row[place]);
		int64 next = place;

		for (int i = 0; i < ring->k; i++)
		{
			interrupt_check(ring->rounds++);
			covered[i] = row[next];
			if (++next == end)
				next = begin;
		}
	}
}

/* Is it better to cut before this place than before the other? */
static bool
is_better(const Ring *ring, int64 place, int64 other, int64 twice_middle)
{
	const RingBorder *one = &ring->order->border[place];
	const RingBorder *two = &ring->order->border[other];

	if (one->alike != two->alike)
		return one->alike < two->alike;
	if (one->loss != two->loss)
		return one->loss > two->loss;
	return llabs(2 * place - twice_middle) < llabs(2 * other - twice_middle);
}

static int64
best_cut(Ring *ring, int64 begin, int64 end)
{
	int64 best = begin + ring->k;

	for (int64 place = best + 1; place <= end - ring->k; place++)
	{
		interrupt_check(ring->rounds++);
		if (is_better(ring, place, best, begin + end))
			best = place;
	}
	return best;
}

/* Recurses into the smaller part and loops over the larger one, so that the stack stays low. */
static void
cut(Ring *ring, int64 begin, int64 end)
{
	while (end - begin >= 2 * (int64) ring->k)
	{
		int64 place = best_cut(ring, begin, end);

		if (place - begin < end - place)
		{
			cut(ring, begin, place);
			begin = place;
		}
		else
		{
			cut(ring, place, end);
			end = place;
		}
	}
	close_ring(ring, begin, end);
}

Matching *
ring_run(const MatchingTable *rows, int k)
{
	RingOrder *order = ring_order_create(rows, k);
	Ring ring = {
		.k = k, .order = order, .matching = matching_create(rows->dataset->rows, k, rows->budget)};

	cut(&ring, 0, rows->dataset->rows);
	ring_order_free(order);
	return ring.matching;
}
