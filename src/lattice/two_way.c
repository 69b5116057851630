/*
 * two_way.c
 *		kanon's own search; see search.h.
 *
 * Incognito prunes the generalizations of a node that satisfies, and goes up level by level through
 * all that fail.  But a node that fails rules out all its specializations as well.  So each chain
 * of the lattice needs only a binary search (Samarati's search over heights, 2001, applied to
 * chains until every node is decided).
 *
 * 1.  Each attribute by itself, from its marginal: the lowest level at which it satisfies, its
 * *floor*.  By the subset property, no node below the floors satisfies.  So the ground set is
 * rolled up to them once and dropped.
 *
 * 2.  While a node is undecided: take the lowest one and walk up through undecided nodes as far as
 * possible, each time by the step that merges most.  On this chain, nodes that fail lie below nodes
 * that satisfy: binary search.  A node that satisfies decides all nodes above it, one that fails
 * all nodes below it.
 *
 * 3.  With millions of groups, nearly all time goes into rollups from the set at the floors
 * (measured: 176 of 503 checks, 98 % of the time).  The frequency sets of failed nodes are kept if
 * they are much smaller than their source, and serve the nodes above. choose_pivot makes sure that
 * there are such sets.
 *
 * 4.  With models or people, all this is done first by row counts alone, on sets without carried
 * attributes: what fails so fails.  Then it is done again for the remaining nodes, on joint sets,
 * from the lowest levels of these nodes.  They are few, and they are high, where sets are small.
 *
 * The monotone part of the requirement has both properties used, generalization and subset; see
 * class_judge.h.
 */
#include "postgres.h"

#include "lattice/search.h"

#include "base/progress.h"
#include "miscadmin.h"

#define FAR_FEWER 16 /* see choose_pivot */

typedef struct TwoWay
{
	Search *search;
	Lattice *lattice;
	uint8 *state; /* NodeState by node */
	bool joint;   /* sets are joint, and nodes are also judged by models and people */
	List *cache;
	int64 decided; /* number of nodes decided */
	int64 *stack;  /* nodes to mark */
} TwoWay;

/*
 * Finds the floors of all attributes: the lowest level at which each by itself satisfies by row
 * counts.  False if one satisfies at no level.
 */
static bool
find_floors(Search *search, Level *floor)
{
	SearchIteration *iteration = search->now;
	FrequencySpace *space = search->source->space;
	Level *node = palloc(sizeof(Level) * space->attributes);
	bool possible = true;

	memset(node, LEVEL_ALL, sizeof(Level) * space->attributes);
	for (int i = 0; possible && i < space->quasi; i++)
	{
		FrequencySet *marginal = rollup_marginal(space, i);
		int lowest = frequency_space_lowest(space, i);
		int end = frequency_space_highest(space, i) + 1;

		for (node[i] = lowest; node[i] < end; node[i]++)
			if (search_check(search, NULL, &search->pruning, marginal, node))
				break;
		iteration->attribute_sets++;
		iteration->candidates += end - lowest;
		iteration->satisfying += end - node[i];
		possible = node[i] < end;
		floor[i] = node[i];
		node[i] = LEVEL_ALL;
		frequency_set_free(marginal);
	}
	pfree(node);
	return possible;
}

/*
 * Gives a state to a node and to all undecided nodes above it (direction 1) or below it (direction
 * -1).  Each node is decided once, so all calls together take O(nodes * attributes).
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
		two_way->decided++;
		for (int i = 0; i < lattice->attributes; i++)
		{
			int level = lattice_level(lattice, node, i) + direction;
			int64 next = node + direction * lattice->stride[i];

			if (level < lattice->lowest[i] || level > lattice->height[i] ||
				two_way->state[next] != NODE_CANDIDATE)
				continue;
			two_way->state[next] = (uint8) state;
			two_way->stack[depth++] = next;
		}
	}
}

/* A node in the form that the current sets have. */
static void
current_node(const TwoWay *two_way, int64 index, Level *node)
{
	lattice_node(two_way->lattice, index, node);
	if (!two_way->joint)
		frequency_space_drop_carried(two_way->search->source->space, node);
}

/* Nodes at or above the floors are candidates; all others fail. */
static void
mark_by_floors(TwoWay *two_way, const Level *floor)
{
	const Lattice *lattice = two_way->lattice;
	Level *node = palloc(sizeof(Level) * lattice->width);

	for (int64 index = 0; index < lattice->nodes; index++)
	{
		interrupt_check(index);
		current_node(two_way, index, node);
		two_way->state[index] =
			node_generalizes(lattice->width, node, floor) ? NODE_CANDIDATE : NODE_FAILS;
	}
	pfree(node);
}

/* Checks a node and marks what that decides.  Does it satisfy? */
static bool
decide(TwoWay *two_way, int64 index)
{
	Search *search = two_way->search;
	TallyRequest request = requirement_request(&search->pruning);
	Level *node = palloc(sizeof(Level) * two_way->lattice->width);
	FrequencyTally tally;
	bool holds;

	CHECK_FOR_INTERRUPTS();
	current_node(two_way, index, node);
	request.keep = TALLY_KEEP | TALLY_KEEP_ONLY_FAILED | TALLY_KEEP_ONLY_SMALL;
	tally = set_cache_tally(&two_way->cache, two_way->joint ? search->judge : NULL,
							&search->pruning, node, request);
	holds = requirement_holds(&search->pruning, &tally);
	search->now->checked++;
	search->now->rollups++;
	if (holds)
		mark(two_way, index, NODE_SATISFIES, 1);
	else
		mark(two_way, index, NODE_FAILS, -1);
	progress_done(two_way->decided);
	pfree(node);
	return holds;
}

/* The step that merges most: the attribute with the greatest drop in values, or -1. */
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
			two_way->state[node + lattice->stride[i]] != NODE_CANDIDATE)
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

/* Climbs from an undecided node through undecided ones; returns the chain's length. */
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
 * The undecided node of chain[low .. high - 1] to check next.  Usually the middle, a binary search.
 * If that means rolling up from a large set, it is the lowest node that surely has far fewer
 * groups: if it fails, its set serves all nodes above it, on this chain and others.
 */
static int
choose_pivot(const TwoWay *two_way, const int64 *chain, int low, int high)
{
	const FrequencySpace *space = two_way->search->source->space;
	Level *node = palloc(sizeof(Level) * space->attributes);
	int middle = (low + high) / 2;
	int pivot = low;
	double groups;

	current_node(two_way, chain[middle], node);
	groups = (double) set_cache_best(two_way->cache, node)->entries;
	for (; pivot < middle; pivot++)
	{
		current_node(two_way, chain[pivot], node);
		if (frequency_space_domain(space, node) * FAR_FEWER <= groups)
			break;
	}
	pfree(node);
	return groups > SET_CACHE_SMALL ? pivot : middle;
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

		/* A check decides more than one node, so the bounds may have moved. */
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
	int64 *chain = palloc(sizeof(int64) * (lattice_top_height(lattice) + 1));
	int64 *order = lattice_order(lattice);

	for (int64 i = 0; i < lattice->nodes; i++)
	{
		interrupt_check(i);
		if (two_way->state[order[i]] == NODE_CANDIDATE)
			search_chain(two_way, chain, climb(two_way, order[i], chain));
	}
	pfree(order);
	pfree(chain);
}

/* Decides all candidates, from the base and the sets kept. */
static void
search_candidates(TwoWay *two_way, FrequencySet *base)
{
	SearchIteration *iteration = two_way->search->now;

	iteration->attribute_sets = 1;
	iteration->candidates = lattice_count(two_way->lattice, two_way->state, NODE_CANDIDATE);
	iteration->rollups++;
	two_way->decided = 0;
	progress_phase("deciding generalizations", iteration->candidates);
	two_way->cache = list_make1(base);
	decide_all(two_way);
	set_cache_free(two_way->cache);
	iteration->satisfying = lattice_count(two_way->lattice, two_way->state, NODE_SATISFIES);
}

/*
 * By row counts, at and above the floors.  The ground set is rolled up to them; unless the space
 * carries anything, it is then no longer needed.
 */
static void
search_rows(TwoWay *two_way, FrequencySet **ground, Level *floor)
{
	Search *search = two_way->search;
	FrequencySet *base;

	frequency_space_drop_carried(search->source->space, floor);
	mark_by_floors(two_way, floor);
	base = rollup(*ground, search->source->space, floor);
	if (search->judge == NULL)
	{
		frequency_set_free(*ground);
		*ground = NULL;
	}
	search_candidates(two_way, base);
	frequency_set_free(base);
}

/*
 * Decides the remaining nodes by joint sets.  Replaces the ground set by a set rolled up from it.
 */
static void
search_joint(TwoWay *two_way, FrequencySet **ground)
{
	Search *search = two_way->search;
	Level *lowest = palloc(sizeof(Level) * two_way->lattice->width);
	FrequencySet *base;

	if (lattice_lowest(two_way->lattice, two_way->state, NODE_SATISFIES, lowest))
	{
		search_iteration_end(search);
		two_way->joint = true;
		search_iteration_begin(search, two_way->lattice->attributes);
		for (int64 node = 0; node < two_way->lattice->nodes; node++)
		{
			interrupt_check(node);
			if (two_way->state[node] == NODE_SATISFIES)
				two_way->state[node] = NODE_CANDIDATE;
		}
		base = rollup(*ground, search->source->space, lowest);
		frequency_set_free(*ground);
		*ground = base;
		search_candidates(two_way, base);
	}
	pfree(lowest);
}

static Answer *
search_above(Search *search, FrequencySet *ground, Level *floor)
{
	TwoWay two_way = {.search = search};
	Answer *answer;

	search_iteration_begin(search, search->source->space->quasi);
	two_way.lattice = lattice_create(search->source->space, NULL, search->source->space->quasi);
	two_way.state = lattice_allocate(two_way.lattice, sizeof(uint8));
	two_way.stack = lattice_allocate(two_way.lattice, sizeof(int64));
	search_rows(&two_way, &ground, floor);
	if (!requirement_is_plain(&search->pruning))
		search_joint(&two_way, &ground);
	answer = search_answer(search, two_way.lattice, two_way.state, ground);
	if (ground)
		frequency_set_free(ground);
	pfree(two_way.state);
	pfree(two_way.stack);
	lattice_free(two_way.lattice);
	return answer;
}

static Answer *
run_two_way(Search *search, RootSource roots)
{
	SearchIteration *iteration = search_iteration_begin(search, 1);
	FrequencySet *ground = search_read_ground(search);
	FrequencySpace *space = search->source->space;
	Level *floor = frequency_space_ground(space);
	bool possible;

	(void) roots;
	iteration->table_scans++;
	possible = find_floors(search, floor);
	search_iteration_end(search);
	if (possible)
		return search_above(search, ground, floor);
	frequency_set_free(ground);
	return answer_of_one(space, NULL, false);
}

const SearchAlgorithm two_way = {.name = "two_way", .run = run_two_way};
