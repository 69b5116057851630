/*
 * two_way.c
 *		See two_way.h.
 *
 * 1. Each attribute by itself, from its marginal: the lowest level at which it
 *	  satisfies.  By the subset property no node below these *floors* satisfies,
 *	  so the ground set is rolled up to them once and forgotten.
 * 2. While a node is undecided: take the lowest one and walk up through
 *	  undecided nodes as far as they go.  On this chain what fails lies below
 *	  what satisfies: binary search.  A node that satisfies decides everything
 *	  above it, one that fails everything below it.
 * 3. Without suppression one small class is enough to fail.  The class that
 *	  made a node fail is followed through the whole lattice (counterexample.h),
 *	  which decides every node at which it is still too small, also those not
 *	  comparable with the node checked.
 *
 * Both properties used (generalization, subset) are granted by the requirement;
 * see requirement.h.
 */
#include "postgres.h"

#include "lattice/two_way.h"

#include "lattice/counterexample.h"
#include "lattice/set_cache.h"
#include "miscadmin.h"

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
	int64 *sizes; /* of a counterexample, by node */
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

	two_way->state[start] = (uint8) state;
	two_way->stack[depth++] = start;
	while (depth > 0)
	{
		int64 node = two_way->stack[--depth];

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
		lattice_node(lattice, index, node);
		if (node_generalizes(lattice->width, node, floor))
			candidates++;
		else
			two_way->state[index] = NODE_FAILS;
	}
	pfree(node);
	return candidates;
}

/* Decides every node at which the class of this group of the base is too small. */
static void
follow_counterexample(TwoWay *two_way, const uint64 *key)
{
	Search *search = two_way->search;

	counterexample_sizes(two_way->base, search->source->space, two_way->lattice, key,
						 two_way->sizes);
	for (int64 node = 0; node < two_way->lattice->nodes; node++)
		if (two_way->sizes[node] > 0 && two_way->sizes[node] < search->k &&
			two_way->state[node] == NODE_UNDECIDED)
			two_way->state[node] = NODE_FAILS;
	two_way->iteration->counterexamples++;
}

/* A node failed: with it all below, and what its least class tells. */
static void
learn_from_failure(TwoWay *two_way, int64 index, const Level *node, const FrequencyTally *tally)
{
	Search *search = two_way->search;
	FrequencySpace *space = search->source->space;
	uint64 *entry = palloc(sizeof(uint64) * (space->words + 1));

	mark(two_way, index, NODE_FAILS, -1);
	if (search->requirement.suppressible == 0 && tally->least < search->k &&
		rollup_find(two_way->base, space, node, tally->least_key, entry))
		follow_counterexample(two_way, entry);
	pfree(entry);
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
		learn_from_failure(two_way, index, node, &tally);
	if (tally.kept && holds)
		frequency_set_free(tally.kept);
	else if (tally.kept)
		set_cache_offer(two_way->cache, tally.kept);
	pfree(tally.least_key);
	pfree(node);
	return holds;
}

/* From an undecided node upwards through undecided ones; returns the chain's length. */
static int
climb(const TwoWay *two_way, int64 node, int64 *chain)
{
	const Lattice *lattice = two_way->lattice;
	int length = 0;

	chain[length++] = node;
	for (int i = 0; i < lattice->attributes; i++)
		while (lattice_level(lattice, node, i) < lattice->height[i] &&
			   two_way->state[node + lattice->stride[i]] == NODE_UNDECIDED)
		{
			node += lattice->stride[i];
			chain[length++] = node;
		}
	return length;
}

/* Decides at least the lowest node of the chain. */
static void
search_chain(TwoWay *two_way, const int64 *chain, int length)
{
	int low = 0;
	int high = length; /* chain[low - 1] fails, chain[high] satisfies */

	while (low < high)
	{
		int middle = (low + high) / 2;

		switch (two_way->state[chain[middle]])
		{
			case NODE_UNDECIDED:
				if (decide(two_way, chain[middle]))
					high = middle;
				else
					low = middle + 1;
				break;
			case NODE_FAILS:
				low = middle + 1;
				break;
			default:
				high = middle;
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
		if (two_way->state[order[i]] == NODE_UNDECIDED)
			search_chain(two_way, chain, climb(two_way, order[i], chain));
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

	for (int64 node = 0; node < lattice->nodes; node++)
	{
		satisfies[node] = two_way->state[node] == NODE_SATISFIES;
		two_way->iteration->satisfying += satisfies[node];
	}
	return answer_from_flags(lattice, satisfies, two_way->search->budget);
}

static void
allocate(TwoWay *two_way)
{
	int64 nodes = two_way->lattice->nodes;

	budget_take(two_way->search->budget,
				mul_size(sizeof(uint8) + 2 * sizeof(int64) + sizeof(bool), nodes),
				"generalization lattice");
	two_way->state = palloc_extended(nodes, MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	two_way->sizes = palloc_extended(sizeof(int64) * nodes, MCXT_ALLOC_HUGE);
	two_way->stack = palloc_extended(sizeof(int64) * nodes, MCXT_ALLOC_HUGE);
}

static Answer *
search_above(Search *search, FrequencySet *ground, const Level *floor)
{
	FrequencySpace *space = search->source->space;
	TwoWay two_way = {.search = search};

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
	return collect(&two_way);
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
		return answer_of_one(space, NULL, false);
	answer = search_above(search, ground, floor);
	search_iteration_end(search);
	return answer;
}

const SearchAlgorithm two_way = {.name = "two_way", .run = run_two_way};
