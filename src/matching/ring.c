/*
 * ring.c
 *		Ring generalization; see matching.h.
 *
 * The rows of a class are cut where two neighbours have least in common; among such places, where
 * the two would lose most in one record; among these, nearest to the middle.  So rows that agree in
 * more attributes are separated later, when no others are left.
 *
 * Example: k = 2 and the rows a1 a1 a2 b1 b1.  They are cut between a2 and b1: the ring of a1 a1 a2
 * has the records a1, a*, a*, that of b1 b1 has b1, b1.
 */
#include "postgres.h"

#include "matching/matching.h"

#include <math.h>

#include "base/interrupt.h"

/*
 * ---- The order of the rows.
 *
 * Rows that agree in some attributes are sorted by another one, those that agree in this one, too,
 * by a further one, and so on: a lexicographic order in which each part chooses its own attributes.
 * Rows separated early should lose little.  If n rows are divided into parts of c rows, those with
 * at least k rows keep the attribute and can be divided further, the others cannot.  So the cost of
 * an attribute is
 *
 *	n log n - sum of c log c over the parts with c >= k
 *
 * bits, for its units, and the cheapest is taken.  An attribute in which all rows agree costs
 * nothing.  If the rows are too few for two rings, all c count, because the order within a ring
 * matters, too.
 *
 * Example: k = 2 and the rows a1 b1 a1 b2 a2 b3.  Letters (two parts of 3) cost 6 log 6 - 6 log 3 =
 * 6, numbers (3, 2, 1) cost 15.5 - 4.8 - 2 = 8.8: a1 a1 a2 | b1 b2 b3.
 */

/* The border between a place and the one before it; the first place has none. */
typedef struct RingBorder
{
	int32 alike; /* number of attributes that the part was sorted by when the two were separated */
	int32 loss;  /* units of the attribute that separates them, if one cell covers both */
} RingBorder;

#define PURPOSE "matching of rows"

typedef struct Ring
{
	const MatchingTable *rows;
	int k;
	int32 *row;         /* [place] */
	RingBorder *border; /* [place] */
	Matching *matching;
	/* For sorting: */
	int *attribute;  /* those by which the part is sorted, then the others */
	int32 *other;    /* [place]: scratch space for sorting */
	int32 *next;     /* [code]: counts, then places; 0 between calls */
	int32 *value;    /* codes that occur */
	int32 occurring; /* .. their number */
	int64 rounds;    /* for interrupt checks */
} Ring;

static inline int32
code_at(const Ring *ring, int64 place, int attribute)
{
	return dataset_record(ring->rows->dataset, ring->row[place])[attribute];
}

static void
count_values(Ring *ring, int64 begin, int64 end, int attribute)
{
	ring->occurring = 0;
	for (int64 place = begin; place < end; place++)
	{
		int32 value = code_at(ring, place, attribute);

		interrupt_check(ring->rounds++);
		if (ring->next[value]++ == 0)
			ring->value[ring->occurring++] = value;
	}
}

static inline double
bits(double count)
{
	return count * log2(count);
}

/* The cost of sorting the part by an attribute; leaves the counts at 0. */
static double
cost_of(Ring *ring, int64 begin, int64 end, int attribute)
{
	const CellTree *tree = &ring->rows->tree[attribute];
	int least = end - begin < 2 * (int64) ring->k ? 1 : ring->k;
	int32 units = Max(tree->loss[tree->nodes - 1], 1);
	double cost = bits((double) (end - begin));

	count_values(ring, begin, end, attribute);
	if (ring->occurring == 1)
		cost = 0;
	for (int32 i = 0; i < ring->occurring; i++)
	{
		int32 *count = &ring->next[ring->value[i]];

		if (ring->occurring > 1 && *count >= least)
			cost -= bits(*count);
		*count = 0;
	}
	return cost / units;
}

/* Moves the cheapest attribute behind those by which the part is sorted; returns its cost. */
static double
choose_attribute(Ring *ring, int64 begin, int64 end, int sorted)
{
	int *attribute = ring->attribute;
	double least = 0;
	int best = -1;
	int chosen;

	for (int i = sorted; i < ring->rows->dataset->attributes && (best < 0 || least > 0); i++)
	{
		double cost = cost_of(ring, begin, end, attribute[i]);

		if (best < 0 || cost < least)
		{
			least = cost;
			best = i;
		}
	}
	chosen = attribute[best];
	attribute[best] = attribute[sorted];
	attribute[sorted] = chosen;
	return least;
}

/* Unsigned, so that NULL is last, as in dataset_sort. */
static int
compare_values(const void *a, const void *b)
{
	uint32 x = *(const uint32 *) a;
	uint32 y = *(const uint32 *) b;

	return x < y ? -1 : x > y;
}

/* Sorts a part by an attribute; stable. */
static void
sort_part(Ring *ring, int64 begin, int64 end, int attribute)
{
	int32 *row = ring->row;
	int32 before = 0;

	count_values(ring, begin, end, attribute);
	qsort(ring->value, ring->occurring, sizeof(int32), compare_values);
	for (int32 i = 0; i < ring->occurring; i++)
	{
		int32 count = ring->next[ring->value[i]];

		ring->next[ring->value[i]] = before;
		before += count;
	}
	for (int64 place = begin; place < end; place++)
	{
		interrupt_check(ring->rounds++);
		ring->other[begin + ring->next[code_at(ring, place, attribute)]++] = row[place];
	}
	memcpy(row + begin, ring->other + begin, sizeof(int32) * (end - begin));
	for (int32 i = 0; i < ring->occurring; i++)
		ring->next[ring->value[i]] = 0;
}

/*
 * Sorts rows that agree in "alike" attributes.  Parts with at least k rows in common stay together
 * as long as possible.
 */
static void
sort_rows(Ring *ring, int64 begin, int64 end, int alike)
{
	int attribute;
	int64 from = begin;

	while (alike < ring->rows->dataset->attributes &&
		   choose_attribute(ring, begin, end, alike) == 0)
		alike++;
	if (alike == ring->rows->dataset->attributes)
		return;
	attribute = ring->attribute[alike];
	sort_part(ring, begin, end, attribute);
	for (int64 place = begin + 1; place <= end; place++)
	{
		const CellTree *tree = &ring->rows->tree[attribute];
		int32 one = code_at(ring, place - 1, attribute);
		int32 other = place < end ? code_at(ring, place, attribute) : one;

		interrupt_check(ring->rounds++);
		if (one == other && place < end)
			continue;
		if (place < end)
			ring->border[place] =
				(RingBorder){.alike = alike, .loss = tree->loss[cell_tree_join(tree, one, other)]};
		if (place - from > 1)
			sort_rows(ring, from, place, alike + 1);
		from = place;
	}
}

/* Each record covers itself and the next ones around the ring. */
static void
close_ring(Ring *ring, int64 begin, int64 end)
{
	const int32 *row = ring->row;

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
	const RingBorder *one = &ring->border[place];
	const RingBorder *two = &ring->border[other];

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
	Dataset *dataset = rows->dataset;
	Budget *budget = rows->budget;
	Ring ring = {.rows = rows, .k = k};
	int32 most = 0; /* most codes of an attribute, NULL's included */

	ring.border = budget_allocate(budget, dataset->rows, sizeof(RingBorder), PURPOSE);
	ring.row = budget_allocate(budget, dataset->rows, sizeof(int32), PURPOSE);
	for (int64 place = 0; place < dataset->rows; place++)
	{
		interrupt_check(place);
		ring.border[place].alike = dataset->attributes;
		ring.row[place] = (int32) place;
	}
	ring.attribute = dataset_by_cardinality(dataset);
	for (int i = 0; i < dataset->attributes; i++)
		most = Max(most, rows->tree[i].values + 1);
	ring.other = budget_allocate(budget, dataset->rows, sizeof(int32), PURPOSE);
	ring.next = budget_allocate(budget, most, sizeof(int32), PURPOSE);
	ring.next -= DATASET_NULL;
	ring.value = budget_allocate(budget, most, sizeof(int32), PURPOSE);
	for (int32 class = 0; class < Max(rows->classes, 1); class ++)
	{
		int64 begin = class > 0 ? rows->class_end[class - 1] : 0;

		sort_rows(&ring, begin, rows->class_end ? rows->class_end[class] : dataset->rows, 0);
	}
	pfree(ring.other);
	pfree(ring.next + DATASET_NULL);
	pfree(ring.value);
	pfree(ring.attribute);
	ring.matching = matching_create(dataset->rows, k, budget);
	for (int32 class = 0; class < Max(rows->classes, 1); class ++)
	{
		int64 begin = class > 0 ? rows->class_end[class - 1] : 0;

		cut(&ring, begin, rows->class_end ? rows->class_end[class] : dataset->rows);
	}
	pfree(ring.border);
	pfree(ring.row);
	return ring.matching;
}
