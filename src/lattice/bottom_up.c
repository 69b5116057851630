/*
 * bottom_up.c
 *		Bottom-up breadth-first search; see bottom_up.h.
 *
 * Nodes are visited by height.  A node with a direct specialization that satisfies does so, too;
 * all others are checked.  Frequency sets of failed nodes are kept for one height, which is all
 * that rollup needs.
 */
#include "postgres.h"

#include "lattice/bottom_up.h"

#include "miscadmin.h"

typedef struct BottomUp
{
	Search *search;
	SearchIteration *iteration;
	Lattice *lattice;
	bool use_rollup;
	bool *satisfies;
	FrequencySet **set; /* [node]: sets of failed nodes of the previous height */
} BottomUp;

/* Does a direct specialization satisfy?  If not, *source is the smallest set of one that failed. */
static bool
look_below(const BottomUp *state, int64 index, FrequencySet **source)
{
	const Lattice *lattice = state->lattice;

	*source = NULL;
	for (int i = 0; i < lattice->attributes; i++)
	{
		int64 below = index - lattice->stride[i];

		if (lattice_level(lattice, index, i) == 0)
			continue;
		if (state->satisfies[below])
			return true;
		if (state->set[below] && (*source == NULL || frequency_set_entries(state->set[below]) <
														 frequency_set_entries(*source)))
			*source = state->set[below];
	}
	return false;
}

/* Takes over the ground set if the node is the lowest one. */
static void
visit_node(BottomUp *state, int64 index, FrequencySet *ground)
{
	Search *search = state->search;
	TallyRequest request = requirement_request(&search->pruning);
	Level *node = palloc(sizeof(Level) * state->lattice->width);
	FrequencySet *source;
	FrequencySet *set;
	FrequencyTally tally;

	CHECK_FOR_INTERRUPTS();
	lattice_node(state->lattice, index, node);
	state->satisfies[index] = look_below(state, index, &source);
	if (!state->satisfies[index])
	{
		if (index == 0)
			set = ground;
		else if (state->use_rollup && source)
		{
			set = rollup(source, search->source->space, node);
			state->iteration->rollups++;
		}
		else
		{
			set = search->source->read_node(search->source, node);
			state->iteration->table_scans++;
		}
		tally = search_tally(search, set, node, &request);
		state->iteration->checked++;
		state->satisfies[index] = requirement_holds(&search->pruning, &tally);
		if (state->use_rollup && !state->satisfies[index])
			state->set[index] = set;
		else
			frequency_set_free(set);
	}
	state->iteration->satisfying += state->satisfies[index];
	pfree(node);
}

static void
free_height(BottomUp *state, const int64 *order, int64 from, int64 to)
{
	for (int64 i = from; i < to; i++)
		if (state->set[order[i]])
		{
			frequency_set_free(state->set[order[i]]);
			state->set[order[i]] = NULL;
		}
}

static Answer *
bottom_up_run(Search *search, bool use_rollup)
{
	BottomUp state = {.search = search, .use_rollup = use_rollup};
	FrequencySet *ground;
	Answer *answer;
	int64 *order;
	int64 *first; /* [height]: its first index in order */
	int top;

	state.iteration = search_iteration_begin(search, 0);
	ground = search_read_ground(search);
	state.lattice = lattice_create_full(search->source->space);
	state.iteration->size = state.lattice->attributes;
	state.iteration->attribute_sets = 1;
	state.iteration->table_scans = 1;
	state.iteration->candidates = state.lattice->nodes;
	state.satisfies = lattice_allocate(state.lattice, sizeof(bool));
	state.set = lattice_allocate(state.lattice, sizeof(FrequencySet *));
	order = lattice_order(state.lattice, &first);
	top = lattice_top_height(state.lattice);
	for (int height = 0; height <= top; height++)
	{
		for (int64 i = first[height]; i < first[height + 1]; i++)
			visit_node(&state, order[i], ground);
		if (height > 0)
			free_height(&state, order, first[height - 1], first[height]);
	}
	free_height(&state, order, first[top], first[top + 1]);
	pfree(order);
	pfree(first);
	answer = search_answer(search, state.lattice, state.satisfies, NULL);
	pfree(state.satisfies);
	pfree(state.set);
	lattice_free(state.lattice);
	return answer;
}

static Answer *
run_rollup(Search *search)
{
	return bottom_up_run(search, true);
}

static Answer *
run_scan(Search *search)
{
	return bottom_up_run(search, false);
}

const SearchAlgorithm bottom_up_rollup = {.name = "bottom_up", .run = run_rollup};
const SearchAlgorithm bottom_up_scan = {.name = "bottom_up", .run = run_scan};
