/*
 * single_search.c
 *		See single_search.h.
 */
#include "postgres.h"

#include "single/single_search.h"

#include "base/interrupt.h"
#include "base/progress.h"

#define PURPOSE "single-dimension search"
#define NOT_PUBLISHED PG_INT64_MAX

/* A cut that was decided, after those of another decision. */
typedef struct Decision
{
	int64 bound;
	int32 before; /* -1: none */
	int32 cut : 31;
	bool made : 1;
} Decision;

typedef struct SingleSearch
{
	CutSpace *space;
	SingleTable *table;
	const SingleRequest *request;
	SingleMap map;
	bool *fails;     /* [group] */
	bool *doomed;    /* [group]: whatever is made, it must be suppressed */
	int64 *gain;     /* [cut] */
	int64 *price;    /* [cut] */
	int32 **beside;  /* [attribute][2 * code] */
	uint8 *mark;     /* [cut]: at work */
	uint8 *tried;    /* [cut]: of a climb */
	uint8 *best;     /* [cut] */
	int64 best_cost; /* NOT_PUBLISHED: none */
	int64 best_lost; /* rows that it suppresses */
	int64 looked;
	int64 most; /* maps that may be looked at, for now */
	/* Decisions, and a heap of those to be taken further. */
	Decision *decision;
	int64 decisions;
	int64 capacity;
	int32 *heap;
	int64 heaped;
	int64 room;
} SingleSearch;

/* ---- costs */

/* The cost of the map that was classified, without the rows that fail. */
static int64
cost_of(const SingleSearch *search)
{
	const SingleTable *table = search->table;
	int64 cost = 0;

	for (int32 group = 0; group < table->groups; group++)
	{
		int64 each = search->request->discernibility
						 ? (search->fails[group] ? table->rows : table->size[group])
					 : search->fails[group] ? SINGLE_UNIT
											: single_table_loss(table, &search->map, group);

		interrupt_check(group);
		cost += each * table->members[group];
	}
	return cost;
}

/* Sets which groups are in classes below k; returns how many rows these are. */
static int64
find_small(SingleSearch *search)
{
	const SingleTable *table = search->table;
	int64 small = 0;

	for (int32 group = 0; group < table->groups; group++)
	{
		search->fails[group] = table->size[group] < search->request->k;
		if (search->fails[group])
			small += table->members[group];
	}
	return small;
}

/*
 * Judges the map.  Returns whether finer ones may satisfy; sets the cost, NOT_PUBLISHED if this one
 * does not, and the rows that are lost.  Models may fail for a class and hold for its parts if the
 * rest of these is suppressed.
 */
static bool
judge(SingleSearch *search, int64 *cost, int64 *lost)
{
	const SingleRequest *request = search->request;

	*cost = NOT_PUBLISHED;
	search->looked++;
	progress_done(search->looked);
	single_table_classify(search->table, &search->map);
	*lost = find_small(search);
	if (*lost > request->suppressible || *lost == search->table->rows)
		return false;
	if (request->failing)
	{
		if (request->suppressible > 0 && cost_of(search) >= search->best_cost)
			return true;
		*lost = request->failing(request->state, search->table, search->fails);
		if (*lost > request->suppressible || *lost == search->table->rows)
			return request->suppressible > 0;
	}
	*cost = cost_of(search);
	return true;
}

static bool
look(SingleSearch *search, const uint8 *mark, int64 *cost)
{
	int64 lost;
	bool hopeful;

	cut_space_map(search->space, mark, false, &search->map);
	hopeful = judge(search, cost, &lost);
	if (*cost < search->best_cost)
	{
		search->best_cost = *cost;
		search->best_lost = lost;
		memcpy(search->best, mark, search->space->cuts);
	}
	return hopeful;
}

/* ---- greedily */

/* The cut that can be made next and gains most; -1: none. */
static int32
choose(SingleSearch *search, const uint8 *mark)
{
	int32 best = -1;

	cut_space_gains(search->space, mark, search->gain);
	for (int32 cut = 0; cut < search->space->cuts; cut++)
		if (cut_space_is_next(search->space, mark, cut) &&
			(best < 0 || search->gain[cut] > search->gain[best]))
			best = cut;
	return best;
}

/* Makes cuts while they satisfy and cost no more; marks all others as left. */
static void
climb(SingleSearch *search, uint8 *mark, int64 cost)
{
	int32 cut;

	while (search->looked < search->most && (cut = choose(search, mark)) >= 0)
	{
		int64 finer;

		mark[cut] = CUT_MADE;
		if (look(search, mark, &finer) && finer <= cost)
			cost = finer;
		else
			mark[cut] = CUT_LEFT;
	}
}

/* The cuts made, without one and those that need it; all others are open again. */
static void
take_back(const SingleSearch *search, int32 back, uint8 *mark)
{
	const CutSpace *space = search->space;

	for (int32 cut = 0; cut < space->cuts; cut++)
	{
		int32 above = cut;

		while (above >= 0 && above != back)
			above = space->needs[above];
		mark[cut] = search->best[cut] == CUT_MADE && above < 0 ? CUT_MADE : space->mark[cut];
	}
	mark[back] = CUT_LEFT;
}

/* Takes back each cut that was made, to make others instead, while that costs less. */
static void
improve(SingleSearch *search)
{
	int32 since = 0;

	for (int32 cut = 0; since < search->space->cuts && search->looked < search->most;
		 cut = (cut + 1) % search->space->cuts, since++)
	{
		int64 before = search->best_cost;
		int64 cost;

		CHECK_FOR_INTERRUPTS();
		if (search->best[cut] != CUT_MADE)
			continue;
		take_back(search, cut, search->mark);
		(void) look(search, search->mark, &cost);
		climb(search, search->mark, cost);
		if (search->best_cost < before)
			since = 0;
	}
}

/* ---- bounds */

/* The first of a row's cuts that can be charged, at this side of an attribute, and how much. */
static int64
left_to_charge(const SingleSearch *search, int32 cut)
{
	int64 least = NOT_PUBLISHED;

	for (; cut >= 0; cut = search->space->needs[cut])
		if (search->mark[cut] == CUT_OPEN)
			least = Min(least, search->price[cut]);
	return least;
}

static void
charge(SingleSearch *search, int32 cut, int64 amount)
{
	for (; cut >= 0; cut = search->space->needs[cut])
		search->price[cut] -= amount;
}

/* A group that fails with all open cuts: what it is charged; false: it cannot but be suppressed. */
static bool
charge_group(SingleSearch *search, int32 group, int64 *amount)
{
	const SingleTable *table = search->table;
	const int32 *code = table->code + (Size) group * table->attributes;
	bool open = false;

	for (int i = 0; i < 2 * table->attributes; i++)
	{
		int32 cut = search->beside[i / 2][2 * code[i / 2] + i % 2];

		if (cut < 0)
			continue;
		open = true;
		*amount = Min(*amount, left_to_charge(search, cut));
	}
	for (int i = 0; open && *amount > 0 && i < 2 * table->attributes; i++)
		charge(search, search->beside[i / 2][2 * code[i / 2] + i % 2], *amount);
	return open;
}

/* Rows in classes below k without open cuts are in such with any of them. */
static void
find_doomed(SingleSearch *search)
{
	const SingleTable *table = search->table;

	search->looked++;
	cut_space_map(search->space, search->mark, false, &search->map);
	single_table_classify(search->table, &search->map);
	for (int32 group = 0; group < table->groups; group++)
		search->doomed[group] = table->size[group] < search->request->k;
}

/* What the rows of a group cost at least with the marks at work; counts those that are doomed. */
static int64
bound_of_group(SingleSearch *search, int32 group, int64 *doomed)
{
	const SingleTable *table = search->table;
	const SingleRequest *request = search->request;
	int64 members = table->members[group];
	int64 loss = single_table_loss(table, &search->map, group);
	int64 out = Max(SINGLE_UNIT - loss, 0) * members;
	int64 amount = request->suppressible > 0 ? out : NOT_PUBLISHED;
	bool fails = table->size[group] < request->k;
	bool lost = search->doomed[group] || (fails && !charge_group(search, group, &amount));

	*doomed += lost ? members : 0;
	if (request->discernibility)
		return (lost ? table->rows : Max(table->size[group], request->k)) * members;
	return loss * members + (lost ? out : fails ? amount : 0);
}

/*
 * What each map costs at least that the marks at work can lead to; NOT_PUBLISHED if none satisfies.
 */
static int64
bound_of(SingleSearch *search)
{
	const SingleTable *table = search->table;
	int64 bound = 0;
	int64 doomed = 0;

	if (search->request->suppressible > 0)
		find_doomed(search);
	search->looked++;
	cut_space_map(search->space, search->mark, true, &search->map);
	single_table_classify(search->table, &search->map);
	cut_space_prices(search->space, search->mark, &search->map, search->beside, search->price);
	for (int32 group = 0; group < table->groups; group++)
	{
		interrupt_check(group);
		bound += bound_of_group(search, group, &doomed);
	}
	return doomed > search->request->suppressible ? NOT_PUBLISHED : bound;
}

/* ---- branch and bound */

/* Is the first decision to be taken further first?  Of equal bounds, the last made. */
static bool
is_first(const SingleSearch *search, int32 one, int32 other)
{
	const Decision *a = &search->decision[one];
	const Decision *b = &search->decision[other];

	return a->bound != b->bound ? a->bound < b->bound : one > other;
}

static void
heap_add(SingleSearch *search, int32 added)
{
	int64 at = search->heaped++;

	search->heap = budget_room(search->table->budget, search->heap, &search->room, search->heaped,
							   sizeof(int32), PURPOSE);
	for (; at > 0 && is_first(search, added, search->heap[(at - 1) / 2]); at = (at - 1) / 2)
		search->heap[at] = search->heap[(at - 1) / 2];
	search->heap[at] = added;
}

static int32
heap_take(SingleSearch *search)
{
	int32 first = search->heap[0];
	int32 moved = search->heap[--search->heaped];
	int64 at = 0;
	int64 below;

	while ((below = 2 * at + 1) < search->heaped)
	{
		if (below + 1 < search->heaped &&
			is_first(search, search->heap[below + 1], search->heap[below]))
			below++;
		if (is_first(search, moved, search->heap[below]))
			break;
		search->heap[at] = search->heap[below];
		at = below;
	}
	search->heap[at] = moved;
	return first;
}

/* Adds a decision; returns its number. */
static int32
decide(SingleSearch *search, int64 bound, int32 before, int32 cut, bool made)
{
	search->decision = budget_room(search->table->budget, search->decision, &search->capacity,
								   search->decisions + 1, sizeof(Decision), PURPOSE);
	search->decision[search->decisions] =
		(Decision){.bound = bound, .before = before, .cut = cut, .made = made};
	return (int32) search->decisions++;
}

/* Decides a cut, and whether that is worth taking further; the marks at work have it decided. */
static void
branch_off(SingleSearch *search, int64 bound, int32 before, int32 cut, bool made)
{
	int64 sharper = Max(bound, bound_of(search));

	if (sharper < search->best_cost)
		heap_add(search, decide(search, sharper, before, cut, made));
}

/* The marks of a decision and all before it. */
static void
set_marks(SingleSearch *search, int32 number)
{
	memcpy(search->mark, search->space->mark, search->space->cuts);
	for (; number >= 0; number = search->decision[number].before)
		if (search->decision[number].cut >= 0)
			search->mark[search->decision[number].cut] =
				search->decision[number].made ? CUT_MADE : CUT_LEFT;
}

/*
 * Takes a decision further, by the next cut that can be made at all: made, and left.  Those that
 * cannot are left, which sharpens both bounds.
 */
static void
take_further(SingleSearch *search, int32 number)
{
	int64 bound = search->decision[number].bound;
	int64 cost;
	int32 cut;

	set_marks(search, number);
	while ((cut = choose(search, search->mark)) >= 0 && search->looked < search->most)
	{
		search->mark[cut] = CUT_MADE;
		if (look(search, search->mark, &cost))
			break;
		search->mark[cut] = CUT_LEFT;
		number = decide(search, bound, number, cut, false);
	}
	if (cut < 0)
		return;
	if (search->mark[cut] != CUT_MADE)
	{
		heap_add(search, number);
		return;
	}
	branch_off(search, bound, number, cut, true);
	search->mark[cut] = CUT_LEFT;
	branch_off(search, bound, number, cut, false);
}

/* Returns the least bound of what was not decided; the best cost if nothing was left. */
static int64
branch(SingleSearch *search)
{
	memcpy(search->mark, search->space->mark, search->space->cuts);
	branch_off(search, 0, -1, -1, false);
	while (search->heaped > 0)
	{
		int64 bound = search->decision[search->heap[0]].bound;

		CHECK_FOR_INTERRUPTS();
		if (bound >= search->best_cost)
			break;
		if (search->looked >= search->most)
			return bound;
		take_further(search, heap_take(search));
	}
	return search->best_cost;
}

/* ---- the search */

static SingleSearch *
search_begin(CutSpace *space, const SingleRequest *request)
{
	SingleSearch *search = palloc0(sizeof(SingleSearch));
	SingleTable *table = space->table;
	Budget *budget = table->budget;
	int32 cuts = Max(space->cuts, 1);

	search->space = space;
	search->table = table;
	search->request = request;
	search->map = single_map_create(table);
	search->doomed = budget_allocate(budget, table->groups, sizeof(bool), PURPOSE);
	search->fails = budget_allocate(budget, table->groups, sizeof(bool), PURPOSE);
	search->gain = budget_allocate(budget, cuts, sizeof(int64), PURPOSE);
	search->price = budget_allocate(budget, cuts, sizeof(int64), PURPOSE);
	search->mark = budget_allocate(budget, cuts, sizeof(uint8), PURPOSE);
	search->best = budget_allocate(budget, cuts, sizeof(uint8), PURPOSE);
	search->beside = palloc(sizeof(int32 *) * Max(table->attributes, 1));
	for (int i = 0; i < table->attributes; i++)
		search->beside[i] =
			budget_allocate(budget, 2 * (Size) table->codes[i], sizeof(int32), PURPOSE);
	search->best_cost = NOT_PUBLISHED;
	search->most = request->effort;
	return search;
}

/* Begins with what the caller knows, and with nothing; false if not even that satisfies. */
static bool
begin(SingleSearch *search)
{
	const SingleRequest *request = search->request;
	int64 cost;
	int64 known = NOT_PUBLISHED;

	memcpy(search->mark, search->space->mark, search->space->cuts);
	if (!look(search, search->mark, &cost))
		return false;
	while (known == NOT_PUBLISHED && request->begin_with &&
		   request->begin_with(request->state, search->space, search->mark))
		(void) look(search, search->mark, &known);
	if (known != NOT_PUBLISHED)
		climb(search, search->mark, known);
	memcpy(search->mark, search->space->mark, search->space->cuts);
	climb(search, search->mark, cost);
	return true;
}

/* A cost as the caller knows it. */
static double
figure_of(const SingleSearch *search, int64 cost)
{
	return search->request->discernibility
			   ? (double) cost
			   : (double) cost / SINGLE_UNIT / (double) Max(search->table->rows, 1);
}

SingleAnswer *
single_search_run(CutSpace *space, const SingleRequest *request)
{
	SingleSearch *search = search_begin(space, request);
	SingleAnswer *answer;
	int64 bound;

	progress_phase("searching", request->effort);
	if (!begin(search))
		return NULL;
	search->most = request->effort / 2;
	if (search->best_cost != NOT_PUBLISHED)
		improve(search);
	search->most = request->effort;
	bound = branch(search);
	if (search->best_cost == NOT_PUBLISHED)
		return NULL;
	answer = palloc0(sizeof(SingleAnswer));
	answer->mark = search->best;
	answer->map = search->map;
	cut_space_map(space, search->best, false, &answer->map);
	answer->cost = figure_of(search, search->best_cost);
	answer->bound = figure_of(search, bound);
	answer->looked = search->looked;
	answer->suppressed = search->best_lost;
	return answer;
}

/* ---- unrestricted */

/* Lets the values below a node that have a label above it have that node; returns whether any do.
 */
static bool
lower(const SingleSearch *search, int attribute, int32 node)
{
	const CutNode *to = &search->space->attribute[attribute].node[node];
	bool any = false;

	for (int32 code = to->first; code <= to->last; code++)
	{
		interrupt_check(code);
		if (search->map.cell[attribute][code] >= node)
			continue;
		search->map.cell[attribute][code] = node;
		search->map.loss[attribute][code] = to->loss;
		any = true;
	}
	return any;
}

static void
copy_map(const SingleTable *table, const SingleMap *from, SingleMap *to, int attribute)
{
	Size bytes = sizeof(int32) * table->codes[attribute];

	memcpy(to->cell[attribute], from->cell[attribute], bytes);
	memcpy(to->loss[attribute], from->loss[attribute], bytes);
}

/* A node that values could have, and what that would save. */
typedef struct Lowering
{
	int64 gain;
	int attribute;
	int32 node;
	int32 place; /* on ties */
} Lowering;

/* The greatest gain first. */
static int
compare_lowerings(const void *a, const void *b)
{
	const Lowering *one = a;
	const Lowering *other = b;

	CHECK_FOR_INTERRUPTS();
	if (one->gain != other->gain)
		return one->gain > other->gain ? -1 : 1;
	return one->place < other->place ? -1 : 1;
}

/* All nodes that would save something now; returns how many. */
static int32
find_lowerings(const SingleSearch *search, Lowering *lowering)
{
	const SingleTable *table = search->table;
	int32 count = 0;
	int32 place = 0;

	for (int i = 0; i < table->attributes; i++)
	{
		int attribute = search->space->order[i];
		const CutAttribute *of = &search->space->attribute[attribute];

		for (int32 node = 0; node < of->nodes; node++, place++)
		{
			int64 gain = 0;

			interrupt_check(node);
			for (int32 code = of->node[node].first; code <= of->node[node].last; code++)
				if (search->map.cell[attribute][code] < node)
					gain += table->rows_of[attribute][code] *
							(search->map.loss[attribute][code] - of->node[node].loss);
			if (gain > 0)
				lowering[count++] = (Lowering){gain, attribute, node, place};
		}
	}
	qsort(lowering, count, sizeof(Lowering), compare_lowerings);
	return count;
}

/* Lowers values while that costs less, beginning with the map at work, whose cost is given. */
static void
lower_greedily(SingleSearch *search, SingleMap *kept, int64 *cost, int64 *lost, Lowering *lowering)
{
	bool better = true;

	for (int i = 0; i < search->table->attributes; i++)
		copy_map(search->table, &search->map, kept, i);
	while (better && search->looked < search->most)
	{
		int32 count = find_lowerings(search, lowering);

		better = false;
		for (int32 i = 0; i < count && search->looked < search->most; i++)
		{
			int attribute = lowering[i].attribute;
			int64 lower_cost;
			int64 lower_lost;

			CHECK_FOR_INTERRUPTS();
			if (!lower(search, attribute, lowering[i].node))
				continue;
			(void) judge(search, &lower_cost, &lower_lost);
			if (lower_cost < *cost)
			{
				*cost = lower_cost;
				*lost = lower_lost;
				copy_map(search->table, &search->map, kept, attribute);
				better = true;
			}
			else
				copy_map(search->table, kept, &search->map, attribute);
		}
	}
}

/* Lowers values from these cuts on; keeps what costs less than all before. */
static void
lower_from(SingleSearch *search, const uint8 *mark, SingleMap *best, Lowering *lowering)
{
	SingleMap kept = single_map_create(search->table);
	int64 cost;
	int64 lost;

	cut_space_map(search->space, mark, false, &search->map);
	(void) judge(search, &cost, &lost);
	lower_greedily(search, &kept, &cost, &lost, lowering);
	if (cost >= search->best_cost)
		return;
	search->best_cost = cost;
	search->best_lost = lost;
	for (int i = 0; i < search->table->attributes; i++)
		copy_map(search->table, &kept, best, i);
}

void
single_search_free(CutSpace *space, const SingleRequest *request, SingleAnswer *answer)
{
	SingleSearch *search = search_begin(space, request);
	const SingleTable *table = space->table;
	int32 nodes = 0;
	Lowering *lowering;

	for (int i = 0; i < table->attributes; i++)
		nodes += space->attribute[i].nodes;
	lowering = budget_allocate(table->budget, nodes, sizeof(Lowering), PURPOSE);
	search->most = request->effort / 2;
	lower_from(search, answer->mark, &answer->map, lowering);
	search->most = request->effort;
	lower_from(search, space->mark, &answer->map, lowering);
	answer->cost = figure_of(search, search->best_cost);
	answer->bound = 0;
	answer->suppressed = search->best_lost;
	answer->looked += search->looked;
}
