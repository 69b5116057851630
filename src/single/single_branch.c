/*
 * single_branch.c
 *		See single_branch.h.
 */
#include "postgres.h"

#include "single/single_branch.h"

#include "base/interrupt.h"

#define PURPOSE "single-dimension search"

/* A cut that was decided, after those of another decision. */
typedef struct Decision
{
	int64 bound;
	int32 before; /* -1: none */
	int32 cut : 31;
	bool made : 1;
} Decision;

typedef struct SingleBranch
{
	SingleSearch *search;
	bool *doomed;   /* [group]: whatever is made, it must be suppressed */
	int64 *price;   /* [cut] */
	int64 **sound;  /* [attribute][code]: rows that are in classes of k with all open cuts */
	int32 **beside; /* [attribute][2 * code] */
	SingleMap finest;
	bool dearest; /* cuts that cost most to leave are decided first, not those that gain most */
	/* Decisions, and a heap of those to be taken further. */
	Decision *decision;
	int64 decisions;
	int64 capacity;
	int32 *heap;
	int64 heaped;
	int64 room;
} SingleBranch;

/* ---- bounds */

/* The first of a row's cuts that can be charged, at this side of an attribute, and how much. */
static int64
left_to_charge(const SingleBranch *branch, int32 cut)
{
	SingleSearch *search = branch->search;
	int64 least = NOT_PUBLISHED;

	for (; cut >= 0; cut = search->space->needs[cut])
		if (search->mark[cut] == CUT_OPEN)
			least = Min(least, branch->price[cut]);
	return least;
}

static void
charge(SingleBranch *branch, int32 cut, int64 amount)
{
	for (; cut >= 0; cut = branch->search->space->needs[cut])
		branch->price[cut] -= amount;
}

/* A group that fails with all open cuts: what it is charged; false: it cannot but be suppressed. */
static bool
charge_group(SingleBranch *branch, int32 group, int64 *amount)
{
	const SingleTable *table = branch->search->table;
	const int32 *code = table->code + (Size) group * table->attributes;
	bool open = false;

	for (int i = 0; i < 2 * table->attributes; i++)
	{
		int32 cut = branch->beside[i / 2][2 * code[i / 2] + i % 2];

		if (cut < 0)
			continue;
		open = true;
		*amount = Min(*amount, left_to_charge(branch, cut));
	}
	for (int i = 0; open && *amount > 0 && i < 2 * table->attributes; i++)
		charge(branch, branch->beside[i / 2][2 * code[i / 2] + i % 2], *amount);
	return open;
}

/* Rows in classes below k without open cuts are in such with any of them. */
static void
find_doomed(SingleBranch *branch)
{
	SingleSearch *search = branch->search;
	const SingleTable *table = search->table;

	search->looked++;
	cut_space_map(search->space, search->mark, false, &search->map);
	single_table_classify(search->table, &search->map);
	for (int32 group = 0; group < table->groups; group++)
		branch->doomed[group] = table->size[group] < search->k;
}

/* A row that may be suppressed pays for that alone, not for cuts that are left. */
static void
count_sound(SingleBranch *branch)
{
	const SingleTable *table = branch->search->table;

	for (int i = 0; i < table->attributes; i++)
	{
		memset(branch->sound[i], 0, sizeof(int64) * table->codes[i]);
		for (int32 group = 0; group < table->groups; group++)
		{
			interrupt_check(group);
			if (table->size[group] >= branch->search->k)
				branch->sound[i][table->code[(Size) group * table->attributes + i]] +=
					table->members[group];
		}
	}
}

/* What the rows of a group cost at least with the marks at work; counts those that are doomed. */
static int64
bound_of_group(SingleBranch *branch, int32 group, int64 *doomed)
{
	const SingleSearch *search = branch->search;
	const SingleTable *table = search->table;
	const SingleRequest *request = search->request;
	int64 members = table->members[group];
	int64 loss = single_table_loss(table, &search->map, group);
	int64 out = Max(SINGLE_UNIT - loss, 0) * members;
	int64 amount = request->suppressible > 0 ? out : NOT_PUBLISHED;
	bool fails = table->size[group] < branch->search->k;
	bool lost = branch->doomed[group] || (fails && !charge_group(branch, group, &amount));

	*doomed += lost ? members : 0;
	if (request->discernibility)
		return (lost ? table->rows : Max(table->size[group], branch->search->k)) * members;
	return loss * members + (lost ? out : fails ? amount : 0);
}

/*
 * What each map costs at least that the marks at work can lead to; NOT_PUBLISHED if none satisfies.
 */
static int64
bound_of(SingleBranch *branch)
{
	SingleSearch *search = branch->search;
	const SingleTable *table = search->table;
	int64 bound = 0;
	int64 doomed = 0;

	if (search->request->suppressible > 0)
		find_doomed(branch);
	search->looked++;
	cut_space_map(search->space, search->mark, true, &search->map);
	single_table_classify(search->table, &search->map);
	if (search->request->suppressible > 0)
		count_sound(branch);
	cut_space_prices(search->space, search->mark, &search->map,
					 search->request->suppressible > 0 ? branch->sound : table->rows_of,
					 branch->beside, branch->price);
	for (int32 group = 0; group < table->groups; group++)
	{
		interrupt_check(group);
		bound += bound_of_group(branch, group, &doomed);
	}
	return doomed > search->request->suppressible ? NOT_PUBLISHED : bound;
}

/* ---- branch and bound */

/* Is the first decision to be taken further first?  Of equal bounds, the last made. */
static bool
is_first(const SingleBranch *branch, int32 one, int32 other)
{
	const Decision *a = &branch->decision[one];
	const Decision *b = &branch->decision[other];

	return a->bound != b->bound ? a->bound < b->bound : one > other;
}

static void
heap_add(SingleBranch *branch, int32 added)
{
	int64 at = branch->heaped++;

	branch->heap = budget_room(branch->search->table->budget, branch->heap, &branch->room,
							   branch->heaped, sizeof(int32), PURPOSE);
	for (; at > 0 && is_first(branch, added, branch->heap[(at - 1) / 2]); at = (at - 1) / 2)
		branch->heap[at] = branch->heap[(at - 1) / 2];
	branch->heap[at] = added;
}

static int32
heap_take(SingleBranch *branch)
{
	int32 first = branch->heap[0];
	int32 moved = branch->heap[--branch->heaped];
	int64 at = 0;
	int64 below;

	while ((below = 2 * at + 1) < branch->heaped)
	{
		if (below + 1 < branch->heaped &&
			is_first(branch, branch->heap[below + 1], branch->heap[below]))
			below++;
		if (is_first(branch, moved, branch->heap[below]))
			break;
		branch->heap[at] = branch->heap[below];
		at = below;
	}
	branch->heap[at] = moved;
	return first;
}

/* Adds a decision; returns its number. */
static int32
decide(SingleBranch *branch, int64 bound, int32 before, int32 cut, bool made)
{
	branch->decision =
		budget_room(branch->search->table->budget, branch->decision, &branch->capacity,
					branch->decisions + 1, sizeof(Decision), PURPOSE);
	branch->decision[branch->decisions] =
		(Decision){.bound = bound, .before = before, .cut = cut, .made = made};
	return (int32) branch->decisions++;
}

/* Decides a cut, and whether that is worth taking further; the marks at work have it decided. */
static void
branch_off(SingleBranch *branch, int64 bound, int32 before, int32 cut, bool made)
{
	int64 sharper = Max(bound, bound_of(branch));

	if (sharper < branch->search->best_cost)
		heap_add(branch, decide(branch, sharper, before, cut, made));
}

/* The marks of a decision and all before it. */
static void
set_marks(SingleBranch *branch, int32 number)
{
	SingleSearch *search = branch->search;

	memcpy(search->mark, search->space->mark, search->space->cuts);
	for (; number >= 0; number = branch->decision[number].before)
		if (branch->decision[number].cut >= 0)
			search->mark[branch->decision[number].cut] =
				branch->decision[number].made ? CUT_MADE : CUT_LEFT;
}

/* The cut that can be made next and costs most to leave; -1: none. */
static int32
choose_dearest(SingleBranch *branch)
{
	SingleSearch *search = branch->search;
	int32 best = -1;

	cut_space_map(search->space, search->mark, true, &branch->finest);
	if (search->request->discernibility)
		cut_space_pairs(search->space, search->mark, &branch->finest, branch->price);
	else
		cut_space_prices(search->space, search->mark, &branch->finest, search->table->rows_of,
						 branch->beside, branch->price);
	for (int32 cut = 0; cut < search->space->cuts; cut++)
		if (cut_space_is_next(search->space, search->mark, cut) &&
			(best < 0 || branch->price[cut] > branch->price[best]))
			best = cut;
	return best;
}

static int32
choose(SingleBranch *branch)
{
	return branch->dearest ? choose_dearest(branch)
						   : single_greedy_choose(branch->search, branch->search->mark);
}

/*
 * Takes a decision further, by the next cut that can be made at all: made, and left.  Those that
 * cannot are left, which sharpens both bounds.
 */
static void
take_further(SingleBranch *branch, int32 number)
{
	SingleSearch *search = branch->search;
	int64 bound = branch->decision[number].bound;
	int64 cost;
	int32 cut;

	set_marks(branch, number);
	single_greedy_return(search, search->mark);
	while ((cut = choose(branch)) >= 0 && search->looked < search->most)
	{
		if (single_greedy_try(search, search->mark, cut, NOT_PUBLISHED, &cost))
			break;
		number = decide(branch, bound, number, cut, false);
	}
	if (cut < 0)
		return;
	if (search->mark[cut] != CUT_MADE)
	{
		heap_add(branch, number);
		return;
	}
	branch_off(branch, bound, number, cut, true);
	search->mark[cut] = CUT_LEFT;
	branch_off(branch, bound, number, cut, false);
}

/* Returns the least bound of what was not decided; the best cost if nothing was left. */
static int64
run(SingleBranch *branch)
{
	SingleSearch *search = branch->search;

	memcpy(search->mark, search->space->mark, search->space->cuts);
	branch_off(branch, 0, -1, -1, false);
	while (branch->heaped > 0)
	{
		int64 bound = branch->decision[branch->heap[0]].bound;

		CHECK_FOR_INTERRUPTS();
		if (bound >= search->best_cost)
			break;
		if (search->looked >= search->most)
			return bound;
		take_further(branch, heap_take(branch));
	}
	return search->best_cost;
}

int64
single_branch_run(SingleSearch *search, bool dearest)
{
	const SingleTable *table = search->table;
	Budget *budget = table->budget;
	SingleBranch branch = {.search = search, .dearest = dearest};

	branch.doomed = budget_allocate(budget, table->groups, sizeof(bool), PURPOSE);
	branch.price = budget_allocate(budget, Max(search->space->cuts, 1), sizeof(int64), PURPOSE);
	branch.beside = palloc(sizeof(int32 *) * Max(table->attributes, 1));
	branch.finest = single_map_create(table);
	branch.sound = palloc(sizeof(int64 *) * Max(table->attributes, 1));
	for (int i = 0; i < table->attributes; i++)
	{
		branch.beside[i] =
			budget_allocate(budget, 2 * (Size) table->codes[i], sizeof(int32), PURPOSE);
		branch.sound[i] = budget_allocate(budget, table->codes[i], sizeof(int64), PURPOSE);
	}
	return run(&branch);
}
