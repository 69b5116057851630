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
 * By gain, an ordered attribute is cut only beside its median (split_median.c): the greatest gain
 * for each bit would chip far values off its ends, and leave parts that no longer divide well.  Who
 * compares several divisions may ask for that one (every_cut).
 *
 * Example, k = 1: ages 20, 30, 40 with classes A, A, B. (<= 20 | > 20) is worth 0 - 2, (<= 30 | >
 * 30) is worth 0 + 0: the second wins.
 */

/* The best split so far; PARTITION_LEAF: none. */
typedef struct BestSplit
{
	SplitMeasure *measure; /* NULL: by gain */
	double worth;
	Split split;
} BestSplit;

static void
consider(const PartitionRun *run, BestSplit *best, double worth, const Split *split)
{
	if (worth <= best->worth)
		return;
	best->worth = worth;
	best->split = *split;
	if (split->kind == PARTITION_SPECIALIZE)
		part_keep_children(run, &best->split);
}

/* Takes the rows of these entries (by 1), or gives them back (by -1). */
static void
move_rows(SplitMeasure *measure, const SortedPart *sorted, PartRange range, int by)
{
	for (int64 i = range.begin; i < range.end; i++)
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

/* Considers the cut of an ordered attribute beside its median, by gain. */
static void
consider_median(const PartitionRun *run, Part part, int attribute, BestSplit *best)
{
	Split split;

	if (split_median_cut(run, part, attribute, &split))
		consider(run, best, split_gain_of_cut(run, part, &split), &split);
}

/* .. or all cuts, for a target or by gain. */
static void
consider_cuts(const PartitionRun *run, Part part, int attribute, BestSplit *best)
{
	SplitMeasure *measure = best->measure;
	SortedPart sorted = part_sort(run, part, attribute);
	int64 last = part_rows(part) - run->least; /* the most rows allowed below */
	int64 next = sorted_part_rows(run, &sorted, 0);
	int64 taken = 0;
	int64 at = 0;
	Split split = {.kind = PARTITION_CUT,
				   .attribute = attribute,
				   .children = 2,
				   .null_child = sorted.row[0].code == DATASET_NULL ? 0 : -1};

	if (run->judge)
		part_judge_begin(run, part);
	while (taken + next <= last)
	{
		int32 below = sorted.row[at].code;
		int32 above;
		double worth;

		taken += next;
		if (run->judge)
			part_judge_take(run, part, sorted.row[at].place);
		if (measure)
			measure->move(measure, sorted.row[at].place, 1);
		next = sorted_part_rows(run, &sorted, ++at);
		above = sorted.row[at].code;
		interrupt_check(at);
		if (taken < run->least || below == above)
			continue;
		split.threshold = below;
		split.first = taken;
		worth = measure ? worth_of_both(measure)
						: split_gain_beside(run, part, &split, (CodesBeside){below, above});
		if (worth > best->worth && (!run->judge || part_judge_both(run)))
			consider(run, best, worth, &split);
	}
	if (measure)
		move_rows(measure, &sorted, (PartRange){0, at}, -1);
}

static double
worth_of_nulls(const PartitionRun *run, SplitMeasure *measure, Part part, const Split *split)
{
	SortedPart sorted = part_sort(run, part, split->attribute);
	PartRange nulls = part_null_range(&sorted);
	double worth;

	move_rows(measure, &sorted, nulls, 1);
	worth = worth_of_both(measure);
	move_rows(measure, &sorted, nulls, -1);
	return worth;
}

/* The labels of a specialization, whose rows are taken and given back. */
typedef struct MovedLabels
{
	SplitMeasure *measure;
	PartChildren *children;
	const int32 *ancestor;
	SortedPart sorted;
} MovedLabels;

static void
move_label(const MovedLabels *moved, int32 code, int by)
{
	move_rows(moved->measure, &moved->sorted,
			  part_label_range(&moved->sorted, moved->children, code, moved->ancestor), by);
}

static void
move_nulls(const MovedLabels *moved, int32 label, int by)
{
	if (moved->children->null_label == label)
		move_rows(moved->measure, &moved->sorted, part_null_range(&moved->sorted), by);
}

static double
worth_of_label(const MovedLabels *moved, int32 code)
{
	double worth;

	move_label(moved, code, 1);
	move_nulls(moved, code, 1);
	worth = moved->measure->worth(moved->measure, true);
	move_label(moved, code, -1);
	move_nulls(moved, code, -1);
	return worth;
}

static double
worth_of_rest(const MovedLabels *moved)
{
	const PartChildren *children = moved->children;
	double worth = 0;

	for (int by = 1; by >= -1; by -= 2)
	{
		for (int32 i = 0; i < children->count; i++)
			if (children->label[children->code[i]].in_rest)
				move_label(moved, children->code[i], by);
		move_nulls(moved, PART_REST, by);
		if (by == 1)
			worth = moved->measure->worth(moved->measure, true);
	}
	return worth;
}

static double
worth_of_labels(const PartitionRun *run, SplitMeasure *measure, Part part, const Split *split)
{
	const int32 *ancestor = run->column[split->attribute].dimension->ancestor[split->level];
	MovedLabels moved = {.measure = measure,
						 .children = run->labels->examined,
						 .ancestor = ancestor,
						 .sorted = part_sort_labels(run, part, split->attribute, ancestor)};
	double worth = split->rest ? worth_of_rest(&moved) : 0;

	/* In an order that does not depend on that of the rows, as sums of doubles do. */
	qsort(moved.children->code, moved.children->count, sizeof(int32), interrupt_compare_int32);
	for (int32 i = 0; i < moved.children->count; i++)
		if (!moved.children->label[moved.children->code[i]].in_rest)
			worth += worth_of_label(&moved, moved.children->code[i]);
	return worth;
}

static void
consider_attribute(const PartitionRun *run, Part part, int attribute, BestSplit *best)
{
	SplitMeasure *measure = best->measure;
	Split split;

	if (part_split_nulls(run, part, attribute, &split))
		consider(run, best,
				 measure ? worth_of_nulls(run, measure, part, &split)
						 : split_gain_of_nulls(run, part, &split),
				 &split);
	else if (part_is_cut(run, attribute))
		(measure || (run->request->every_cut && !run->column[attribute].plain)
			 ? consider_cuts
			 : consider_median)(run, part, attribute, best);
	else if (run->column[attribute].dimension && part_specialize(run, part, attribute, &split))
		consider(run, best,
				 measure ? worth_of_labels(run, measure, part, &split)
						 : split_gain_of_labels(run, part, &split),
				 &split);
}

/* The best allowable split by a measure or by gain; PARTITION_LEAF: none. */
static BestSplit
best_split(const PartitionRun *run, Part part, SplitMeasure *measure)
{
	const int *order = run->request->order;
	BestSplit best = {.measure = measure, .worth = -INFINITY};

	if (measure)
		measure->begin(measure, run, part);
	for (int i = 0; i < run->dataset->attributes; i++)
	{
		int attribute = order ? order[i] : i;

		if (!region_is_point(run->region, attribute))
			consider_attribute(run, part, attribute, &best);
	}
	return best;
}

/*
 * Sets "split" to the division of the part, whose region is run->region and which has at least 2k
 * rows, by the criterion; false if no split is allowable.
 */
static bool
choose(const PartitionRun *run, Part part, Split *split)
{
	SplitMeasure *measure = run->measure;
	BestSplit best = {.split.kind = PARTITION_LEAF};

	if (measure)
		best = best_split(run, part, measure);
	if (best.split.kind != PARTITION_LEAF && !measure->tells(measure, best.worth))
		best.split.kind = PARTITION_LEAF;
	if (best.split.kind == PARTITION_LEAF && run->gain)
	{
		best = best_split(run, part, NULL);
		if (best.worth <= 0)
			best.split.kind = PARTITION_LEAF;
	}
	if (best.split.kind == PARTITION_LEAF)
		return split_median(run, part, split);
	*split = best.split;
	return true;
}

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

/* The weights as shares of the greatest. */
static double *
scale_weights(const PartitionRequest *request, int attributes)
{
	double *weight = palloc(sizeof(double) * attributes);
	double most = 0;

	for (int i = 0; request->weight && i < attributes; i++)
		most = Max(most, request->weight[i]);
	for (int i = 0; i < attributes; i++)
		weight[i] = most > 0 ? request->weight[i] / most : 1;
	return weight;
}

PartitionRun *
part_run_create(Dataset *dataset, const PartitionRequest *request, const RecodingColumn *column)
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
	if (part_sorts(request->split, request->models != NULL,
				   part_any_plain(column, dataset->attributes)) ||
		request->every_cut)
		run->sorted = sorted_rows_create(dataset->rows, request->budget);
	if (request->split != SPLIT_MEDIAN)
		run->logs = log_table_find();
	if (split_takes_target(request->split))
		run->measure = split_measure_create(request, dataset->rows, run->logs);
	run->gain = request->split == SPLIT_GAIN || (request->rest && run->measure);
	run->weight = scale_weights(request, dataset->attributes);
	part_children_create(run, children);
	return run;
}

static bool
is_fine(const PartitionRun *run)
{
	const PartitionStop *stop = run->request->stop;

	return stop && stop->column &&
		   region_loss(run->region, run->dataset->attributes, stop->column, stop->weight) <=
			   stop->loss;
}

bool
part_choose(const PartitionRun *run, Part part, Split *split)
{
	const PartitionStop *stop = run->request->stop;

	*split = (Split){.kind = PARTITION_LEAF};
	if (part_rows(part) / 2 < run->least || (stop && part_rows(part) <= stop->rows))
		return false;
	part_measure(run, part);
	if (is_fine(run))
		return false;
	if (choose(run, part, split))
		return true;
	*split = (Split){.kind = PARTITION_LEAF};
	return false;
}
