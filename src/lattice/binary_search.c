/*
 * binary_search.c
 *		Samarati's binary search over heights; see binary_search.h.
 *
 * If some node of a height satisfies, some node of every greater height does.  The table is read
 * once; each check is a rollup from the ground set.
 *
 * If the requirement has parts that are not monotone, this holds only for the monotone part.  Then
 * all nodes from the lowest height that satisfies that part are checked for the whole requirement,
 * height by height, up to the first that satisfies.
 */
#include "postgres.h"

#include "lattice/binary_search.h"

#include "miscadmin.h"

typedef struct HeightSearch
{
	Search *search;
	SearchIteration *iteration;
	Lattice *lattice;
	FrequencySet *ground;
	int64 *order;
	int64 *first; /* [height]: its first index in order */
	bool whole;   /* check the whole requirement instead of the monotone part */
} HeightSearch;

/* The first node of a height that satisfies, or -1. */
static int64
first_of_height(HeightSearch *state, int height, Level *node)
{
	bool (*check)(Search *, SearchIteration *, FrequencySet *, const Level *) =
		state->whole ? search_check_whole : search_check;

	for (int64 i = state->first[height]; i < state->first[height + 1]; i++)
	{
		CHECK_FOR_INTERRUPTS();
		lattice_node(state->lattice, state->order[i], node);
		if (check(state->search, state->iteration, state->ground, node))
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
run_binary_search(Search *search)
{
	HeightSearch state = {.search = search};
	Level *node;
	int64 found;

	state.iteration = search_iteration_begin(search, 0);
	state.ground = search_read_ground(search);
	state.lattice = lattice_create_full(search->source->space);
	state.order = lattice_order(state.lattice, &state.first);
	state.iteration->size = state.lattice->attributes;
	state.iteration->attribute_sets = 1;
	state.iteration->table_scans = 1;
	state.iteration->candidates = state.lattice->nodes;
	node = palloc(sizeof(Level) * state.lattice->width);
	found = lowest_node(&state, node);
	if (found >= 0 && !search_is_monotone(search))
	{
		int top = lattice_top_height(state.lattice);
		int height = lattice_height(state.lattice, found);

		/* Finds the first node from there upwards that satisfies the whole requirement. */
		state.whole = true;
		for (found = -1; found < 0 && height <= top; height++)
			found = first_of_height(&state, height, node);
	}
	state.iteration->satisfying = found >= 0;
	search_iteration_end(search);
	if (found >= 0)
		lattice_node(state.lattice, found, node);
	frequency_set_free(state.ground);
	pfree(state.order);
	pfree(state.first);
	lattice_free(state.lattice);
	return answer_of_one(search->source->space, found >= 0 ? node : NULL, true);
}

const SearchAlgorithm binary_search = {.name = "binary_search", .run = run_binary_search};
