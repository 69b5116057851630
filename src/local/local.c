/*
 * local.c
 *		See local.h.
 */
#include "postgres.h"

#include "local/local.h"

#include "base/context.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "local/local_blocks.h"
#include "local/local_table.h"
#include "partition/part.h"
#include "partition/region_classes.h"
#include "utils/memutils.h"

#define PURPOSE "local recoding"

Size
local_bytes(int64 rows, int attributes)
{
	Size of_row = 256 + (Size) attributes * 16;

	return mul_size(of_row, Min(rows, LOCAL_REGION_ROWS)) + 64 * 1024;
}

typedef struct LocalRun
{
	RegionClasses *local;
	Dataset *dataset;
	const LocalRequest *request;
	RowJudge *judge;
	LocalProgress *progress;
	int64 published; /* records that are in the order of classes */
	int64 left_out;  /* records that are not published, and copies of them */
	int32 *aside;
} LocalRun;

/*
 * Moves the records of a region behind those that are published, in the order of its classes, and
 * adds these to the result.
 */
static void
publish(LocalRun *run, const LocalTable *table, const LocalClasses *classes)
{
	RegionClasses *local = run->local;
	Dataset *dataset = table->dataset;
	Size bytes = sizeof(int32) * dataset->stride;
	int32 *records =
		budget_allocate(table->budget, mul_size(bytes, table->rows), sizeof(char), PURPOSE);
	int64 *next = budget_allocate(table->budget, classes->count + 1, sizeof(int64), PURPOSE);

	memcpy(records, dataset_record(dataset, table->begin), bytes * table->rows);
	for (int32 tuple = 0; tuple < table->tuples; tuple++)
		if (classes->class_of[tuple] >= 0)
			next[classes->class_of[tuple] + 1] += local_tuple_rows(table, tuple);
	next[0] = run->published;
	for (int32 i = 1; i <= classes->count; i++)
	{
		next[i] += next[i - 1];
		local->class_end[++local->base.groups] = (int32) next[i];
	}
	run->published = next[classes->count];
	for (int32 tuple = 0; tuple < table->tuples; tuple++)
	{
		int32 rows = local_tuple_rows(table, tuple);
		int32 class = classes->class_of[tuple];
		int64 *place = class < 0 ? &run->left_out : &next[class];
		int32 *to = class < 0 ? run->aside : dataset->codes;

		interrupt_check(tuple);
		memcpy(to + *place * dataset->stride,
			   records + (Size) table->first[tuple] * dataset->stride, bytes * rows);
		*place += rows;
		run->progress->left_out += class < 0 ? rows : 0;
	}
	pfree(records);
	pfree(next);
}

static void
number_rows(const RegionClasses *local)
{
	const Dataset *dataset = local->base.dataset;

	for (int32 class = 1; class <= local->base.groups; class ++)
		for (int64 at = local->class_end[class - 1]; at < local->class_end[class]; at++)
		{
			interrupt_check(at);
			local->class_of_row[dataset_row(dataset, dataset_record(dataset, at))] = class;
		}
}

/*
 * Of the rows that may be left out, the share of the regions up to this, without what they took; or
 * half of what is left, for rows that cost much may come together.
 */
static int64
omissible(const LocalRun *run, Part region)
{
	const LocalProgress *progress = run->progress;
	double share = (double) (progress->done + part_rows(region)) / (double) progress->rows;
	int64 left = run->request->suppressed - progress->left_out;

	return Max((int64) (share * (double) run->request->suppressed) - progress->left_out, left / 2);
}

/* Recodes the rows of a region.  Satisfies: together they do; otherwise they may not. */
static void
recode_region(LocalRun *run, LocalBlocks *blocks, Part region, bool satisfies)
{
	MemoryContext scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon local region", CONTEXT_SMALL_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(scratch);
	Recoding *base = &run->local->base;
	LocalTable *table = local_table_create(run->dataset, region.begin, region.end, base->column,
										   run->request, run->judge);
	LocalClasses classes = {.table = table};

	classes.class_of = budget_allocate(table->budget, table->tuples, sizeof(int32), PURPOSE);
	for (int32 tuple = 0; tuple < table->tuples; tuple++)
		classes.class_of[tuple] = tuple;
	if (satisfies || local_satisfies(table, classes.class_of, table->tuples))
	{
		int64 people;

		local_blocks_run(blocks, table, omissible(run, region), &classes);
		people = local_classes_people(&classes);
		base->people = base->people > 0 ? Min(base->people, people) : people;
		publish(run, table, &classes);
	}
	run->progress->done += part_rows(region);
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(scratch);
}

/* ---- regions */

typedef struct Regions
{
	PartitionRun *run;
	Part *region;
	int64 count;
	int64 capacity;
	MemoryContext context; /* of the array */
} Regions;

static void
add_region(Regions *regions, Part region, const Budget *budget)
{
	MemoryContext caller = MemoryContextSwitchTo(regions->context);

	regions->region = budget_room(budget, regions->region, &regions->capacity, regions->count + 1,
								  sizeof(Part), PURPOSE);
	regions->region[regions->count++] = region;
	MemoryContextSwitchTo(caller);
}

static void
divide_regions(Regions *regions, Part part, const Budget *budget)
{
	PartitionRun *run = regions->run;
	Split split;
	Part *child;

	CHECK_FOR_INTERRUPTS();
	check_stack_depth();
	if (!part_choose(run, part, &split))
	{
		add_region(regions, part, budget);
		return;
	}
	child = part_divide_apart(run, part, &split);
	for (int i = 0; i < split.children; i++)
		divide_regions(regions, child[i], budget);
	pfree(child);
}

PartitionRequest
local_region_request(const LocalRequest *request, int64 rows)
{
	static const PartitionStop stop = {.rows = LOCAL_REGION_ROWS};
	bool many = rows > LOCAL_REGION_ROWS && request->k < LOCAL_REGION_ROWS / 32;

	return (PartitionRequest){.k = many ? 8 * request->k : request->k,
							  .split = SPLIT_GAIN,
							  .rest = true,
							  .stop = &stop,
							  .weight = request->weight,
							  .order = request->order,
							  .models = request->models,
							  .column = request->column,
							  .of_part = request->of_part,
							  .places_only = request->places_only,
							  .budget = request->budget};
}

/* Divides more rows than a region may have. */
static Regions
find_regions(const LocalRun *run)
{
	Regions regions = {.context = CurrentMemoryContext};
	PartitionRequest request = local_region_request(run->request, run->dataset->rows);
	MemoryContext scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon local regions", CONTEXT_SMALL_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(scratch);

	regions.run = part_run_create(run->dataset, &request, run->local->base.column);
	if ((run->request->of_part && !run->request->unjudged) ||
		part_judge_class(regions.run, (Part){0, run->dataset->rows}))
		divide_regions(&regions, (Part){0, run->dataset->rows}, run->request->budget);
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(scratch);
	return regions;
}

Recoding *
local_run(Dataset *dataset, const LocalRequest *request)
{
	LocalProgress all_rows = {.rows = dataset->rows};
	LocalRun run = {.dataset = dataset, .request = request, .progress = &all_rows};
	Part all = {0, dataset->rows};
	Regions regions = {.region = &all, .count = 1};
	LocalBlocks *blocks;
	MemoryContext scratch;
	MemoryContext caller;
	bool satisfies;
	int64 most = 0;

	if (dataset->rows == 0 || dataset->rows < request->k)
		return NULL;
	scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon local blocks", CONTEXT_SMALL_SIZES);
	if (request->progress)
		run.progress = request->progress;
	run.local = region_classes_create(dataset, request->column, request->of_part, request->k,
									  request->places_only, request->budget, PURPOSE);
	if (request->models)
		run.judge = row_judge_create(request->models, request->budget);
	run.aside = budget_allocate(request->budget, Min(request->suppressed, dataset->rows),
								sizeof(int32) * dataset->stride, PURPOSE);
	if (!request->of_part)
		progress_phase("dividing rows", dataset->rows);
	if (dataset->rows > LOCAL_REGION_ROWS)
		regions = find_regions(&run);
	satisfies = regions.region != &all || (request->of_part && !request->unjudged);
	for (int64 i = 0; i < regions.count; i++)
		most = Max(most, part_rows(regions.region[i]));
	caller = MemoryContextSwitchTo(scratch);
	blocks = local_blocks_create(dataset, run.local->base.column, request, most);
	MemoryContextSwitchTo(caller);
	for (int64 i = 0; i < regions.count; i++)
	{
		recode_region(&run, blocks, regions.region[i], satisfies);
		progress_done(run.progress->done);
	}
	if (run.published > 0)
		memcpy(dataset_record(dataset, run.published), run.aside,
			   sizeof(int32) * dataset->stride * (Size) run.left_out);
	pfree(run.aside);
	MemoryContextDelete(scratch);
	if (!request->places_only && run.local->base.groups > 0)
		number_rows(run.local);
	return run.local->base.groups > 0 ? &run.local->base : NULL;
}
