/*
 * pattern_walk.c
 *		See pattern_walk.h.
 *
 * A pattern's followers raise its last raised attribute by one, or a later one from
 * the ground.  So each pattern follows exactly one other, which costs no more,
 * and a heap of followers gives them in order.
 */
#include "postgres.h"

#include "matching/pattern_walk.h"

#include "lib/binaryheap.h"
#include "utils/memutils.h"

#define WAITING 8192 /* followers in the heap */

typedef struct Pattern
{
	double cost;
	int last; /* attribute raised last */
	uint8 level[FLEXIBLE_ARRAY_MEMBER];
} Pattern;

struct PatternWalk
{
	const Block *block;
	MemoryContext context;
	binaryheap *heap;
	Pattern *given;
};

/* The heap has its greatest on top: that of least cost. */
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

/* Beyond WAITING the follower is forgotten: it would have been a late one. */
static void
push(PatternWalk *walk, Pattern *pattern)
{
	if (walk->heap->bh_size < WAITING)
		binaryheap_add(walk->heap, PointerGetDatum(pattern));
	else
		pfree(pattern);
}

static Size
pattern_size(const PatternWalk *walk)
{
	return offsetof(Pattern, level) + walk->block->attributes;
}

PatternWalk *
pattern_walk_create(const Block *block)
{
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "kanon patterns", ALLOCSET_DEFAULT_SIZES);
	MemoryContext previous = MemoryContextSwitchTo(context);
	PatternWalk *walk = palloc0(sizeof(PatternWalk));

	walk->block = block;
	walk->context = context;
	walk->heap = binaryheap_allocate(WAITING, compare_patterns, NULL);
	push(walk, palloc0(pattern_size(walk)));
	MemoryContextSwitchTo(previous);
	return walk;
}

static void
push_raised(PatternWalk *walk, const Pattern *pattern, int attribute)
{
	const BlockAttribute *raised = &walk->block->attribute[attribute];
	int level = pattern->level[attribute];
	Pattern *follower;

	if (level == raised->height || level == PG_UINT8_MAX)
		return;
	follower = palloc(pattern_size(walk));
	memcpy(follower, pattern, pattern_size(walk));
	follower->level[attribute]++;
	follower->last = attribute;
	follower->cost += raised->average[level + 1] - raised->average[level];
	push(walk, follower);
}

const uint8 *
pattern_walk_next(PatternWalk *walk)
{
	MemoryContext previous = MemoryContextSwitchTo(walk->context);

	if (walk->given)
		pfree(walk->given);
	walk->given = NULL;
	if (!binaryheap_empty(walk->heap))
	{
		walk->given = (Pattern *) DatumGetPointer(binaryheap_remove_first(walk->heap));
		for (int i = walk->given->last; i < walk->block->attributes; i++)
			push_raised(walk, walk->given, i);
	}
	MemoryContextSwitchTo(previous);
	return walk->given ? walk->given->level : NULL;
}

void
pattern_walk_free(PatternWalk *walk)
{
	MemoryContextDelete(walk->context);
}
