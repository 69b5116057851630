/*
 * single_search.c
 *		See single_search.h.
 */
#include "postgres.h"

#include "single/single_search.h"

#include "base/interrupt.h"
#include "base/progress.h"
#include "single/single_branch.h"
#include "single/single_greedy.h"

/* ---- the series of k */

static int64
series_at(int number)
{
	static const int first[] = {10, 15, 20, 25, 30, 40, 50, 75};
	int64 k = number;

	if (number < first[0])
		return number;
	number -= first[0];
	k = first[number % (int) lengthof(first)];
	for (; number >= (int) lengthof(first); number -= (int) lengthof(first))
		k *= 10;
	return k;
}

/* How many numbers of the series there are up to one. */
static int
series_upto(int64 most)
{
	int count = 0;

	while (series_at(count + 1) <= most)
		count++;
	return count;
}

/* Up to which effort the greedy search may go for a k, if all of them have one together. */
static int64
effort_upto(const SingleSearch *search, int64 effort, int64 k)
{
	int all = Max(series_upto(search->table->rows), 1);
	int before = Min(series_upto(k - 1), all - 1);

	return effort / all * (all - before);
}

/* ---- the search */

/* A cost as the caller knows it. */
static double
figure_of(const SingleSearch *search, int64 cost)
{
	return search->request->discernibility
			   ? (double) cost
			   : (double) cost / SINGLE_UNIT / (double) Max(search->table->rows, 1);
}

/* Searches greedily for this k, from the best so far on; false if nothing satisfies. */
static bool
search_greedily(SingleSearch *search, int64 k, int64 most)
{
	bool known = search->best_cost != NOT_PUBLISHED;

	search->k = k;
	search->most = most;
	search->best_cost = NOT_PUBLISHED;
	memcpy(search->known, search->best, search->space->cuts);
	cut_space_leave(search->space, k, search->request->suppressible);
	if (!single_greedy_begin(search, known ? search->known : NULL))
		return false;
	if (search->best_cost != NOT_PUBLISHED)
		single_greedy_improve(search);
	return true;
}

SingleAnswer *
single_search_run(CutSpace *space, const SingleRequest *request)
{
	SingleSearch *search = single_greedy_create(space, request);
	int64 effort = request->effort / 2;
	SingleAnswer *answer;
	int64 bound;

	progress_phase("searching", request->effort);
	for (int i = series_upto(search->table->rows);
		 request->begin_with == NULL && series_at(i) > request->k; i--)
		(void) search_greedily(search, series_at(i), effort_upto(search, effort, series_at(i)));
	if (request->begin_with == NULL)
		effort = effort_upto(search, effort, request->k);
	if (!search_greedily(search, request->k, effort))
		return NULL;
	search->most = search->looked + (request->effort - search->looked) / 2;
	bound = single_branch_run(search, false);
	search->most = request->effort;
	if (bound < search->best_cost)
	{
		int64 proved = single_branch_run(search, true);

		bound = Max(bound, proved);
	}
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

/* ---- unrestricted */

static void
copy_map(const SingleTable *table, const SingleMap *from, SingleMap *to)
{
	for (int i = 0; i < table->attributes; i++)
		single_greedy_copy(table, from, to, i);
}

/* Lowers values for this k, from the map at work on, and keeps what costs less. */
static void
lower_from(SingleSearch *search, const SingleMap *from, SingleMap *best)
{
	copy_map(search->table, from, &search->map);
	single_greedy_lower(search, best);
}

/*
 * Lowers values for this k, from the best so far on, from the beginning, and from cuts that are
 * searched likewise.
 */
static void
lower_greedily(SingleSearch *search, SingleSearch *cuts, int64 k, int64 most, SingleMap *best)
{
	bool known = search->best_cost != NOT_PUBLISHED;
	int64 left;

	search->k = k;
	search->most = most - cuts->looked;
	search->best_cost = NOT_PUBLISHED;
	if (known)
		lower_from(search, best, best);
	memset(cuts->mark, CUT_LEFT, cuts->space->cuts);
	cut_space_map(cuts->space, cuts->mark, false, &cuts->map);
	lower_from(search, &cuts->map, best);
	left = Max(search->most - search->looked, 0);
	if (!search_greedily(cuts, k, cuts->looked + left / 2) || cuts->best_cost == NOT_PUBLISHED)
		return;
	search->most = most - cuts->looked;
	cut_space_map(cuts->space, cuts->best, false, &cuts->map);
	lower_from(search, &cuts->map, best);
}

void
single_search_free(CutSpace *space, const SingleRequest *request, SingleAnswer *answer)
{
	SingleRequest by_itself = *request;
	SingleSearch *search = single_greedy_create(space, request);
	SingleSearch *cuts = single_greedy_create(space, &by_itself);
	SingleMap best = single_map_create(space->table);

	by_itself.begin_with = NULL;
	for (int i = series_upto(search->table->rows); series_at(i) > request->k; i--)
		lower_greedily(search, cuts, series_at(i),
					   effort_upto(search, request->effort, series_at(i)), &best);
	lower_greedily(search, cuts, request->k, effort_upto(search, request->effort, request->k),
				   &best);
	answer->bound = 0;
	answer->looked += search->looked + cuts->looked;
	if (figure_of(search, search->best_cost) >= answer->cost)
		return;
	copy_map(search->table, &best, &answer->map);
	answer->cost = figure_of(search, search->best_cost);
	answer->suppressed = search->best_lost;
}
