/*
 * two_way.c
 *		See two_way.h.
 *
 * 1. Each attribute by itself, from its marginal: the lowest level at which it
 *	  satisfies.  By the subset property no node below these *floors* satisfies,
 *	  so the ground set is rolled up to them once and forgotten.
 * 2. While a node is undecided: take the lowest one and walk up through
 *	  undecided nodes as far as they go, each time by the step that merges most.
 *	  On this chain what fails lies below what satisfies: binary search.  A node
 *	  that satisfies decides everything above it, one that fails everything below
 *	  it.
 * 3. With millions of groups nearly all time goes into rollups from the set at
 *	  the floors (measured: 176 of 503 checks, 98 % of the time).  The frequency
 *	  sets of failed nodes are kept where they are much smaller than their source
 *	  and serve what lies above; choose_pivot sees to it that there are such.
 *
 * Both properties used (generalization, subset) are granted by the requirement;
 * see requirement.h.
 */
#include "postgres.h"

#include "lattice/two_way.h"

#include "base/interrupt.h"
#include "lattice/set_cache.h"
#include "miscadmin.h"

/* See choose_pivot. */
#define FAR_FEWER 16
#define SMALL_SET 4096

typedef enum NodeState
{
	NODE_UNDECIDED,
	NODE_FAILS,
	NODE_SATISFIES
} NodeState;

typedef struct TwoWay
{
	Search *search;
	SearchIteration *iteration;
	Lattice *lattice;
	uint8 *state; /* NodeState by node */
	FrequencySet *base;
	SetCache *cache;
	int64 *stack; /* nodes to mark */
} TwoWay;

/* The lowest level at which one attribute satisfies by itself, or -1. */
static int
attribute_floor(Search *search, SearchIteration *iteration, int attribute)
{
	FrequencySpace *space = search->source->space;
	FrequencySet *marginal = rollup_marginal(space, attribute);
	Level *node = palloc(sizeof(Level) * space->attributes);
	int height = space->dimension[attribute]->height;
	int level = 0;

	memset(node, LEVEL_ALL, sizeof(Level) * space->attributes);
	iteration->candidates += height + 1;
	for (; level <= height; level++)
	{
		node[attribute] = (Level) level;
		if (search_check(search, iteration, marginal, node))
			break;
	}
	iteration->satisfying += height + 1 - level;
	frequency_set_free(marginal);
	pfree(node);
	return level <= height ? level : -1;
}

/* Floors of all attributes; false if one satisfies at no level. */
static bool
find_floors(Search *search, SearchIteration *iteration, Level *floor)
{
	for (int i = 0; i < search->source->space->attributes; i++)
	{
		int level = attribute_floor(search, iteration, i);

		iteration->attribute_sets++;
		if (level < 0)
			return false;
		floor[i] = (Level) level;
	}
	return true;
}

/*
 * Gives a state to a node and to all undecided nodes above it (direction 1) or
 * below it (direction -1).  Each node is decided once, so all calls together
 * cost O(nodes * attributes).
 */
static void
mark(TwoWay *two_way, int64 start, NodeState state, int direction)
{
	const Lattice *lattice = two_way->lattice;
	int64 depth = 0;
	int64 marked = 0;

	two_way->state[start] = (uint8) state;
	two_way->stack[depth++] = start;
	while (depth > 0)
	{
		int64 node = two_way->stack[--depth];

		interrupt_check(++marked);
		for (int i = 0; i < lattice->attributes; i++)
		{
			int level = lattice_level(lattice, node, i) + direction;
			int64 next = node + direction * lattice->stride[i];

			if (level < 0 || level > lattice->height[i] || two_way->state[next] != NODE_UNDECIDED)
				continue;
			two_way->state[next] = (uint8) state;
			two_way->stack[depth++] = next;
		}
	}
}

/* Everything not at or above the floors fails. */
static int64
mark_below_floors(TwoWay *two_way, const Level *floor)
{
	const Lattice *lattice = two_way->lattice;
	Level *node = palloc(sizeof(Level) * lattice->width);
	int64 candidates = 0;

	for (int64 index = 0; index < lattice->nodes; index++)
	{
		interrupt_check(index);
		lattice_node(lattice, index, node);
		if (node_generalizes(lattice->width, node, floor))
			candidates++;
		else
			two_way->state[index] = NODE_FAILS;
	}
	pfree(node);
	return candidates;
}

static bool
decide(TwoWay *two_way, int64 index)
{
	Search *search = two_way->search;
	FrequencySpace *space = search->source->space;
	TallyRequest request = requirement_request(&search->requirement);
	Level *node = palloc(sizeof(Level) * space->attributes);
	FrequencyTally tally;
	bool holds;

	CHECK_FOR_INTERRUPTS();
	request.keep = true;
	lattice_node(two_way->lattice, index, node);
	tally = rollup_tally(set_cache_best(two_way->cache, node), space, node, &request);
	holds = requirement_holds(&search->requirement, &tally);
	two_way->iteration->checked++;
	two_way->iteration->rollups++;
	if (holds)
		mark(two_way, index, NODE_SATISFIES, 1);
	else
		mark(two_way, index, NODE_FAILS, -1);
	if (tally.kept && holds)
		frequency_set_free(tally.kept);
	else if (tally.kept)
		set_cache_offer(two_way->cache, tally.kept);
	pfree(node);
	return holds;
}

/* The step that merges most: the attribute with the greatest fall in values, or -1. */
static int
steepest_step(const TwoWay *two_way, int64 node)
{
	const FrequencySpace *space = two_way->search->source->space;
	const Lattice *lattice = two_way->lattice;
	double steepest = 0;
	int best = -1;

	for (int i = 0; i < lattice->attributes; i++)
	{
		int level = lattice_level(lattice, node, i);
		const int32 *cardinality = space->dimension[i]->cardinality;
		double fall;

		if (level == lattice->height[i] ||
			two_way->state[node + lattice->stride[i]] != NODE_UNDECIDED)
			continue;
		fall = (double) cardinality[level] / cardinality[level + 1];
		if (fall > steepest)
		{
			steepest = fall;
			best = i;
		}
	}
	return best;
}

/* From an undecided node upwards through undecided ones; returns the chain's length. */
static int
climb(const TwoWay *two_way, int64 node, int64 *chain)
{
	int length = 0;
	int step;

	chain[length++] = node;
	while ((step = steepest_step(two_way, node)) >= 0)
	{
		node += two_way->lattice->stride[step];
		chain[length++] = node;
	}
	return length;
}

/*
 * Which undecided node of chain[low .. high - 1] to check next.  The middle, in
 * a binary search; but where that means to roll up from a large set, rather
 * the lowest node that is sure to have far fewer groups: if it fails, its set
 * serves everything above it, on this chain and on others.
 */
static int
choose_pivot(const TwoWay *two_way, const int64 *chain, int low, int high)
{
	const FrequencySpace *space = two_way->search->source->space;
	Level *node = palloc(sizeof(Level) * space->attributes);
	int middle = (low + high) / 2;
	int pivot = low;
	double groups;

	lattice_node(two_way->lattice, chain[middle], node);
	groups = (double) frequency_set_entries(set_cache_best(two_way->cache, node));
	for (; pivot < middle; pivot++)
	{
		lattice_node(two_way->lattice, chain[pivot], node);
		if (frequency_space_domain(space, node) * FAR_FEWER <= groups)
			break;
	}
	pfree(node);
	return groups > SMALL_SET ? pivot : middle;
}

/* Decides at least the lowest node of the chain. */
static void
search_chain(TwoWay *two_way, const int64 *chain, int length)
{
	int low = 0;
	int high = length; /* chain[low - 1] fails, chain[high] satisfies */

	while (low < high)
	{
		int pivot;

		/* Checks decide more than one node, so the bounds may move by themselves. */
		if (two_way->state[chain[low]] == NODE_FAILS)
			low++;
		else if (two_way->state[chain[high - 1]] == NODE_SATISFIES)
			high--;
		else
		{
			pivot = choose_pivot(two_way, chain, low, high);
			if (decide(two_way, chain[pivot]))
				high = pivot;
			else
				low = pivot + 1;
		}
	}
}

static void
decide_all(TwoWay *two_way)
{
	const Lattice *lattice = two_way->lattice;
	Budget *budget = two_way->search->budget;
	int64 *chain = palloc(sizeof(int64) * (lattice_top_height(lattice) + 1));
	int64 *first;
	int64 *order = lattice_order(lattice, budget, &first);

	for (int64 i = 0; i < lattice->nodes; i++)
	{
		interrupt_check(i);
		if (two_way->state[order[i]] == NODE_UNDECIDED)
			search_chain(two_way, chain, climb(two_way, order[i], chain));
	}
	budget_give(budget, lattice_order_bytes(lattice));
	pfree(order);
	pfree(first);
	pfree(chain);
}

static Answer *
collect(TwoWay *two_way)
{
	Lattice *lattice = two_way->lattice;
	bool *satisfies = palloc_extended(lattice->nodes, MCXT_ALLOC_HUGE);
	Answer *answer;

	for (int64 node = 0; node < lattice->nodes; node++)
	{
		interrupt_check(node);
		satisfies[node] = two_way->state[node] == NODE_SATISFIES;
		two_way->iteration->satisfying += satisfies[node];
	}
	answer = answer_from_flags(lattice, satisfies, two_way->search->budget);
	pfree(satisfies);
	return answer;
}

/* state and stack, and the flags of collect. */
static Size
working_bytes(const Lattice *lattice)
{
	return mul_size(sizeof(uint8) + sizeof(int64) + sizeof(bool), lattice->nodes);
}

static void
allocate(TwoWay *two_way)
{
	int64 nodes = two_way->lattice->nodes;

	budget_take(two_way->search->budget, working_bytes(two_way->lattice), "generalization lattice");
	two_way->state = palloc_extended(nodes, MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	two_way->stack = palloc_extended(sizeof(int64) * nodes, MCXT_ALLOC_HUGE);
}

static void
release(TwoWay *two_way)
{
	budget_give(two_way->search->budget, working_bytes(two_way->lattice));
	pfree(two_way->state);
	pfree(two_way->stack);
	lattice_free(two_way->lattice);
}

static Answer *
search_above(Search *search, FrequencySet *ground, const Level *floor)
{
	FrequencySpace *space = search->source->space;
	TwoWay two_way = {.search = search};
	Answer *answer;

	two_way.iteration = search_iteration_begin(search, space->attributes);
	two_way.lattice = lattice_create_full(space);
	allocate(&two_way);
	two_way.iteration->attribute_sets = 1;
	two_way.iteration->candidates = mark_below_floors(&two_way, floor);
	two_way.base = rollup(ground, space, floor);
	two_way.iteration->rollups++;
	frequency_set_free(ground);
	two_way.cache = set_cache_create(space, two_way.base);
	decide_all(&two_way);
	set_cache_free(two_way.cache);
	frequency_set_free(two_way.base);
	answer = collect(&two_way);
	release(&two_way);
	return answer;
}

static Answer *
run_two_way(Search *search)
{
	SearchIteration *iteration = search_iteration_begin(search, 1);
	FrequencySet *ground = search_read_ground(search);
	FrequencySpace *space = search->source->space;
	Level *floor = palloc(sizeof(Level) * space->attributes);
	Answer *answer;
	bool possible;

	iteration->table_scans++;
	possible = find_floors(search, iteration, floor);
	search_iteration_end(search);
	if (!possible)
	{
		frequency_set_free(ground);
		return answer_of_one(space, NULL, false);
	}
	answer = search_above(search, ground, floor);
	search_iteration_end(search);
	return answer;
}

const SearchAlgorithm two_way = {.name = "two_way", .run = run_two_way};
