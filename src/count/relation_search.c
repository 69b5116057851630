/*
 * relation_search.c
 *		See relation_search.h.
 */
#include "postgres.h"

#include "count/relation_search.h"

#include "count/frequency_query.h"
#include "utils/memutils.h"

static SearchIteration *last_iterations = NULL;
static int last_iteration_count = 0;

void
relation_search_open(Search *search, Description *description)
{
	sensitive_values_read(description, search->budget);
	sensitive_values_check(description);
	search->relation = description->name;
	search->source = frequency_query_create(description, search->budget);
	search->demand = description->demand;
}

Answer *
relation_search_run(Search *search, const SearchAlgorithm *algorithm)
{
	Answer *answer = algorithm->run(search);
	Size bytes = sizeof(SearchIteration) * search->iterations;
	SearchIteration *copy = MemoryContextAlloc(TopMemoryContext, Max(bytes, 1));

	memcpy(copy, search->iteration, bytes);
	if (last_iterations)
		pfree(last_iterations);
	last_iterations = copy;
	last_iteration_count = search->iterations;
	return answer;
}

LossTable *
relation_search_loss(const Search *search, const Description *description)
{
	double *weight = palloc(sizeof(double) * Max(description->quasi_count, 1));

	for (int i = 0; i < description->quasi_count; i++)
		weight[i] = description->quasi[i]->weight;
	return loss_table_create(search->source->space, weight);
}

const SearchIteration *
relation_search_last(int *iterations)
{
	*iterations = last_iteration_count;
	return last_iterations;
}
