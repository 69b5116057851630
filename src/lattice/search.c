/*
 * search.c
 *		See search.h.
 */
#include "postgres.h"

#include "lattice/search.h"

#include "base/interrupt.h"

static void
fix_requirement(Search *search)
{
	int64 rows = search->source->space->rows;

	if (search->k > rows)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("k is greater than the number of rows of relation %s", search->relation),
				 errdetail("k is " INT64_FORMAT ", the relation has " INT64_FORMAT " rows.",
						   search->k, rows)));
	search->requirement = requirement_create(search->k, search->suppression, rows);
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
	SearchIteration *iteration;

	search->iteration = search->iteration ? repalloc(search->iteration, bytes) : palloc(bytes);
	iteration = &search->iteration[search->iterations++];
	*iteration = (SearchIteration){.size = size};
	INSTR_TIME_SET_CURRENT(search->iteration_start);
	return iteration;
}

void
search_iteration_end(Search *search)
{
	instr_time now;

	INSTR_TIME_SET_CURRENT(now);
	INSTR_TIME_SUBTRACT(now, search->iteration_start);
	search->iteration[search->iterations - 1].milliseconds = INSTR_TIME_GET_MILLISEC(now);
}

bool
search_check(Search *search, SearchIteration *iteration, FrequencySet *source, const Level *node)
{
	TallyRequest request = requirement_request(&search->requirement);
	FrequencyTally tally = rollup_tally(source, search->source->space, node, &request);

	iteration->checked++;
	iteration->rollups++;
	return requirement_holds(&search->requirement, &tally);
}

static bool
is_minimal(const Lattice *lattice, const bool *satisfies, int64 node)
{
	for (int i = 0; i < lattice->attributes; i++)
		if (lattice_level(lattice, node, i) > 0 && satisfies[node - lattice->stride[i]])
			return false;
	return true;
}

static int64
count_flags(const bool *flags, int64 n)
{
	int64 count = 0;

	for (int64 i = 0; i < n; i++)
		count += flags[i];
	return count;
}

Answer *
answer_from_flags(const Lattice *lattice, const bool *satisfies, Budget *budget)
{
	Answer *answer = palloc0(sizeof(Answer));
	int64 count = count_flags(satisfies, lattice->nodes);
	int64 *first;
	int64 *order = lattice_order(lattice, budget, &first);

	budget_take(budget, mul_size(lattice->width * sizeof(Level) + sizeof(bool), count),
				"set of generalizations");
	answer->node =
		palloc_extended(Max(mul_size(lattice->width * sizeof(Level), count), 1), MCXT_ALLOC_HUGE);
	answer->minimal = palloc_extended(Max(count, 1), MCXT_ALLOC_HUGE);
	for (int64 i = 0; i < lattice->nodes; i++)
	{
		interrupt_check(i);
		if (!satisfies[order[i]])
			continue;
		lattice_node(lattice, order[i], answer->node + answer->count * lattice->width);
		answer->minimal[answer->count++] = is_minimal(lattice, satisfies, order[i]);
	}
	budget_give(budget, lattice_order_bytes(lattice));
	pfree(order);
	pfree(first);
	return answer;
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
