/*
 * pattern_walk.c
 *		See pattern_walk.h.
 *
 * The attributes are sorted by the cost of their first level.  A pattern has up to three
 * successors: its last raised attribute raised by one more; the next one raised, too; and, if the
 * last is raised by one, the next one raised instead.  So each pattern is the successor of exactly
 * one other, which costs no more, and a heap of successors yields them in order.  Each pattern
 * taken adds at most two to the heap.
 *
 * Example: two attributes of one level: 00, 10, then (from 10) 11 and 01.
 */
#include "postgres.h"

#include "matching/pattern_walk.h"

#include "lib/binaryheap.h"

#define PURPOSE "matching of rows"

typedef struct Pattern
{
	double cost;
	int last; /* index of the attribute raised last; -1: none */
	uint8 level[FLEXIBLE_ARRAY_MEMBER];
} Pattern;

struct PatternWalk
{
	const Block *block;
	int most;       /* patterns to return */
	int visited;    /* patterns returned */
	int attributes; /* that can be raised */
	int *attribute; /* [place]: attributes by the cost of their first level, cheapest first */
	binaryheap *heap;
	char *room;     /* memory for patterns */
	int used;       /* .. in use */
	Pattern *given; /* the last one returned */
	Pattern *spare; /* the one before */
};

static Size
pattern_size(int attributes)
{
	return MAXALIGN(offsetof(Pattern, level) + attributes);
}

/* The most patterns that exist at a time. */
static int
pattern_room(int most)
{
	return 2 * most + 2;
}

/* The heap has its greatest element on top: the least cost. */
static int
compare_patterns(Datum a, Datum b, void *unused)
{
	const Pattern *one = (const Pattern *) DatumGetPointer(a);
	const Pattern *other = (const Pattern *) DatumGetPointer(b);

	(void) unused;
	if (one->cost != other->cost)
		return one->cost < other->cost ? 1 : -1;
	return other->last - one->last;
}

static void
sort_attributes(PatternWalk *walk)
{
	const BlockAttribute *attribute = walk->block->attribute;

	for (int i = 0; i < walk->block->attributes; i++)
	{
		int at = walk->attributes;

		if (attribute[i].height == 0)
			continue;
		for (; at > 0 && attribute[walk->attribute[at - 1]].average[1] > attribute[i].average[1];
			 at--)
			walk->attribute[at] = walk->attribute[at - 1];
		walk->attribute[at] = i;
		walk->attributes++;
	}
}

/* Memory for the pattern after the next one. */
static Pattern *
take_room(PatternWalk *walk)
{
	Pattern *taken = walk->spare;

	walk->spare = NULL;
	if (taken == NULL)
		taken = (Pattern *) (walk->room + walk->used++ * pattern_size(walk->block->attributes));
	return taken;
}

PatternWalk *
pattern_walk_create(const Block *block, int most)
{
	PatternWalk *walk = palloc0(sizeof(PatternWalk));
	Pattern *ground;

	walk->block = block;
	walk->most = most;
	walk->attribute = palloc(sizeof(int) * Max(block->attributes, 1));
	sort_attributes(walk);
	walk->heap = binaryheap_allocate(pattern_room(most), compare_patterns, NULL);
	walk->room = budget_allocate(block->budget, pattern_room(most), pattern_size(block->attributes),
								 PURPOSE);
	ground = take_room(walk);
	ground->last = -1;
	binaryheap_add(walk->heap, PointerGetDatum(ground));
	return walk;
}

static double
raise_cost(const PatternWalk *walk, int place, int level)
{
	const double *average = walk->block->attribute[walk->attribute[place]].average;

	return average[level + 1] - average[level];
}

/*
 * Pushes the current pattern with the attribute at a place raised by one; "moved": and the one
 * before it lowered.
 */
static void
push_raised(PatternWalk *walk, int place, bool moved)
{
	Pattern *follower;
	int level;

	if (place >= walk->attributes)
		return;
	level = walk->given->level[walk->attribute[place]];
	if (level == walk->block->attribute[walk->attribute[place]].height || level == PG_UINT8_MAX)
		return;
	follower = take_room(walk);
	memcpy(follower, walk->given, pattern_size(walk->block->attributes));
	follower->level[walk->attribute[place]]++;
	follower->cost += raise_cost(walk, place, level);
	follower->last = place;
	if (moved)
	{
		follower->level[walk->attribute[place - 1]] = 0;
		follower->cost -= raise_cost(walk, place - 1, 0);
	}
	binaryheap_add(walk->heap, PointerGetDatum(follower));
}

const uint8 *
pattern_walk_next(PatternWalk *walk)
{
	int last;

	if (walk->visited == walk->most || binaryheap_empty(walk->heap))
		return NULL;
	walk->visited++;
	walk->spare = walk->given;
	walk->given = (Pattern *) DatumGetPointer(binaryheap_remove_first(walk->heap));
	last = walk->given->last;
	push_raised(walk, last + 1, false);
	if (last >= 0)
	{
		push_raised(walk, last, false);
		if (walk->given->level[walk->attribute[last]] == 1)
			push_raised(walk, last + 1, true);
	}
	return walk->given->level;
}

void
pattern_walk_free(PatternWalk *walk)
{
	binaryheap_free(walk->heap);
	pfree(walk->room);
	pfree(walk->attribute);
	pfree(walk);
}
