/*
 * partition.c
 *		See partition.h.
 *
 * Parts wait on a stack, the first child on top, so that leaves come in tree order and are numbered
 * in it.  A part with fewer than 2k rows is a leaf without further examination: no split could
 * leave k rows on both sides.  Each waiting part has at least k rows, which bounds the stack.
 *
 * Example, k = 2, the ages 25, 25, 26, 27, 27, 28 of the table Patients of LeFevre, DeWitt,
 * Ramakrishnan 2005b: three rows have ages up to 26, three above; neither part can be divided:
 *
 *	node[0] = cut of age at 26, children 2
 *	node[1] = leaf, class 1 (25, 25, 26)
 *	node[2] = leaf, class 2 (27, 27, 28)
 */
#include "postgres.h"

#include "partition/partition.h"

#include "base/context.h"
#include "base/names.h"
#include "base/progress.h"
#include "partition/part.h"
#include "partition/region_classes.h"
#include "utils/memutils.h"

#define PURPOSE "partition tree"

typedef struct WaitingPart
{
	Part part;
	int32 code; /* of the part's node */
} WaitingPart;

typedef struct PartStack
{
	WaitingPart *waiting;
	int64 count;
	int64 capacity;
	Budget *budget;
} PartStack;

static void
push_part(PartStack *stack, WaitingPart part)
{
	stack->waiting = budget_room(stack->budget, stack->waiting, &stack->capacity, stack->count + 1,
								 sizeof(WaitingPart), PURPOSE);
	stack->waiting[stack->count++] = part;
}

static void
count_people(const PartitionRun *run, RegionClasses *partition, Part leaf)
{
	int64 people;

	if (run->judge == NULL || run->request->models->people == NULL)
		return;
	part_judge_begin(run, leaf);
	people = row_judge_people(run->judge, GROUP_REST);
	partition->base.people =
		partition->base.people > 0 ? Min(partition->base.people, people) : people;
}

static void
make_leaf(const PartitionRun *run, RegionClasses *partition, Part leaf)
{
	const Dataset *dataset = run->dataset;
	int32 number = ++partition->base.groups;

	Assert(partition->class_end[number - 1] == leaf.begin);
	count_people(run, partition, leaf);
	partition->class_end[number] = (int32) leaf.end;
	for (int64 at = leaf.begin; partition->class_of_row && at < leaf.end; at++)
	{
		interrupt_check(at);
		partition->class_of_row[dataset_row(dataset, dataset_record(dataset, at))] = number;
	}
}

/* A code below the label of a child of a specialization; 0 of the rest part. */
static int32
code_of_child(const PartitionRun *run, const Split *split, int child)
{
	const PartChildren *children = run->labels->chosen;

	return split->kind == PARTITION_SPECIALIZE && child < split->children - (split->rest ? 1 : 0)
			   ? children->label[children->code[child]].low
			   : 0;
}

static void
make_children(const PartitionRun *run, PartStack *stack, Part parent, const Split *split)
{
	part_divide(run, parent, split);
	for (int child = split->children - 1; child >= 0; child--)
		push_part(stack, (WaitingPart){.part = run->child[child],
									   .code = code_of_child(run, split, child)});
}

static void
partition_parts(const PartitionRun *run, RegionClasses *partition)
{
	PartStack stack = {.budget = run->request->budget};
	PartitionNodes *nodes = run->request->nodes;

	push_part(&stack, (WaitingPart){.part = {0, run->dataset->rows}});
	if (!run->request->of_part)
		progress_phase("dividing rows", run->dataset->rows);
	while (stack.count > 0)
	{
		WaitingPart next = stack.waiting[--stack.count];
		Split split;

		CHECK_FOR_INTERRUPTS();
		if (part_choose(run, next.part, &split))
			make_children(run, &stack, next.part, &split);
		else
			make_leaf(run, partition, next.part);
		if (nodes)
			part_nodes_add(nodes, &split, next.code, part_rows(next.part), stack.budget);
		if (!run->request->of_part)
			progress_done(next.part.begin);
	}
	pfree(stack.waiting);
}

#define CHILD_BYTES (sizeof(Part) + sizeof(int64) + 2 * (sizeof(PartLabel) + sizeof(int32)))

/* Bytes independent of the rows: counts of ranks and digits, sensitive values, children. */
static Size
fixed_bytes(int attributes, const PartitionRequest *request)
{
	Size bytes = 32 * 1024;
	const RowModels *models = request->models;

	for (int i = 0; models && i < models->demand.columns; i++)
		bytes += (Size) 28 * models->demand.domain[i]->codes;
	bytes += (Size) 12 * request->target_classes;
	return bytes + (Size) CHILD_BYTES * part_most_children(request, attributes);
}

Size
partition_row_bytes(PartitionSplit split, bool models, bool plain, bool places_only)
{
	Size bytes = sizeof(int32); /* for rank_select */

	if (!places_only)
		bytes += sizeof(int32);
	if (part_sorts(split, models, plain))
		bytes += 2 * sizeof(SortedRow);
	if (split_takes_target(split))
		bytes += sizeof(int32);
	return bytes;
}

Size
partition_bytes(int64 rows, int attributes, const PartitionRequest *request)
{
	Size of_row =
		partition_row_bytes(request->split, request->models != NULL,
							part_any_plain(request->column, attributes), request->places_only);
	Size of_class = sizeof(int32);

	/* At worst twice as many nodes as classes; growing their array doubles it. */
	if (request->nodes)
		of_class += 4 * sizeof(PartitionNode);
	return add_size(add_size(mul_size(of_row, rows), mul_size(of_class, rows / request->k + 1)),
					fixed_bytes(attributes, request));
}

Recoding *
partition_run(Dataset *dataset, const PartitionRequest *request)
{
	MemoryContext scratch;
	MemoryContext result;
	RegionClasses *partition;
	PartitionRun *run;

	if (dataset->rows == 0 || dataset->rows < request->k)
		return NULL;
	partition = region_classes_create(dataset, request->column, request->of_part, request->k,
									  request->places_only, request->budget, "partitioning");
	scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon partitioning", CONTEXT_SMALL_SIZES);
	result = MemoryContextSwitchTo(scratch);
	run = part_run_create(dataset, request, partition->base.column);
	MemoryContextSwitchTo(result);
	if ((request->of_part && !request->unjudged) || part_judge_class(run, (Part){0, dataset->rows}))
		partition_parts(run, partition);
	MemoryContextDelete(scratch);
	return partition->base.groups > 0 ? &partition->base : NULL;
}

/* ---- names of criteria */

const char *const split_names[] = {
	[SPLIT_MEDIAN] = "median",
	[SPLIT_INFOGAIN] = "infogain",
	[SPLIT_REGRESSION] = "regression",
	[SPLIT_GAIN] = "gain",
	NULL,
};

PartitionSplit
split_name_require(const char *name)
{
	return names_find("split", name, split_names, sizeof(char *), lengthof(split_names) - 1,
					  strcmp);
}

void
split_name_check_target(PartitionSplit split, const char *target)
{
	if (!split_takes_target(split) && target)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("split \"%s\" takes no target", split_names[split]),
						errhint("Splits with a target are infogain and regression.")));
	if (split_takes_target(split) && target == NULL)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("split \"%s\" needs a target", split_names[split]),
						errhint("Name a field of the rows as target.")));
}
