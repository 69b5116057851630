/*
 * single_search.c
 *		See single_search.h.
 */
#include "postgres.h"

#include "single/single_search.h"

#include "base/progress.h"
#include "single/single_branch.h"
#include "single/single_greedy.h"

/* A cost as the caller knows it. */
static double
figure_of(const SingleSearch *search, int64 cost)
{
	return search->request->discernibility
			   ? (double) cost
			   : (double) cost / SINGLE_UNIT / (double) Max(search->table->rows, 1);
}

SingleAnswer *
single_search_run(CutSpace *space, const SingleRequest *request)
{
	SingleSearch *search = single_greedy_create(space, request);
	SingleAnswer *answer;
	int64 bound;

	progress_phase("searching", request->effort);
	if (!single_greedy_begin(search))
		return NULL;
	search->most = request->effort / 2;
	if (search->best_cost != NOT_PUBLISHED)
		single_greedy_improve(search);
	search->most = request->effort;
	bound = single_branch_run(search);
	if (search->best_cost == NOT_PUBLISHED)
		return NULL;
	answer = palloc0(sizeof(SingleAnswer));
	answer->mark = search->best;
	answer->map = search->map;
	cut_space_map(space, search->best, false, &answer->map);
	answer->cost = figure_of(search, search->best_cost);
	answer->bound = figure_of(search, bound);
	answer->looked = search->looked;
	answer->suppressed = search->best_lost;
	return answer;
}

void
single_search_free(CutSpace *space, const SingleRequest *request, SingleAnswer *answer)
{
	SingleSearch *search = single_greedy_create(space, request);

	search->most = request->effort / 2;
	single_greedy_lower(search, answer->mark, &answer->map);
	search->most = request->effort;
	single_greedy_lower(search, space->mark, &answer->map);
	answer->cost = figure_of(search, search->best_cost);
	answer->bound = 0;
	answer->suppressed = search->best_lost;
	answer->looked += search->looked;
}
