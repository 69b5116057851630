/*
 * part_choose.c
 *		See part.h.
 */
#include "postgres.h"

#include "partition/part.h"

#include <math.h>

#include "base/interrupt.h"

/*
 * ---- The best of all allowable splits by a measure (LeFevre, DeWitt 2007, section 1.2): for each
 * attribute, the rows of the part are sorted by it.  An ordered attribute can be cut between any
 * two different neighbours: one walk takes row after row.  Wherever both sides have k, it asks the
 * measure, and the models if the worth is better than the best so far.  A hierarchical attribute
 * has a single specialization, of the part's least common ancestor; its children are contiguous in
 * code order, after the NULLs, which join one of them.  A mixed attribute is split between NULL and
 * the rest if both have k rows, and only otherwise in the other ways.
 *
 * The greatest worth wins; on a tie the first attribute, then the lowest threshold.  If even that
 * tells next to nothing about the target (less than 0.01 bit a row, as in LeFevre, DeWitt 2007,
 * footnote 13, or less than 1/100 of the squared error), the part is divided at the median of its
 * widest attribute instead, because following noise would chip k rows off one end, over and over.
 * So parts are divided as long as any split is allowable, the partitioning is minimal, and where
 * the target is settled the ranges stay narrow for other uses.
 *
 * Example, k = 1: ages 20, 30, 40 with classes A, A, B. (<= 20 | > 20) is worth 0 - 2, (<= 30 | >
 * 30) is worth 0 + 0: the second wins.
 */

/* The best split so far; PARTITION_LEAF: none. */
typedef struct BestSplit
{
	double worth;
	Split split;
} BestSplit;

static void
consider(BestSplit *best, double worth, const Split *split)
{
	if (worth > best->worth)
		*best = (BestSplit){.worth = worth, .split = *split};
}

/* Takes the rows of entries [from, to) (by 1), or gives them back (by -1). */
static void
move_rows(SplitMeasure *measure, const SortedPart *sorted, int64 from, int64 to, int by)
{
	for (int64 i = from; i < to; i++)
	{
		interrupt_check(i);
		measure->move(measure, sorted->row[i].place, by);
	}
}

static double
worth_of_both(const SplitMeasure *measure)
{
	return measure->worth(measure, true) + measure->worth(measure, false);
}

/* Considers all cuts of an ordered attribute. */
static void
consider_cuts(const PartitionRun *run, Part part, int attribute, BestSplit *best)
{
	SplitMeasure *measure = run->measure;
	SortedPart sorted = part_sort(run, part, attribute);
	int64 last = part_rows(part) - run->least; /* the most rows allowed below */
	int64 next = sorted_part_rows(run, &sorted, 0);
	int64 taken = 0;
	int64 at = 0;

	if (run->judge)
		part_judge_begin(run, part);
	while (taken + next <= last)
	{
		taken += next;
		if (run->judge)
			part_judge_take(run, part, sorted.row[at].place);
		measure->move(measure, sorted.row[at++].place, 1);
		next = sorted_part_rows(run, &sorted, at);
		interrupt_check(at);
		if (taken >= run->least && sorted.row[at - 1].code != sorted.row[at].code &&
			worth_of_both(measure) > best->worth && (!run->judge || part_judge_both(run)))
			consider(best, worth_of_both(measure),
					 &(Split){.kind = PARTITION_CUT,
							  .attribute = attribute,
							  .threshold = sorted.row[at - 1].code,
							  .children = 2,
							  .null_child = sorted.row[0].code == DATASET_NULL ? 0 : -1,
							  .first = taken});
	}
	move_rows(measure, &sorted, 0, at, -1);
}

static void
consider_nulls(const PartitionRun *run, Part part, const Split *split, BestSplit *best)
{
	SplitMeasure *measure = run->measure;
	SortedPart sorted = part_sort(run, part, split->attribute);
	int64 nulls = part_child_end(&sorted, 0, NULL);

	move_rows(measure, &sorted, 0, nulls, 1);
	consider(best, worth_of_both(measure), split);
	move_rows(measure, &sorted, 0, nulls, -1);
}

static void
consider_specialization(const PartitionRun *run, Part part, int attribute, BestSplit *best)
{
	SplitMeasure *measure = run->measure;
	const int32 *ancestor;
	SortedPart sorted;
	Split split;
	double worth = 0;
	int64 nulls;
	int64 begin;

	if (!part_specialize(run, part, attribute, &split))
		return;
	ancestor = run->column[attribute].dimension->ancestor[split.level];
	sorted = part_sort(run, part, attribute);
	begin = nulls = split.null_child < 0 ? 0 : part_child_end(&sorted, 0, ancestor);
	for (int child = 0; child < split.children; child++)
	{
		int64 end = part_child_end(&sorted, begin, ancestor);
		int64 along = child == split.null_child ? nulls : 0;

		move_rows(measure, &sorted, 0, along, 1);
		move_rows(measure, &sorted, begin, end, 1);
		worth += measure->worth(measure, true);
		move_rows(measure, &sorted, begin, end, -1);
		move_rows(measure, &sorted, 0, along, -1);
		begin = end;
	}
	consider(best, worth, &split);
}

/*
 * Sets "split" to the best division of the part, whose region is run->region and which has at least
 * 2k rows; to split_median's if no split tells enough about the target; false if no split is
 * allowable.  O(rows) for each attribute.
 */
static bool
split_scored(const PartitionRun *run, Part part, Split *split)
{
	BestSplit best = {.worth = -INFINITY};
	Split nulls;

	run->measure->begin(run->measure, run, part);
	for (int i = 0; i < run->dataset->attributes; i++)
	{
		if (region_is_point(run->region, i))
			continue;
		if (part_split_nulls(run, part, i, &nulls))
			consider_nulls(run, part, &nulls, &best);
		else if (run->column[i].dimension)
			consider_specialization(run, part, i, &best);
		else
			consider_cuts(run, part, i, &best);
	}
	if (best.split.kind == PARTITION_LEAF || !run->measure->tells(run->measure, best.worth))
		return split_median(run, part, split);
	*split = best.split;
	return true;
}

#define PURPOSE "partition tree"

int32
part_most_children(const PartitionRequest *request, int attributes)
{
	int32 most = 2;

	for (int i = 0; i < attributes; i++)
	{
		const Dimension *dimension = request->column[i].dimension;

		for (int level = 0; dimension && level <= dimension->height; level++)
			most = Max(most, dimension->cardinality[level]);
	}
	return most;
}

static PartChildren *
create_children(const PartitionRequest *request, int32 most)
{
	PartChildren *children = palloc0(sizeof(PartChildren));

	children->code = budget_allocate(request->budget, most, sizeof(int32), PURPOSE);
	children->rows = budget_allocate(request->budget, most, sizeof(int64), PURPOSE);
	children->next = budget_allocate(request->budget, most, sizeof(int64), PURPOSE);
	if (request->rare_along)
		children->home = budget_allocate(request->budget, most, sizeof(int32), PURPOSE);
	return children;
}

PartitionRun *
part_run_create(Dataset *dataset, const PartitionRequest *request, const RecodingColumn *column,
				int64 rows)
{
	PartitionRun *run = palloc0(sizeof(PartitionRun));
	int32 children = part_most_children(request, dataset->attributes);

	run->dataset = dataset;
	run->request = request;
	run->demanded = request->k;
	if (request->models)
		run->demanded = Max(run->demanded, demand_least_rows(&request->models->demand));
	run->least = part_least(run, 2);
	run->width = palloc(sizeof(double) * dataset->attributes);
	run->region = region_create(dataset);
	run->column = column;
	run->ties = region_create(dataset);
	run->select = rank_select_create(dataset->rows, request->budget);
	if (request->models)
		run->judge = row_judge_create(request->models, request->budget);
	if (request->models || request->split != SPLIT_MEDIAN)
		run->sorted = sorted_rows_create(dataset->rows, request->budget);
	if (request->split != SPLIT_MEDIAN)
		run->measure = split_measure_create(request, dataset->rows, rows);
	run->children = create_children(request, children);
	run->child = budget_allocate(request->budget, children, sizeof(Part), PURPOSE);
	return run;
}

static bool
is_fine(const PartitionRun *run)
{
	const PartitionStop *stop = run->request->stop;

	return stop && region_loss(run->region, run->dataset->attributes, stop->column, stop->weight) <=
					   stop->loss;
}

bool
part_choose(const PartitionRun *run, Part part, Split *split)
{
	*split = (Split){.kind = PARTITION_LEAF};
	if (part_rows(part) / 2 < run->least)
		return false;
	part_measure(run, part);
	if (is_fine(run))
		return false;
	if (run->measure ? split_scored(run, part, split) : split_median(run, part, split))
		return true;
	*split = (Split){.kind = PARTITION_LEAF};
	return false;
}
