/*
 * trial_single.c
 *		Trials of single-dimension recoding: of few rows, what a search for cuts finds is compared
 *		with all sets of cuts, and what an answer says with its map; see trial.h.
 */
#include "postgres.h"

#include "trial.h"

#include <math.h>

#include "metric/loss.h"
#include "single/single_levels.h"
#include "single/single_search.h"

#define MAX_ATTRIBUTES 3
#define MAX_ROWS 10
#define MAX_VALUES 4
#define MAX_CUTS 12
#define ENOUGH_EFFORT 100000
#define ROUNDED 1e-6 /* losses are sums of rounded ones */

typedef struct SingleCase
{
	Trial *trial;
	int attributes;
	int rows;
	Dataset *dataset;
	RecodingColumn column[MAX_ATTRIBUTES];
	int order[MAX_ATTRIBUTES];
	double weight[MAX_ATTRIBUTES];
	CutSpace *space;
	SingleRequest request;
	SingleLevels *levels;
	double suppression;
} SingleCase;

/* What a row shows. */
typedef struct ShownRow
{
	int32 cell[MAX_ATTRIBUTES];
	double loss;
} ShownRow;

static bool
next_levels(void *state, const CutSpace *space, uint8 *mark)
{
	SingleCase *one = state;

	if (one->levels == NULL)
		one->levels = single_levels_begin(space, one->request.k, one->suppression);
	return single_levels_next(one->levels, mark);
}

static SingleCase *
draw_case(Trial *trial)
{
	SingleCase *one = palloc0(sizeof(SingleCase));
	Draw *draw = trial->draw;
	bool tree = draw_one_in(draw, 2);

	one->trial = trial;
	one->attributes = draw_between(draw, 1, MAX_ATTRIBUTES);
	one->rows = draw_between(draw, 1, MAX_ROWS);
	one->dataset = trial_draw_records(trial, one->attributes, one->rows, MAX_VALUES);
	for (int i = 0; i < one->attributes; i++)
	{
		int32 values = one->dataset->values[i];

		one->column[i] = (RecodingColumn){.spans = !tree, .whole = values - 1};
		if (tree && !draw_one_in(draw, 4))
			one->column[i].dimension =
				trial_draw_hierarchy(trial, values, one->dataset->has_null[i]);
		one->order[i] = i;
		one->weight[i] = 1.0 / one->attributes;
	}
	for (int row = 0; row < one->rows; row++)
		dataset_record(one->dataset, row)[one->attributes] = row;
	one->space = cut_space_create(one->dataset, tree, one->column, one->weight, one->order);
	one->suppression = draw_one_in(draw, 2) ? 0 : draw_below(draw, 90) / 100.0;
	one->request =
		(SingleRequest){.k = draw_between(draw, 1, draw_one_in(draw, 2) ? 3 : 6),
						.suppressible = Min((int64) (one->suppression * one->rows), one->rows - 1),
						.effort = draw_one_in(draw, 3) ? draw_between(draw, 1, 60) : ENOUGH_EFFORT,
						.discernibility = draw_one_in(draw, 4),
						.begin_with = tree && draw_one_in(draw, 2) ? next_levels : NULL,
						.state = one};
	return one;
}

/* ---- what rules cost, row by row */

static int
cuts_of(const SingleCase *one, int attribute)
{
	int end = one->space->cuts;

	for (int i = attribute + 1; i < one->attributes; i++)
		end = Min(end, one->space->attribute[i].first);
	return end - one->space->attribute[attribute].first;
}

/* The cell of a code by the cuts that are made, from the top down; its loss. */
static double
show_label(const CutAttribute *of, const uint8 *mark, int32 code, int32 *cell)
{
	int32 node = 0;

	while (of->node[node].cut >= 0 && mark[of->node[node].cut] == CUT_MADE)
		for (node++; of->node[node].last < code;)
			node = of->node[node].end;
	*cell = node;
	return loss_of_cell(of->column, &of->node[node].cell);
}

static double
show_interval(const SingleCase *one, int attribute, const uint8 *mark, int32 code, int32 *cell)
{
	const CutAttribute *of = &one->space->attribute[attribute];
	int32 codes = one->space->table->codes[attribute];
	int32 from = code;
	int32 to = code;
	RecodedCell shown;

	while (from > 0 && mark[of->first + from - 1] != CUT_MADE)
		from--;
	while (to < codes - 1 && mark[of->first + to] != CUT_MADE)
		to++;
	shown =
		single_interval(of->column, from, to, one->dataset->has_null[attribute] ? codes - 1 : -1);
	*cell = from;
	return loss_of_cell(of->column, &shown);
}

static int32
code_of(const SingleCase *one, int row, int attribute)
{
	int32 code = *dataset_code(one->dataset, row, attribute);

	return code == DATASET_NULL ? one->dataset->values[attribute] : code;
}

static void
show_rows(const SingleCase *one, const uint8 *mark, ShownRow *shown)
{
	for (int row = 0; row < one->rows; row++)
	{
		shown[row].loss = 0;
		for (int i = 0; i < one->attributes; i++)
			shown[row].loss +=
				one->weight[i] *
				(one->space->tree
					 ? show_label(&one->space->attribute[i], mark, code_of(one, row, i),
								  &shown[row].cell[i])
					 : show_interval(one, i, mark, code_of(one, row, i), &shown[row].cell[i]));
	}
}

/* What all rows cost; INFINITY if too many are in small classes. */
static double
cost_of(const SingleCase *one, const ShownRow *shown)
{
	double cost = 0;
	int lost = 0;

	for (int row = 0; row < one->rows; row++)
	{
		int size = 0;

		for (int other = 0; other < one->rows; other++)
			size +=
				memcmp(shown[row].cell, shown[other].cell, sizeof(int32) * one->attributes) == 0;
		lost += size < one->request.k;
		if (one->request.discernibility)
			cost += size < one->request.k ? one->rows : size;
		else
			cost += (size < one->request.k ? 1 : shown[row].loss) / one->rows;
	}
	return lost > one->request.suppressible || lost == one->rows ? INFINITY : cost;
}

/* The least cost of all sets of cuts. */
static double
least_cost(const SingleCase *one)
{
	uint8 mark[MAX_CUTS];
	ShownRow shown[MAX_ROWS];
	double least = INFINITY;

	for (int set = 0; set < 1 << one->space->cuts; set++)
	{
		for (int cut = 0; cut < one->space->cuts; cut++)
			mark[cut] = set >> cut & 1 ? CUT_MADE : CUT_LEFT;
		show_rows(one, mark, shown);
		least = Min(least, cost_of(one, shown));
	}
	return least;
}

/* ---- checks */

/* Does the map of an answer cost what it says? */
static void
check_map(const SingleCase *one, const SingleAnswer *answer, const char *what)
{
	ShownRow shown[MAX_ROWS];
	double cost;

	for (int row = 0; row < one->rows; row++)
	{
		shown[row].loss = 0;
		for (int i = 0; i < one->attributes; i++)
		{
			int32 code = code_of(one, row, i);
			int32 cell = answer->map.cell[i][code];

			if (one->space->tree && (one->space->attribute[i].node[cell].first > code ||
									 one->space->attribute[i].node[cell].last < code))
				elog(ERROR, "%s: code %d has a label that is not above it", what, code);
			shown[row].cell[i] = cell;
			shown[row].loss += (double) answer->map.loss[i][code] / SINGLE_UNIT;
		}
	}
	cost = cost_of(one, shown);
	if (!(fabs(cost - answer->cost) < ROUNDED))
		elog(ERROR, "%s: cost is %g, not %g", what, cost, answer->cost);
}

void
trial_single(Trial *trial)
{
	SingleCase *one;
	SingleAnswer *answer;
	double least;
	double cuts;
	int all = 0;

	trial->budget = trial_budget(ENOUGH_MEMORY);
	one = draw_case(trial);
	for (int i = 0; i < one->attributes; i++)
		all += cuts_of(one, i);
	if (all != one->space->cuts)
		elog(ERROR, "attributes have %d cuts of %d", all, one->space->cuts);
	if (one->space->cuts > MAX_CUTS)
		return;
	answer = single_search_run(one->space, &one->request);
	least = least_cost(one);
	if ((answer == NULL) != isinf(least) && one->request.effort == ENOUGH_EFFORT)
		elog(ERROR, "the least cost is %g, %s", least, answer ? "found" : "not found");
	if (answer == NULL)
		return;
	check_map(one, answer, "search");
	if (answer->bound > least + ROUNDED || answer->cost < least - ROUNDED)
		elog(ERROR, "cost %g, bound %g, the least is %g", answer->cost, answer->bound, least);
	if (one->request.effort == ENOUGH_EFFORT && answer->cost > least + ROUNDED)
		elog(ERROR, "cost %g, the least is %g", answer->cost, least);
	cuts = answer->cost;
	if (!one->space->tree || one->request.discernibility)
		return;
	single_search_free(one->space, &one->request, answer);
	check_map(one, answer, "free");
	if (answer->cost > cuts)
		elog(ERROR, "free values cost %g, cuts %g", answer->cost, cuts);
}
