/*
 * one_node.c
 *		Searches for one node; see search.h.
 *
 * Binary search: if some node of a height satisfies, some node of every greater height does.  The
 * table is read once; each check is a rollup from the ground set.
 *
 * If the requirement has parts that are not monotone, this holds only for the monotone part.  Then
 * all nodes from the lowest height that satisfies that part are checked for the whole requirement,
 * height by height, up to the first that satisfies.
 */
#include "postgres.h"

#include "lattice/search.h"

#include "miscadmin.h"

typedef struct HeightSearch
{
	Search *search;
	const Requirement *requirement; /* the whole or the monotone part */
	Lattice *lattice;
	FrequencySet *ground;
	int64 *order;
} HeightSearch;

/* The first node of a height that satisfies, or -1. */
static int64
first_of_height(HeightSearch *state, int height, Level *node)
{
	const Lattice *lattice = state->lattice;

	for (int64 i = lattice->first[height]; i < lattice->first[height + 1]; i++)
	{
		CHECK_FOR_INTERRUPTS();
		lattice_node(lattice, state->order[i], node);
		if (search_check(state->search, state->search->judge, state->requirement, state->ground,
						 node))
			return state->order[i];
	}
	return -1;
}

static int64
lowest_node(HeightSearch *state, Level *node)
{
	int low = 0;
	int high = lattice_top_height(state->lattice);
	int64 found = first_of_height(state, high, node);

	/* "found" has height "high"; nothing below "low" satisfies. */
	while (found >= 0 && low < high)
	{
		int middle = (low + high) / 2;
		int64 candidate = first_of_height(state, middle, node);

		if (candidate >= 0)
		{
			found = candidate;
			high = middle;
		}
		else
			low = middle + 1;
	}
	return found;
}

static Answer *
run_binary_search(Search *search, RootSource roots)
{
	HeightSearch state = {.search = search, .requirement = &search->pruning};
	Level *node;
	int64 found;

	(void) roots;
	state.ground = search_begin_whole(search);
	state.lattice = lattice_create(search->source->space, NULL, search->source->space->quasi);
	state.order = lattice_order(state.lattice);
	node = palloc(sizeof(Level) * state.lattice->width);
	found = lowest_node(&state, node);
	if (found >= 0 && !search_is_monotone(search))
	{
		int top = lattice_top_height(state.lattice);
		int height = lattice_height(state.lattice, found);

		/* Finds the first node from there upwards that satisfies the whole requirement. */
		state.requirement = &search->requirement;
		for (found = -1; found < 0 && height <= top; height++)
			found = first_of_height(&state, height, node);
	}
	search->now->satisfying = found >= 0;
	search_iteration_end(search);
	if (found >= 0)
		lattice_node(state.lattice, found, node);
	frequency_set_free(state.ground);
	pfree(state.order);
	lattice_free(state.lattice);
	return answer_of_one(search->source->space, found >= 0 ? node : NULL, true);
}

const SearchAlgorithm binary_search = {.name = "binary_search", .run = run_binary_search};

/*
 * ---- Datafly generalizes the attribute with the most distinct values until the rows in small
 * classes can be suppressed.
 *
 * Ties go to the first attribute.  An attribute at its top is not generalized further, so the
 * search may end without an answer if tops have several labels.  It prunes nothing, so the
 * requirement need not be monotone.
 */

/* The attribute with the most values among those that can be generalized, or -1. */
static int
widest_attribute(const FrequencySpace *space, const Level *node)
{
	int widest = -1;
	int32 most = 0;

	for (int i = 0; i < space->quasi; i++)
	{
		const Dimension *dimension = space->dimension[i];

		if (node[i] < frequency_space_highest(space, i) && dimension->cardinality[node[i]] > most)
		{
			widest = i;
			most = dimension->cardinality[node[i]];
		}
	}
	return widest;
}

/* Climbs greedily; true if it ends at a node that satisfies. */
static bool
generalize(Search *search, FrequencySet *ground, Level *node)
{
	FrequencySpace *space = search->source->space;
	FrequencySet *set = ground;
	bool holds = search_check(search, search->judge, &search->requirement, set, node);

	while (!holds)
	{
		int attribute = widest_attribute(space, node);
		FrequencySet *next;

		CHECK_FOR_INTERRUPTS();
		if (attribute < 0)
			break;
		node[attribute]++;
		next = rollup(set, space, node);
		if (set != ground)
			frequency_set_free(set);
		set = next;
		holds = search_check(search, search->judge, &search->requirement, set, node);
	}
	if (set != ground)
		frequency_set_free(set);
	return holds;
}

/* Does no direct specialization satisfy?  Datafly itself does not know. */
static bool
is_minimal(Search *search, FrequencySet *ground, Level *node)
{
	const FrequencySpace *space = search->source->space;
	bool minimal = true;

	for (int i = 0; minimal && i < space->quasi; i++)
	{
		if (node[i] == frequency_space_lowest(space, i))
			continue;
		node[i]--;
		minimal = !search_check(search, search->judge, &search->requirement, ground, node);
		node[i]++;
	}
	return minimal;
}

static Answer *
run_datafly(Search *search, RootSource roots)
{
	FrequencySet *ground = search_begin_whole(search);
	FrequencySpace *space = search->source->space;
	Level *node = frequency_space_ground(space);
	Answer *answer;
	bool found;

	(void) roots;
	for (int i = 0; i < space->quasi; i++)
		node[i] = frequency_space_lowest(space, i);
	found = generalize(search, ground, node);
	search->now->satisfying = found;
	answer = answer_of_one(space, found ? node : NULL, found && is_minimal(search, ground, node));
	frequency_set_free(ground);
	search_iteration_end(search);
	return answer;
}

const SearchAlgorithm datafly = {.name = "datafly", .run = run_datafly};
