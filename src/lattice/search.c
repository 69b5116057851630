/*
 * search.c
 *		See search.h.
 */
#include "postgres.h"

#include "lattice/search.h"

#include "base/progress.h"
#include "miscadmin.h"
#include "model/known.h"

/* k must not exceed the number of rows, or of distinct people. */
static void
check_k(const Search *search)
{
	const FrequencySpace *space = search->source->space;
	const Dimension *person = space->dimension[space->attributes - 1];
	int64 members =
		search->demand.person ? person->cardinality[0] - (person->has_null ? 1 : 0) : space->rows;

	if (search->k <= members)
		return;
	if (search->demand.person)
		ereport(
			ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("k is greater than the number of people in relation %s", search->relation),
			 errdetail("k is " INT64_FORMAT ", the relation has " INT64_FORMAT " different people.",
					   search->k, members)));
	ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					errmsg("k is greater than the number of rows of relation %s", search->relation),
					errdetail("k is " INT64_FORMAT ", the relation has " INT64_FORMAT " rows.",
							  search->k, members)));
}

static void
fix_requirement(Search *search)
{
	FrequencySpace *space = search->source->space;

	space->lowest = search->lowest;
	space->highest = search->highest;
	check_k(search);
	known_check_sets(&search->demand, space->quasi);
	search->requirement =
		requirement_create(search->k, search->suppression, space->rows, &search->demand);
	search->pruning = requirement_monotone(&search->requirement);
	if (!requirement_is_plain(&search->requirement))
		search->judge = class_judge_create(space, &search->demand);
}

FrequencySet *
search_read_ground(Search *search)
{
	FrequencySet *ground = search->source->read_ground(search->source);

	fix_requirement(search);
	return ground;
}

void
search_read_marginals(Search *search)
{
	search->source->read_marginals(search->source);
	fix_requirement(search);
}

SearchIteration *
search_iteration_begin(Search *search, int size)
{
	Size bytes = sizeof(SearchIteration) * (search->iterations + 1);

	search->iteration = search->iteration ? repalloc(search->iteration, bytes) : palloc(bytes);
	search->now = &search->iteration[search->iterations++];
	*search->now = (SearchIteration){.size = size};
	progress_phase("checking generalizations", 0);
	INSTR_TIME_SET_CURRENT(search->iteration_start);
	return search->now;
}

FrequencySet *
search_begin_whole(Search *search)
{
	SearchIteration *iteration = search_iteration_begin(search, 0);
	FrequencySet *ground = search_read_ground(search);
	const FrequencySpace *space = search->source->space;
	double nodes = 1; /* any number, if the lattice is never built */

	for (int i = 0; i < space->quasi; i++)
		nodes *= frequency_space_highest(space, i) - frequency_space_lowest(space, i) + 1;
	iteration->size = space->quasi;
	iteration->attribute_sets = 1;
	iteration->table_scans = 1;
	iteration->candidates = nodes < (double) PG_INT64_MAX ? (int64) nodes : PG_INT64_MAX;
	return ground;
}

void
search_iteration_end(Search *search)
{
	instr_time now;

	INSTR_TIME_SET_CURRENT(now);
	INSTR_TIME_SUBTRACT(now, search->iteration_start);
	search->now->milliseconds = INSTR_TIME_GET_MILLISEC(now);
}

bool
search_is_monotone(const Search *search)
{
	return requirement_is_monotone(&search->requirement);
}

FrequencyTally
search_tally(ClassJudge *judge, const Requirement *requirement, FrequencySet *source,
			 const Level *node, const TallyRequest *request)
{
	if (known_applies(requirement, source->space, node))
		return known_tally(judge, requirement, source, node, request);
	if (judge == NULL)
		return rollup_tally(source, source->space, node, request);
	return class_judge_tally(judge, requirement, source, node, request);
}

bool
search_check(Search *search, ClassJudge *judge, const Requirement *requirement,
			 FrequencySet *source, const Level *node)
{
	TallyRequest request = requirement_request(requirement);
	FrequencyTally tally = search_tally(judge, requirement, source, node, &request);

	progress_done(++search->now->checked);
	search->now->rollups++;
	return requirement_holds(requirement, &tally);
}

/* All nodes of a lattice that satisfy.  O(nodes * attributes). */
static Answer *
answer_from_states(const Lattice *lattice, const uint8 *state)
{
	Answer *answer = palloc0(sizeof(Answer));
	int64 count = lattice_count(lattice, state, NODE_SATISFIES);
	int64 *order = lattice_order(lattice);

	answer->node = budget_allocate(lattice->budget, count, lattice->width * sizeof(Level),
								   "set of generalizations");
	answer->minimal =
		budget_allocate(lattice->budget, count, sizeof(bool), "set of generalizations");
	for (int64 i = 0; i < lattice->nodes; i++)
	{
		interrupt_check(i);
		if (state[order[i]] != NODE_SATISFIES)
			continue;
		lattice_node(lattice, order[i], answer->node + answer->count * lattice->width);
		answer->minimal[answer->count++] =
			!lattice_any_below(lattice, state, order[i], NODE_SATISFIES);
	}
	pfree(order);
	return answer;
}

/* Judges nodes by the whole requirement; a node's set may serve nodes above it. */
static void
judge_all(Search *search, const Lattice *lattice, uint8 *state, FrequencySet *base)
{
	SearchIteration *iteration = search->now;
	List *cache = list_make1(base);
	TallyRequest request = requirement_request(&search->requirement);
	Level *node = palloc(sizeof(Level) * lattice->width);
	int64 *order = lattice_order(lattice);

	request.keep = TALLY_KEEP | TALLY_KEEP_ONLY_SMALL;
	for (int64 i = 0; i < lattice->nodes; i++)
	{
		FrequencyTally tally;

		interrupt_check(i);
		if (state[order[i]] != NODE_SATISFIES)
			continue;
		CHECK_FOR_INTERRUPTS();
		lattice_node(lattice, order[i], node);
		tally = set_cache_tally(&cache, search->judge, &search->requirement, node, request);
		iteration->checked++;
		iteration->rollups++;
		if (requirement_holds(&search->requirement, &tally))
			iteration->satisfying++;
		else
			state[order[i]] = NODE_FAILS;
	}
	pfree(order);
	pfree(node);
	set_cache_free(cache);
}

/*
 * Parts that are not monotone say nothing about other nodes: judges all nodes one by one that
 * satisfy so far.
 */
static void
judge_each(Search *search, const Lattice *lattice, uint8 *state, FrequencySet *base)
{
	SearchIteration *iteration = search_iteration_begin(search, lattice->attributes);
	Level *lowest = palloc(sizeof(Level) * lattice->width);
	FrequencySet *set;

	iteration->candidates = lattice_count(lattice, state, NODE_SATISFIES);
	if (lattice_lowest(lattice, state, NODE_SATISFIES, lowest))
	{
		iteration->attribute_sets = 1;
		iteration->table_scans = base == NULL;
		iteration->rollups = base != NULL;
		set = base ? rollup(base, search->source->space, lowest)
				   : search->source->read_node(search->source, lowest);
		judge_all(search, lattice, state, set);
		frequency_set_free(set);
	}
	pfree(lowest);
	search_iteration_end(search);
}

Answer *
search_answer(Search *search, const Lattice *lattice, uint8 *state, FrequencySet *base)
{
	search_iteration_end(search);
	if (!search_is_monotone(search))
		judge_each(search, lattice, state, base);
	return answer_from_states(lattice, state);
}

Answer *
answer_of_one(const FrequencySpace *space, const Level *node, bool minimal)
{
	Answer *answer = palloc0(sizeof(Answer));

	if (node == NULL)
		return answer;
	answer->count = 1;
	answer->node = palloc(sizeof(Level) * space->attributes);
	memcpy(answer->node, node, sizeof(Level) * space->attributes);
	answer->minimal = palloc(sizeof(bool));
	answer->minimal[0] = minimal;
	return answer;
}

/*
 * ---- Sets to roll up from.
 */

/* A set is kept only if it is this many times smaller than its source. */
#define WORTH 2

FrequencySet *
set_cache_best(const List *cache, const Level *node)
{
	FrequencySet *best = NULL;

	foreach_ptr (FrequencySet, set, cache)
	{
		if (best && set->entries >= best->entries)
			continue;
		if (node_generalizes(set->space->attributes, node, set->node))
			best = set;
	}
	return best;
}

FrequencyTally
set_cache_tally(List **cache, ClassJudge *judge, const Requirement *requirement, const Level *node,
				TallyRequest request)
{
	FrequencySet *source = set_cache_best(*cache, node);
	FrequencyTally tally;

	if (judge && source->entries <= SET_CACHE_SMALL)
		request.keep = 0;
	tally = search_tally(judge, requirement, source, node, &request);
	if (tally.kept == NULL)
		return tally;
	if (tally.kept->entries * WORTH > source->entries ||
		((request.keep & TALLY_KEEP_ONLY_FAILED) && requirement_holds(requirement, &tally)))
		frequency_set_free(tally.kept);
	else
		*cache = lappend(*cache, tally.kept);
	tally.kept = NULL;
	return tally;
}

void
set_cache_free(List *cache)
{
	for (int i = 1; i < list_length(cache); i++)
		frequency_set_free(list_nth(cache, i));
	list_free(cache);
}
