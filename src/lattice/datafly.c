/*
 * datafly.c
 *		See datafly.h.
 *
 * Generalizes the attribute with the most distinct values until the rows in small classes can be
 * suppressed.
 *
 * Ties go to the first attribute.  An attribute at its top is not generalized further, so the
 * search may end without an answer if tops have several labels.  It prunes nothing, so the
 * requirement need not be monotone.
 */
#include "postgres.h"

#include "lattice/datafly.h"

#include "miscadmin.h"

/* The attribute with the most values among those that can be generalized, or -1. */
static int
widest_attribute(const FrequencySpace *space, const Level *node)
{
	int widest = -1;
	int32 most = 0;

	for (int i = 0; i < space->quasi; i++)
	{
		const Dimension *dimension = space->dimension[i];

		if (node[i] < dimension->height && dimension->cardinality[node[i]] > most)
		{
			widest = i;
			most = dimension->cardinality[node[i]];
		}
	}
	return widest;
}

/* Climbs greedily; true if it ends at a node that satisfies. */
static bool
generalize(Search *search, SearchIteration *iteration, FrequencySet *ground, Level *node)
{
	FrequencySpace *space = search->source->space;
	FrequencySet *set = ground;
	bool holds = search_check_whole(search, iteration, set, node);

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
		holds = search_check_whole(search, iteration, set, node);
	}
	if (set != ground)
		frequency_set_free(set);
	return holds;
}

/* Does no direct specialization satisfy?  Datafly itself does not know. */
static bool
is_minimal(Search *search, SearchIteration *iteration, FrequencySet *ground, Level *node)
{
	bool minimal = true;

	for (int i = 0; minimal && i < search->source->space->quasi; i++)
	{
		if (node[i] == 0)
			continue;
		node[i]--;
		minimal = !search_check_whole(search, iteration, ground, node);
		node[i]++;
	}
	return minimal;
}

static Answer *
run_datafly(Search *search)
{
	SearchIteration *iteration = search_iteration_begin(search, 0);
	FrequencySet *ground = search_read_ground(search);
	FrequencySpace *space = search->source->space;
	Level *node = frequency_space_ground(space);
	Answer *answer;
	double nodes = 1; /* of the lattice, which is never built and may have any number of nodes */
	bool found;

	for (int i = 0; i < space->quasi; i++)
		nodes *= space->dimension[i]->height + 1;
	iteration->size = space->quasi;
	iteration->attribute_sets = 1;
	iteration->table_scans = 1;
	iteration->candidates = nodes < (double) PG_INT64_MAX ? (int64) nodes : PG_INT64_MAX;
	found = generalize(search, iteration, ground, node);
	iteration->satisfying = found;
	answer = answer_of_one(space, found ? node : NULL,
						   found && is_minimal(search, iteration, ground, node));
	frequency_set_free(ground);
	search_iteration_end(search);
	return answer;
}

const SearchAlgorithm datafly = {.name = "datafly", .run = run_datafly};
