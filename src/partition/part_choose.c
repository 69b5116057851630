/*
 * part_choose.c
 *		See part_choose.h.
 */
#include "postgres.h"

#include "partition/part_choose.h"

#include "partition/split_median.h"
#include "partition/split_scored.h"

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
				int32 children)
{
	PartitionRun *run = palloc0(sizeof(PartitionRun));

	run->dataset = dataset;
	run->request = request;
	run->demanded = request->k;
	if (request->models)
		run->demanded =
			Max(run->demanded, model_least_rows(request->models->models, request->models->model));
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
	run->children = create_children(request, children);
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
part_choose(const PartitionRun *run, SplitMeasure *measure, Part part, Split *split)
{
	*split = (Split){.kind = PARTITION_LEAF};
	if (part_rows(part) / 2 < run->least)
		return false;
	part_measure(run, part);
	if (is_fine(run))
		return false;
	return measure ? split_scored(measure, run, part, split) : split_median(run, part, split);
}
