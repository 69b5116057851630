/*
 * trial_suppress.c
 *		Trials of local suppression, where NULL is a value and where it matches anything: every row
 *		is among k, and no hidden cell could be shown; of few cells, beside the least that must be
 *		hidden; see trial.h.
 */
#include "postgres.h"

#include "trial.h"

#include <math.h>

#include "local/local.h"
#include "suppress/class_hiding.h"
#include "suppress/match_hiding.h"

#define MAX_ROWS 60
#define MAX_COLUMNS 5
#define TINY_CELLS 16

typedef struct HiddenCase
{
	Trial *trial;
	Dataset *dataset;
	const MatchRows *table;
	int columns;
	int rows;
	int k;
	int known; /* columns */
	bool matches;
	double weight[MAX_COLUMNS];
} HiddenCase;

/* By "matches". */
static struct
{
	int tables;
	double least;
	double hidden;
} found[2];

/* ---- what must hold */

static bool
shows(const HiddenCase *one, const ColumnSet *shown, int row, int column)
{
	return (shown[row] >> column & 1) && *dataset_code(one->dataset, row, column) >= 0;
}

/* Are two rows alike, or do they match, by these columns? */
static bool
are_among(const HiddenCase *one, const ColumnSet *shown, int row, int other, ColumnSet set)
{
	for (int i = 0; i < one->columns; i++)
	{
		bool here = shows(one, shown, row, i);
		bool there = shows(one, shown, other, i);
		bool same = *dataset_code(one->dataset, row, i) == *dataset_code(one->dataset, other, i);

		if ((set >> i & 1) && (here && there ? !same : !one->matches && here != there))
			return false;
	}
	return true;
}

static bool
row_satisfies(const HiddenCase *one, const ColumnSet *shown, int row, ColumnSet set)
{
	int rows = 0;

	for (int other = 0; other < one->rows; other++)
		rows += are_among(one, shown, row, other, set);
	return rows >= one->k;
}

static bool
satisfies(const HiddenCase *one, const ColumnSet *shown)
{
	for (ColumnSet set = 0; set < (ColumnSet) 1 << one->columns; set++)
		for (int row = 0; __builtin_popcountll(set) == one->known && row < one->rows; row++)
			if (!row_satisfies(one, shown, row, set))
				return false;
	return true;
}

/* The weight of the cells that have values and are not shown. */
static double
cost_of(const HiddenCase *one, const ColumnSet *shown)
{
	double cost = 0;

	for (int row = 0; row < one->rows; row++)
		for (int i = 0; i < one->columns; i++)
			if (*dataset_code(one->dataset, row, i) >= 0 && !(shown[row] >> i & 1))
				cost += one->weight[i];
	return cost;
}

/* Over all sets of cells. */
static double
least_cost(const HiddenCase *one)
{
	double least = INFINITY;
	ColumnSet shown[MAX_ROWS];

	for (uint32 set = 0; set < 1u << (one->rows * one->columns); set++)
	{
		double cost;

		for (int row = 0; row < one->rows; row++)
			shown[row] = set >> (row * one->columns) & ((1u << one->columns) - 1);
		cost = cost_of(one, shown);
		if (cost < least && satisfies(one, shown))
			least = cost;
	}
	return least;
}

/* Shows each hidden cell alone. */
static void
check_minimal(const HiddenCase *one, ColumnSet *shown)
{
	for (int row = 0; row < one->rows; row++)
		for (int i = 0; i < one->columns; i++)
		{
			if ((shown[row] >> i & 1) || *dataset_code(one->dataset, row, i) < 0)
				continue;
			shown[row] ^= column_set_of(i);
			if (satisfies(one, shown))
				elog(ERROR, "cell %d of row %d is hidden in vain", i, row);
			shown[row] ^= column_set_of(i);
		}
}

/* ---- hiding */

/* What local recoding shows where it shows or hides values. */
static ColumnSet *
show_classes(HiddenCase *one)
{
	Dataset *dataset = one->dataset;
	RecodingColumn column[MAX_COLUMNS];
	LocalRequest request = {.k = one->k, .column = column, .budget = &one->trial->budget};
	ColumnSet *shown = palloc0(sizeof(ColumnSet) * one->rows);
	const Recoding *recoding;

	for (int i = 0; i < one->columns; i++)
		column[i] = (RecodingColumn){.plain = true};
	recoding = local_run(dataset, &request);
	for (int class = 1; class <= recoding->groups; class ++)
		for (int row = recoding->class_end[class - 1]; row < recoding->class_end[class]; row++)
			for (int i = 0; i < one->columns; i++)
			{
				int32 code = *dataset_code(dataset, row, i);
				bool same = code >= 0;

				for (int other = recoding->class_end[class - 1]; other < recoding->class_end[class];
					 other++)
					same = same && *dataset_code(dataset, other, i) == code;
				shown[row] |= same ? column_set_of(i) : 0;
			}
	return shown;
}

static ColumnSet *
hide(HiddenCase *one)
{
	ColumnSet *shown;
	double before;

	if (one->matches)
	{
		one->table = match_rows_create(one->dataset, NULL);
		return match_hiding_run(
			one->table, &(MatchHiding){.k = one->k, .known = one->known, .weight = one->weight});
	}
	shown = show_classes(one);
	one->table = match_rows_create(one->dataset, NULL);
	before = cost_of(one, shown);
	class_hiding_improve(one->table, one->k, one->weight, shown);
	if (cost_of(one, shown) > before + 1e-9)
		elog(ERROR, "hides more than before");
	return shown;
}

/* Counts the rows that each matches by all columns as they are. */
static void
check_counts(const HiddenCase *one)
{
	ColumnSet all = column_set_all(one->columns);
	int64 *count = palloc(sizeof(int64) * one->rows);
	HiddenCase matching = *one;

	matching.matches = true;
	match_rows_count(one->table, all, count);
	for (int row = 0; row < one->rows; row++)
	{
		matching.k = (int) count[row];
		if (!row_satisfies(&matching, one->table->shown, row, all))
			elog(ERROR, "row %d matches fewer rows than are counted", row);
		matching.k++;
		if (row_satisfies(&matching, one->table->shown, row, all))
			elog(ERROR, "row %d matches more rows than are counted", row);
	}
}

void
trial_suppress(Trial *trial)
{
	Draw *draw = trial->draw;
	HiddenCase one = {.trial = trial, .matches = draw_one_in(draw, 2)};
	bool tiny = draw_one_in(draw, 2);
	ColumnSet *shown;

	one.columns = draw_between(draw, 1, MAX_COLUMNS);
	one.rows = draw_between(draw, 1, tiny ? TINY_CELLS / one.columns : MAX_ROWS);
	one.k = draw_between(draw, 1, tiny ? 4 : 8);
	one.k = Min(one.k, one.rows);
	one.known = one.columns;
	if (one.matches && draw_one_in(draw, 3))
		one.known = draw_between(draw, 1, one.columns);
	for (int i = 0; i < one.columns; i++)
		one.weight[i] = draw_one_in(draw, 2) ? 1 : draw_between(draw, 1, 4) / 2.0;
	trial->budget = trial_budget((Size) 64 << 20);
	one.dataset = trial_draw_records(trial, one.columns, one.rows, 6);
	shown = hide(&one);
	check_counts(&one);
	if (!satisfies(&one, shown))
		elog(ERROR, "a row is among fewer than k");
	check_minimal(&one, shown);
	if (!tiny)
		return;
	found[one.matches].tables++;
	found[one.matches].least += least_cost(&one);
	found[one.matches].hidden += cost_of(&one, shown);
}

void
trial_suppress_report(void)
{
	for (int matches = 0; matches < 2; matches++)
		if (found[matches].least > 0)
			printf("hidden cells %d %d %.17g %.17g\n", matches, found[matches].tables,
				   found[matches].least, found[matches].hidden);
}
