/*
 * local_blocks.c
 *		See local_blocks.h.
 *
 * Parts are divided by the code that divides Mondrian's (partition/part.h), over a copy of the
 * records: those of a part are contiguous there.  The records of the table itself stay sorted by
 * tuple.
 */
#include "postgres.h"

#include "local/local_blocks.h"

#include "base/interrupt.h"
#include "local/local_classes.h"
#include "local/local_groups.h"
#include "local/local_peel.h"
#include "partition/part.h"

#define PURPOSE "local recoding"

/*
 * Nodes of a block's lattice; in the tails, whose rows are few, more.  Without hierarchies, cuts
 * lose less than large lattices of pieces, and take less time: blocks have a fraction as many.
 */
#define BLOCK_NODES 2000
#define TAIL_NODES 8000
#define ORDERED_FRACTION 16

/* Parts have this many times k rows, while they are a small part of what is divided. */
#define PART_TIMES 8
#define PART_SHARE 4

#define LAST_TURNS 100
#define PLAIN_TURNS 4 /* the first, in which plain attributes are cut as well */

/* Steps by which the tuples that peeling leaves over join groups, for each tuple of the block. */
#define JOINING_STEPS 128

static const double tail_share[] = {.4, .3};

struct LocalBlocks
{
	Dataset *copy;            /* of the region's records, moved */
	int32 *tuple_of_row;      /* [number of the row in its dataset] */
	PartitionRequest by_gain; /* cut anywhere */
	PartitionRequest by_median_gain;
	PartitionRequest by_median;
	PartitionRun *gain;
	PartitionRun *median_gain; /* NULL: nothing is cut, it would be the same */
	PartitionRun *median;

	/* Of the current region. */
	const LocalTable *table;
	LocalPeel *peel;
	int64 nodes;    /* of a block's lattice, at most */
	int64 fraction; /* of the nodes that blocks have */
	LocalClasses *classes;
	int32 *group; /* [tuple]: in a division of Mondrian's */
	bool *seen;   /* [tuple] */
};

static int32
tuple_at(const LocalBlocks *blocks, int64 at)
{
	return blocks->tuple_of_row[dataset_row(blocks->copy, dataset_record(blocks->copy, at))];
}

/* ---- set-up */

static PartitionRequest
division(const LocalRequest *request, const RecodingColumn *column, PartitionSplit split,
		 bool every_cut)
{
	return (PartitionRequest){.k = request->k,
							  .split = split,
							  .rest = split == SPLIT_GAIN,
							  .every_cut = every_cut,
							  .weight = request->weight,
							  .order = request->order,
							  .models = request->models,
							  .column = column,
							  .of_part = true,
							  .places_only = true,
							  .budget = request->budget};
}

static bool
any_spans(const RecodingColumn *column, int attributes)
{
	bool spans = false;

	for (int i = 0; i < attributes; i++)
		spans |= column[i].dimension == NULL && !column[i].plain;
	return spans;
}

LocalBlocks *
local_blocks_create(const Dataset *dataset, const RecodingColumn *column,
					const LocalRequest *request, int64 most)
{
	LocalBlocks *blocks = palloc0(sizeof(LocalBlocks));

	blocks->copy = dataset_create(DATASET_RECORDS, dataset->attributes, request->budget);
	dataset_reserve(blocks->copy, most);
	blocks->copy->rows = blocks->copy->members = most;
	blocks->tuple_of_row = budget_allocate(request->budget, dataset->rows, sizeof(int32), PURPOSE);
	blocks->by_gain = division(request, column, SPLIT_GAIN, true);
	blocks->by_median_gain = division(request, column, SPLIT_GAIN, false);
	blocks->by_median = division(request, column, SPLIT_MEDIAN, false);
	blocks->gain = part_run_create(blocks->copy, &blocks->by_gain, column);
	if (any_spans(column, dataset->attributes))
		blocks->median_gain = part_run_create(blocks->copy, &blocks->by_median_gain, column);
	blocks->median = part_run_create(blocks->copy, &blocks->by_median, column);
	return blocks;
}

/* Copies the records of some tuples to the copy, from a place on; returns that behind the last. */
static int64
copy_records(LocalBlocks *blocks, int64 at, const int32 *tuple, int32 count)
{
	const LocalTable *table = blocks->table;

	for (int32 i = 0; i < count; i++)
	{
		int32 rows = local_tuple_rows(table, tuple[i]);

		interrupt_check(i);
		memcpy(dataset_record(blocks->copy, at),
			   dataset_record(table->dataset, table->begin + table->first[tuple[i]]),
			   sizeof(int32) * table->dataset->stride * (Size) rows);
		at += rows;
	}
	return at;
}

static void
number_rows(LocalBlocks *blocks)
{
	const LocalTable *table = blocks->table;

	for (int32 tuple = 0; tuple < table->tuples; tuple++)
		for (int32 at = table->first[tuple]; at < table->first[tuple + 1]; at++)
		{
			interrupt_check(at);
			blocks->tuple_of_row[dataset_row(
				table->dataset, dataset_record(table->dataset, table->begin + at))] = tuple;
		}
}

static bool
has_hierarchy(const LocalTable *table)
{
	for (int i = 0; i < table->attributes; i++)
		if (!table->column[i].spans)
			return true;
	return false;
}

/* Takes up a region. */
static void
begin_region(LocalBlocks *blocks, const LocalTable *table, LocalClasses *classes)
{
	blocks->table = table;
	blocks->classes = classes;
	blocks->group = budget_allocate(table->budget, table->tuples, sizeof(int32), PURPOSE);
	blocks->seen = budget_allocate(table->budget, table->tuples, sizeof(bool), PURPOSE);
	blocks->peel = local_peel_create(table);
	blocks->fraction = has_hierarchy(table) ? 1 : ORDERED_FRACTION;
	number_rows(blocks);
}

/* The tuples of a part, ascending; palloc'd. */
static LocalTuples
tuples_of(LocalBlocks *blocks, Part part)
{
	LocalTuples tuples = {0};

	for (int64 at = part.begin; at < part.end; at++)
	{
		int32 tuple = tuple_at(blocks, at);

		interrupt_check(at);
		tuples.count += !blocks->seen[tuple];
		blocks->seen[tuple] = true;
	}
	tuples.tuple = budget_allocate(blocks->table->budget, tuples.count, sizeof(int32), PURPOSE);
	tuples.count = 0;
	for (int64 at = part.begin; at < part.end; at++)
	{
		int32 tuple = tuple_at(blocks, at);

		if (blocks->seen[tuple])
			tuples.tuple[tuples.count++] = tuple;
		blocks->seen[tuple] = false;
	}
	qsort(tuples.tuple, tuples.count, sizeof(int32), interrupt_compare_int32);
	return tuples;
}

/* ---- the classes of a block */

/* The groups of some tuples, and what they cost. */
typedef struct Grouping
{
	int32 *group; /* [place] */
	int32 groups;
	int64 cost;
} Grouping;

/* Divides a part as far as possible, and numbers the groups of its tuples from 0. */
static void
divide_fully(LocalBlocks *blocks, PartitionRun *run, Part part, int32 *groups)
{
	Split split;
	Part *child;

	CHECK_FOR_INTERRUPTS();
	check_stack_depth();
	if (!part_choose(run, part, &split))
	{
		for (int64 at = part.begin; at < part.end; at++)
		{
			interrupt_check(at);
			blocks->group[tuple_at(blocks, at)] = *groups;
		}
		(*groups)++;
		return;
	}
	child = part_divide_apart(run, part, &split);
	for (int i = 0; i < split.children; i++)
		divide_fully(blocks, run, child[i], groups);
	pfree(child);
}

/* Sets the number of rows that each child of a division needs. */
static void
demand(PartitionRun *run, int64 rows)
{
	run->demanded = run->least = rows;
}

/* Keeps Mondrian's division of a part if it costs less. */
static void
try_division(LocalBlocks *blocks, PartitionRun *run, Part part, const LocalTuples *tuples,
			 Grouping *best)
{
	Grouping divided;

	if (run == NULL)
		return;
	divided = (Grouping){
		.group = budget_allocate(blocks->table->budget, tuples->count, sizeof(int32), PURPOSE)};

	demand(run, blocks->table->demanded);
	divide_fully(blocks, run, part, &divided.groups);
	for (int32 i = 0; i < tuples->count; i++)
		divided.group[i] = blocks->group[tuples->tuple[i]];
	divided.cost = local_groups_cost(blocks->table, tuples->tuple, tuples->count, divided.group,
									 divided.groups);
	if (divided.cost < best->cost)
	{
		pfree(best->group);
		*best = divided;
	}
	else
		pfree(divided.group);
}

/* Peels a block, unless joining what is left over takes too long. */
static bool
peel_block(LocalBlocks *blocks, const LocalTuples *tuples, Grouping *peeled)
{
	const LocalTable *table = blocks->table;
	int64 steps = (int64) JOINING_STEPS * tuples->count;

	peeled->groups = local_peel_run(blocks->peel, tuples->tuple, tuples->count, 4 * blocks->nodes,
									peeled->group);
	peeled->groups = local_groups_complete(table, tuples->tuple, tuples->count, peeled->group,
										   peeled->groups, steps);
	if (peeled->groups > 0)
		peeled->cost =
			local_groups_cost(table, tuples->tuple, tuples->count, peeled->group, peeled->groups);
	return peeled->groups > 0;
}

/* Sets the classes of a block's tuples.  It stays as it is if peeling it would take long. */
static bool
settle_block(LocalBlocks *blocks, Part part, const LocalTuples *tuples)
{
	LocalClasses *classes = blocks->classes;
	Grouping best = {
		.group = budget_allocate(blocks->table->budget, tuples->count, sizeof(int32), PURPOSE)};
	bool settled = peel_block(blocks, tuples, &best);

	if (settled)
	{
		try_division(blocks, blocks->gain, part, tuples, &best);
		try_division(blocks, blocks->median_gain, part, tuples, &best);
		try_division(blocks, blocks->median, part, tuples, &best);
		for (int32 i = 0; i < tuples->count; i++)
			classes->class_of[tuples->tuple[i]] = classes->count + best.group[i];
		classes->count += best.groups;
	}
	pfree(best.group);
	return settled;
}

static void
add_class(LocalClasses *classes, const LocalTuples *tuples)
{
	for (int32 i = 0; i < tuples->count; i++)
		classes->class_of[tuples->tuple[i]] = classes->count;
	classes->count++;
}

/* Divides a part into blocks, and settles each. */
static void
divide_into_blocks(LocalBlocks *blocks, Part part)
{
	int64 k = blocks->table->demanded;
	int64 rows = part_rows(part);
	int64 times = PART_TIMES * k;
	LocalTuples tuples = tuples_of(blocks, part);
	bool several = rows >= 2 * k;
	bool block =
		several && local_peel_is_small(blocks->peel, tuples.tuple, tuples.count, blocks->nodes);
	bool settled = block && settle_block(blocks, part, &tuples);
	bool divided;
	Split split;
	Part *child;

	CHECK_FOR_INTERRUPTS();
	check_stack_depth();
	demand(blocks->gain, times < rows / PART_SHARE ? times : k);
	divided = !settled && part_choose(blocks->gain, part, &split);
	if (!settled && !divided && !(several && !block && settle_block(blocks, part, &tuples)))
		add_class(blocks->classes, &tuples);
	pfree(tuples.tuple);
	if (!divided)
		return;
	child = part_divide_apart(blocks->gain, part, &split);
	for (int i = 0; i < split.children; i++)
		divide_into_blocks(blocks, child[i]);
	pfree(child);
}

/* ---- tails */

typedef struct ClassCost
{
	int64 cost;
	int32 class;
} ClassCost;

static int
compare_costs(const void *a, const void *b)
{
	const ClassCost *one = a;
	const ClassCost *other = b;

	CHECK_FOR_INTERRUPTS();
	if (one->cost != other->cost)
		return one->cost > other->cost ? -1 : 1;
	return one->class < other->class ? -1 : one->class > other->class;
}

/* The records of the classes that cost most for each row, until they are a share of all. */
static Part
copy_tail(LocalBlocks *blocks, double share)
{
	const LocalTable *table = blocks->table;
	int32 count = blocks->classes->count;
	LocalClassList list = local_classes_list(blocks->classes);
	ClassCost *order = budget_allocate(table->budget, count, sizeof(ClassCost), PURPOSE);
	Part tail = {0};

	for (int32 i = 0; i < count; i++)
		order[i] = (ClassCost){.cost = list.cost[i], .class = i};
	qsort(order, count, sizeof(ClassCost), compare_costs);
	for (int32 i = 0;
		 i < count && order[i].cost > 0 && (double) tail.end < share * (double) table->rows; i++)
		tail.end = copy_records(blocks, tail.end, list.tuple + list.begin[order[i].class],
								list.size[order[i].class]);
	pfree(order);
	local_class_list_free(&list);
	return tail;
}

/* The classes before an attempt to better them. */
typedef struct Attempt
{
	int32 *class_of;
	int32 count;
	int64 cost;
} Attempt;

static Attempt
begin_attempt(const LocalBlocks *blocks)
{
	const LocalTable *table = blocks->table;
	Attempt before = {.class_of =
						  budget_allocate(table->budget, table->tuples, sizeof(int32), PURPOSE),
					  .count = blocks->classes->count,
					  .cost = local_classes_cost(blocks->classes)};

	memcpy(before.class_of, blocks->classes->class_of, sizeof(int32) * table->tuples);
	return before;
}

/* Takes the attempt back unless it costs less.  Does it? */
static bool
end_attempt(LocalBlocks *blocks, Attempt *before)
{
	bool less;

	local_classes_number(blocks->classes);
	less = local_classes_cost(blocks->classes) < before->cost;
	if (!less)
	{
		memcpy(blocks->classes->class_of, before->class_of, sizeof(int32) * blocks->table->tuples);
		blocks->classes->count = before->count;
	}
	pfree(before->class_of);
	return less;
}

static void
try_tail(LocalBlocks *blocks, double share)
{
	Attempt before = begin_attempt(blocks);
	Part tail = copy_tail(blocks, share);

	if (part_rows(tail) > 0)
		divide_into_blocks(blocks, tail);
	end_attempt(blocks, &before);
}

static void
copy_all(LocalBlocks *blocks)
{
	const LocalTable *table = blocks->table;

	memcpy(dataset_record(blocks->copy, 0), dataset_record(table->dataset, table->begin),
		   sizeof(int32) * table->dataset->stride * (Size) table->rows);
}

static void
try_tails(LocalBlocks *blocks)
{
	blocks->nodes = TAIL_NODES / blocks->fraction;
	for (int i = 0; i < (int) lengthof(tail_share); i++)
		try_tail(blocks, tail_share[i]);
}

/* Mondrian's division of the whole region, and its tails. */
static void
try_whole_division(LocalBlocks *blocks, PartitionRun *run)
{
	LocalClasses *classes = blocks->classes;
	Attempt before;

	if (run == NULL)
		return;
	before = begin_attempt(blocks);
	copy_all(blocks);
	demand(run, blocks->table->demanded);
	classes->count = 0;
	divide_fully(blocks, run, (Part){0, blocks->table->rows}, &classes->count);
	memcpy(classes->class_of, blocks->group, sizeof(int32) * blocks->table->tuples);
	if (end_attempt(blocks, &before))
		try_tails(blocks);
}

/* ---- the last divisions */

static void
divide_classes(LocalBlocks *blocks)
{
	LocalClasses *classes = blocks->classes;
	LocalClassList list = local_classes_list(classes);
	int32 count = 0;

	demand(blocks->gain, blocks->table->demanded);
	for (int32 i = 0; i < classes->count; i++)
	{
		const int32 *tuple = list.tuple + list.begin[i];
		Part part = {0, copy_records(blocks, 0, tuple, list.size[i])};
		int32 groups = 0;

		CHECK_FOR_INTERRUPTS();
		divide_fully(blocks, blocks->gain, part, &groups);
		for (int32 at = 0; at < list.size[i]; at++)
			classes->class_of[tuple[at]] = count + blocks->group[tuple[at]];
		count += groups;
	}
	classes->count = count;
	local_class_list_free(&list);
	local_classes_number(classes);
}

void
local_blocks_run(LocalBlocks *blocks, const LocalTable *table, int64 left_out,
				 LocalClasses *classes)
{
	begin_region(blocks, table, classes);
	copy_all(blocks);
	blocks->nodes = BLOCK_NODES / blocks->fraction;
	divide_into_blocks(blocks, (Part){0, table->rows});
	local_classes_number(classes);
	try_tails(blocks);
	try_whole_division(blocks, blocks->gain);
	try_whole_division(blocks, blocks->median_gain);
	try_whole_division(blocks, blocks->median);
	if (left_out > 0)
		local_classes_leave_out(classes, left_out);
	/*
	 * Classes that become one may be divided again.  Cuts of plain attributes that show no value in
	 * the end give the same cells, time and again; without them labels of some rows get lower each
	 * time, but where people are counted they may come back.
	 */
	for (int turn = 0; turn < LAST_TURNS; turn++)
	{
		blocks->by_gain.plain_uncut = turn >= PLAIN_TURNS;
		divide_classes(blocks);
		if (!local_classes_merge(classes))
			break;
	}
	blocks->by_gain.plain_uncut = false;
}
