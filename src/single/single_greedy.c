/*
 * single_greedy.c
 *		See single_greedy.h.
 */
#include "postgres.h"

#include "single/single_greedy.h"

#include "base/interrupt.h"
#include "base/progress.h"

#define PURPOSE "single-dimension search"

SingleSearch *
single_greedy_create(CutSpace *space, const SingleRequest *request)
{
	SingleSearch *search = palloc0(sizeof(SingleSearch));
	Budget *budget = space->table->budget;
	int32 cuts = Max(space->cuts, 1);

	search->space = space;
	search->table = space->table;
	search->request = request;
	search->map = single_map_create(space->table);
	search->fails = budget_allocate(budget, space->table->groups, sizeof(bool), PURPOSE);
	search->gain = budget_allocate(budget, cuts, sizeof(int64), PURPOSE);
	search->mark = budget_allocate(budget, cuts, sizeof(uint8), PURPOSE);
	search->best = budget_allocate(budget, cuts, sizeof(uint8), PURPOSE);
	search->known = budget_allocate(budget, cuts, sizeof(uint8), PURPOSE);
	search->best_cost = NOT_PUBLISHED;
	search->most = request->effort;
	return search;
}

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
		search->fails[group] = table->size[group] < search->k;
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
		*lost = request->failing(request->state, search->table, search->k, search->fails);
		if (*lost > request->suppressible || *lost == search->table->rows)
			return request->suppressible > 0;
	}
	*cost = cost_of(search);
	return true;
}

bool
single_greedy_look(SingleSearch *search, const uint8 *mark, int64 *cost)
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

int32
single_greedy_choose(SingleSearch *search, const uint8 *mark)
{
	int32 best = -1;

	cut_space_gains(search->space, mark, search->gain);
	for (int32 cut = 0; cut < search->space->cuts; cut++)
		if (cut_space_is_next(search->space, mark, cut) &&
			(best < 0 || search->gain[cut] > search->gain[best]))
			best = cut;
	return best;
}

void
single_greedy_return(SingleSearch *search, const uint8 *mark)
{
	cut_space_map(search->space, mark, false, &search->map);
	single_table_classify(search->table, &search->map);
}

/* Is a map refuted without a look, since this many rows would be in too small classes? */
static bool
is_refuted(SingleSearch *search, int64 small)
{
	if (small <= search->request->suppressible)
		return false;
	if (++search->refuted % SINGLE_REFUTED == 0)
		search->looked++;
	return true;
}

bool
single_greedy_try(SingleSearch *search, uint8 *mark, int32 cut, int64 most, int64 *cost)
{
	int64 suppressible = search->request->suppressible;

	mark[cut] = CUT_LEFT;
	if (is_refuted(search,
				   cut_space_small(search->space, &search->map, cut, search->k, suppressible)))
		return false;
	mark[cut] = CUT_MADE;
	if (single_greedy_look(search, mark, cost) && *cost <= most)
		return true;
	mark[cut] = CUT_LEFT;
	single_greedy_return(search, mark);
	return false;
}

/* Looks, then makes cuts while they satisfy and cost no more; marks all others as left. */
static void
climb(SingleSearch *search, uint8 *mark)
{
	int64 cost;
	int32 cut;

	(void) single_greedy_look(search, mark, &cost);
	while (search->looked < search->most && (cut = single_greedy_choose(search, mark)) >= 0)
	{
		int64 finer;

		if (single_greedy_try(search, mark, cut, cost, &finer))
			cost = finer;
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

/* Takes back all cuts of an attribute, makes others first, and then again some of its own. */
static void
give_way(SingleSearch *search, int attribute)
{
	const CutSpace *space = search->space;
	int32 first = space->attribute[attribute].first;
	int32 end = space->cuts;

	for (int i = 0; i < search->table->attributes; i++)
		if (space->attribute[i].first > first)
			end = Min(end, space->attribute[i].first);
	for (int32 cut = 0; cut < space->cuts; cut++)
		search->mark[cut] = cut >= first && cut < end       ? CUT_LEFT
							: search->best[cut] == CUT_MADE ? CUT_MADE
															: space->mark[cut];
	climb(search, search->mark);
	memcpy(search->mark + first, space->mark + first, end - first);
	climb(search, search->mark);
}

void
single_greedy_improve(SingleSearch *search)
{
	int32 cuts = search->space->cuts;
	int32 turns = cuts + search->table->attributes;

	for (int32 since = 0; since < turns && search->looked < search->most; since++)
	{
		int64 before = search->best_cost;
		int32 turn = search->turn;

		CHECK_FOR_INTERRUPTS();
		search->turn = (turn + 1) % turns;
		if (turn >= cuts)
			give_way(search, search->space->order[turn - cuts]);
		else if (search->best[turn] == CUT_MADE)
		{
			take_back(search, turn, search->mark);
			climb(search, search->mark);
		}
		if (search->best_cost < before)
			since = 0;
	}
}

bool
single_greedy_begin(SingleSearch *search, const uint8 *known)
{
	const SingleRequest *request = search->request;
	CutSpace *space = search->space;
	int64 cost = NOT_PUBLISHED;

	if (!single_greedy_look(search, space->mark, &cost))
		return false;
	for (int32 cut = 0; known && cut < space->cuts; cut++)
		search->mark[cut] = known[cut] == CUT_MADE ? CUT_MADE : space->mark[cut];
	if (known)
		climb(search, search->mark);
	cost = NOT_PUBLISHED;
	while (cost == NOT_PUBLISHED && request->begin_with &&
		   request->begin_with(request->state, space, search->mark))
		(void) single_greedy_look(search, search->mark, &cost);
	if (cost != NOT_PUBLISHED)
		climb(search, search->mark);
	memcpy(search->mark, space->mark, space->cuts);
	climb(search, search->mark);
	return true;
}

/* ---- unrestricted */

/*
 * Lets the values below a node that have a label above it have that node; returns whether any do
 * that may satisfy.
 */
static bool
lower(SingleSearch *search, int attribute, int32 node)
{
	const CutNode *to = &search->space->attribute[attribute].node[node];
	int32 *cell = search->map.cell[attribute];
	SingleLeaving leaving = {.attribute = attribute,
							 .from = to->first,
							 .to = to->last,
							 .cell = cell,
							 .below = node,
							 .rest = true,
							 .apart = true};
	bool any = false;

	for (int32 code = to->first; code <= to->last; code++)
	{
		interrupt_check(code);
		any = any || cell[code] < node;
		leaving.apart = leaving.apart && cell[code] != node;
	}
	if (!any || is_refuted(search, single_table_small(search->table, &leaving, search->k)))
		return false;
	for (int32 code = to->first; code <= to->last; code++)
	{
		interrupt_check(code);
		if (cell[code] >= node)
			continue;
		cell[code] = node;
		search->map.loss[attribute][code] = to->loss;
	}
	return true;
}

void
single_greedy_copy(const SingleTable *table, const SingleMap *from, SingleMap *to, int attribute)
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
		single_greedy_copy(search->table, &search->map, kept, i);
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
				single_greedy_copy(search->table, &search->map, kept, attribute);
				better = true;
			}
			else
			{
				single_greedy_copy(search->table, kept, &search->map, attribute);
				single_table_classify(search->table, &search->map);
			}
		}
	}
}

void
single_greedy_lower(SingleSearch *search, SingleMap *best)
{
	SingleMap kept = single_map_create(search->table);
	int32 nodes = 0;
	Lowering *lowering;
	int64 cost;
	int64 lost;

	for (int i = 0; i < search->table->attributes; i++)
		nodes += search->space->attribute[i].nodes;
	lowering = budget_allocate(search->table->budget, nodes, sizeof(Lowering), PURPOSE);
	(void) judge(search, &cost, &lost);
	lower_greedily(search, &kept, &cost, &lost, lowering);
	if (cost >= search->best_cost)
		return;
	search->best_cost = cost;
	search->best_lost = lost;
	for (int i = 0; i < search->table->attributes; i++)
		single_greedy_copy(search->table, &kept, best, i);
}
