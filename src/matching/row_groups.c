/*
 * row_groups.c
 *		See row_groups.h.
 *
 * The key of a row is a sum of 64 random bits for each node, so raising an attribute changes one
 * summand.  Rows are sorted by 22 bits of it (16 if they are few), and groups are adjacent rows
 * with equal keys.  Two groups with the same bits may be split into pieces; that costs candidates,
 * nothing else.
 */
#include "postgres.h"

#include "matching/row_groups.h"

#include "base/context.h"
#include "lib/binaryheap.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#define PURPOSE "matching of rows"
#define DIGIT_BITS 11
#define FEW_BITS 8
#define FEW 1024
#define DIGITS 2
#define DIGIT_VALUES (1 << DIGIT_BITS)

RowGroups *
row_groups_create(const Block *block)
{
	RowGroups *groups = palloc0(sizeof(RowGroups));
	Budget *budget = block->budget;

	groups->block = block;
	groups->row = budget_allocate(budget, block->count, sizeof(int32), PURPOSE);
	groups->place = budget_allocate(budget, block->count, sizeof(int32), PURPOSE);
	groups->begin = budget_allocate(budget, block->count, sizeof(int32), PURPOSE);
	groups->end = budget_allocate(budget, block->count, sizeof(int32), PURPOSE);
	groups->key = budget_allocate(budget, block->count, sizeof(uint64), PURPOSE);
	groups->other_key = budget_allocate(budget, block->count, sizeof(uint64), PURPOSE);
	groups->other_row = budget_allocate(budget, block->count, sizeof(int32), PURPOSE);
	return groups;
}

void
row_groups_order(RowGroups *groups, const int32 *order)
{
	const Block *block = groups->block;
	Size cells = mul_size(block->count, block->attributes);

	if (groups->order == NULL)
	{
		groups->order = budget_allocate(block->budget, block->count, sizeof(int32), PURPOSE);
		groups->ground = budget_allocate(block->budget, block->count, sizeof(uint64), PURPOSE);
		groups->column = budget_allocate(block->budget, cells, sizeof(int32), PURPOSE);
	}
	for (int32 i = 0; i < block->count; i++)
	{
		int32 row = order ? order[i] : i;
		const int32 *code = block->code + (int64) row * block->attributes;

		CHECK_FOR_INTERRUPTS();
		groups->order[i] = row;
		groups->ground[i] = 0;
		for (int a = 0; a < block->attributes; a++)
		{
			groups->ground[i] += block->attribute[a].hash[code[a]];
			groups->column[(int64) a * block->count + i] = code[a];
		}
	}
}

/* Sorts by one digit of the keys into the other arrays and swaps them. */
static void
sort_by_digit(RowGroups *groups, int digit)
{
	int32 next[DIGIT_VALUES];
	int32 count = groups->block->count;
	int bits = count > FEW ? DIGIT_BITS : FEW_BITS;
	int values = 1 << bits;
	int shift = digit * bits;
	uint64 *key = groups->key;
	int32 *row = groups->row;
	int32 before = 0;

	memset(next, 0, sizeof(int32) * values);
	for (int32 at = 0; at < count; at++)
		next[(key[at] >> shift) & (values - 1)]++;
	for (int value = 0; value < values; value++)
	{
		int32 here = next[value];

		next[value] = before;
		before += here;
	}
	for (int32 at = 0; at < count; at++)
	{
		int32 place = next[(key[at] >> shift) & (values - 1)]++;

		groups->other_key[place] = key[at];
		groups->other_row[place] = row[at];
	}
	groups->key = groups->other_key;
	groups->row = groups->other_row;
	groups->other_key = key;
	groups->other_row = row;
}

/* Forms groups from rows and keys in any order. */
static void
form(RowGroups *groups)
{
	int32 count = groups->block->count;
	int32 end;

	CHECK_FOR_INTERRUPTS();
	for (int digit = 0; digit < DIGITS; digit++)
		sort_by_digit(groups, digit);
	for (int32 begin = 0; begin < count; begin = end)
	{
		for (end = begin + 1; end < count && groups->key[end] == groups->key[begin]; end++)
			;
		for (int32 at = begin; at < end; at++)
		{
			groups->place[groups->row[at]] = at;
			groups->begin[at] = begin;
			groups->end[at] = end;
		}
	}
}

void
row_groups_form_by_key(RowGroups *groups)
{
	for (int32 row = 0; row < groups->block->count; row++)
		groups->row[row] = row;
	form(groups);
}

void
row_groups_form(RowGroups *groups, const uint8 *level)
{
	int32 count = groups->block->count;

	memcpy(groups->row, groups->order, sizeof(int32) * count);
	memcpy(groups->key, groups->ground, sizeof(uint64) * count);
	for (int a = 0; a < groups->block->attributes; a++)
	{
		const BlockAttribute *attribute = &groups->block->attribute[a];
		const int32 *column = groups->column + (int64) a * count;
		const uint64 *added = attribute->hash + (int64) Min(level[a], attribute->height) *
													(attribute->tree->values + 1);

		if (level[a] == 0)
			continue;
		CHECK_FOR_INTERRUPTS();
		for (int32 i = 0; i < count; i++)
			groups->key[i] += added[column[i]];
	}
	form(groups);
}

/*
 * ---- Patterns in the order of their cost.
 *
 * The attributes are sorted by the cost of their first level.  A pattern has up to three
 * successors: its last raised attribute raised by one more; the next one raised, too; and, if the
 * last is raised by one, the next one raised instead.  So each pattern is the successor of exactly
 * one other, which costs no more, and a heap of successors yields them in order.  Each pattern
 * taken adds at most two to the heap.
 *
 * Example: two attributes of one level: 00, 10, then (from 10) 11 and 01.
 */

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
	MemoryContext context; /* of all patterns */
	Size bytes;            /* of a pattern */
	binaryheap *heap;
	Pattern *given; /* the last one returned */
};

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

PatternWalk *
pattern_walk_create(const Block *block, int most)
{
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "kanon patterns", CONTEXT_SMALL_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	PatternWalk *walk = palloc0(sizeof(PatternWalk));
	int patterns = 2 * most + 2; /* the most that exist at a time */
	Pattern *ground;

	walk->block = block;
	walk->most = most;
	walk->context = context;
	walk->bytes = offsetof(Pattern, level) + block->attributes;
	walk->attribute = palloc(sizeof(int) * Max(block->attributes, 1));
	sort_attributes(walk);
	budget_check(block->budget, mul_size(patterns, walk->bytes), PURPOSE);
	walk->heap = binaryheap_allocate(patterns, compare_patterns, NULL);
	ground = palloc0(walk->bytes);
	ground->last = -1;
	binaryheap_add(walk->heap, PointerGetDatum(ground));
	MemoryContextSwitchTo(caller);
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
	follower = memcpy(MemoryContextAlloc(walk->context, walk->bytes), walk->given, walk->bytes);
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
	if (walk->given)
		pfree(walk->given);
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
	MemoryContextDelete(walk->context);
}
