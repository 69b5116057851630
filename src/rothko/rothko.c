/*
 * rothko.c
 *		See rothko.h.
 *
 * Parts wait on a stack, each with its rows on a tape, the first on top, so that classes come in
 * tree order.  A part is a range of leaves of a grown tree: its rows are spread by leaf, or by
 * ranges of leaves if there are more than tapes allow.  A part of a single leaf is one class if it
 * cannot be divided; otherwise it is partitioned in memory or, if still too large, grown as a tree
 * of its own: from a sample if requested and sufficient, otherwise from counts.  Below the parts of
 * a tree, an entry without rows marks where the tree is freed.
 *
 * Relaxed: codes do not decide where a row belongs, so a tree is a root and its children, and rows
 * are dealt to these.
 */
#include "postgres.h"

#include "rothko/rothko.h"

#include "base/context.h"
#include "base/progress.h"
#include "partition/region.h"
#include "rothko/sample_tree.h"
#include "utils/memutils.h"

#define PURPOSE "partitioning"
#define TAPES_SHARE 8 /* this fraction of the remaining memory for tapes */
#define OTHER_SHARE 8 /* .. and this one for what becomes of the classes */
#define MOST_TAPES 256
/* Fractions of the memory limit with a sample: rows in memory, nodes of a tree. */
#define LOADED_SHARE 3
#define NODES_SHARE 16
#define MOST_NODES (1 << 20)

static PartitioningWork last_partitioning;

PartitioningWork *
partitioning_work_begin(void)
{
	last_partitioning = (PartitioningWork){0};
	return &last_partitioning;
}

const PartitioningWork *
partitioning_work_last(void)
{
	return &last_partitioning;
}

typedef struct RothkoPart
{
	MemoryContext context; /* of the tree */
	GrowingTree *tree;     /* NULL: not grown yet */
	int32 first_leaf;
	int32 leaves; /* 0: free the tree */
	CodedRows rows;
} RothkoPart;

typedef struct Rothko
{
	Recoding base; /* of the current piece */
	RothkoRequest request;
	const RowLayout *layout;
	PartitionRequest partition; /* of parts */
	Budget *budget;
	MemoryContext context;
	MemoryContext of_piece;
	TreeGrower *grower;
	const CodedRows *growing; /* relaxed: the rows over which a tree grows, .. */
	DealtRows dealt;          /* .. and how its root deals them; or none */
	RothkoPart *waiting;
	int64 count;
	int64 capacity;
	/* The piece: some classes of rows in memory, .. */
	LoadedRows *loaded;
	Recoding *partitioned; /* .. partitioned */
	/* .. or one class of more rows, which cannot be divided. */
	CodedRows rows;
	const GrowingNode *node;
	int32 class_end[2];
	PartitioningWork *work;
} Rothko;

static void
push_part(Rothko *rothko, const RothkoPart *part)
{
	MemoryContext previous = MemoryContextSwitchTo(rothko->context);

	rothko->waiting = budget_room(rothko->budget, rothko->waiting, &rothko->capacity,
								  rothko->count + 1, sizeof(RothkoPart), PURPOSE);
	MemoryContextSwitchTo(previous);
	rothko->waiting[rothko->count++] = *part;
}

/* The number of tapes that may be opened now. */
static int
most_tapes(const Rothko *rothko)
{
	return (int) Max(2,
					 Min(MOST_TAPES, budget_left(rothko->budget) / TAPES_SHARE / CODE_TAPE_BYTES));
}

/* The rows of a part that fit into this many bytes. */
static int64
rows_of(const Rothko *rothko, Size bytes)
{
	const RowLayout *layout = rothko->layout;
	Size none = loaded_rows_bytes(layout, &rothko->partition, 0);
	int64 many = 1000000;
	Size each = (loaded_rows_bytes(layout, &rothko->partition, many) - none) / many + 1;

	none += rothko->request.bytes;

	return bytes > none ? (int64) ((bytes - none) / each) : 0;
}

/* .. that fit while others wait on tapes. */
static int64
rows_that_fit(const Rothko *rothko)
{
	Size left = budget_left(rothko->budget);

	return Min(rothko->request.most,
			   rows_of(rothko, left - left / TAPES_SHARE - left / OTHER_SHARE));
}

static bool
fits(const Rothko *rothko, int64 rows)
{
	return rows <= rothko->request.most &&
		   budget_fits(rothko->budget, loaded_rows_bytes(rothko->layout, &rothko->partition, rows) +
										   rothko->request.bytes);
}

/* The node of a part with one leaf; NULL: the root of the whole. */
static GrowingNode *
leaf_of(const RothkoPart *part)
{
	return part->tree ? growing_tree_leaf_node(part->tree, part->first_leaf) : NULL;
}

/* Adds a node of a grown tree to the whole one, if that is wanted. */
static void
add_node(Rothko *rothko, const GrowingNode *node)
{
	PartitionNodes *nodes = rothko->partition.nodes;

	if (nodes)
		part_nodes_add(nodes, &node->split, node->code, node->rows, rothko->budget);
}

/* .. and the nodes between a leaf and the one before. */
static void
add_nodes_before(Rothko *rothko, const RothkoPart *part)
{
	const GrowingTree *tree = part->tree;
	int32 leaf = part->first_leaf;

	for (int32 at = leaf == 0 ? 0 : tree->leaf[leaf - 1] + 1; at < tree->leaf[leaf]; at++)
	{
		CHECK_FOR_INTERRUPTS();
		add_node(rothko, &tree->node[tree->order[at]]);
	}
}

static bool
side_satisfies(Rothko *rothko, CodeTape *tape)
{
	const RowLayout *layout = rothko->layout;
	RowJudge *judge = rothko->grower->run->judge;
	CodedRows rows = {.layout = layout, .tape = tape};
	CodedScan scan = coded_scan_begin(&rows);
	const int32 *tuple;

	row_judge_begin(judge);
	while ((tuple = coded_scan_next(&scan)) != NULL)
		for (int side = 0; side < layout->sides; side++)
			row_judge_add_rows(judge, side, coded_rows_sides(layout, tuple)[side], 1);
	row_judge_end(judge);
	return row_judge_holds(judge, GROUP_REST);
}

/* Deals the growing rows to tapes for the two sides. */
static void
deal(Rothko *rothko, const CodedRows *rows, const Split *split)
{
	rothko->dealt = row_deal(rows, split, rothko->request.tapes, rothko->budget);
	rothko->work->spread++;
}

/* What models say of a dealt division is known only when it is done. */
static bool
dealt_satisfies(void *dealer, const Split *split)
{
	Rothko *rothko = dealer;

	deal(rothko, rothko->growing, split);
	if (side_satisfies(rothko, rothko->dealt.side[0]) &&
		side_satisfies(rothko, rothko->dealt.side[1]))
		return true;
	for (int side = 0; side < 2; side++)
		code_tape_close(rothko->dealt.side[side]);
	rothko->dealt = (DealtRows){{NULL}};
	return false;
}

/* Sets up a part whose tree deals its rows to two leaves. */
static void
take_dealt(Rothko *rothko, const RothkoPart *part)
{
	if (rothko->dealt.side[0] == NULL)
		deal(rothko, &part->rows, &part->tree->node[0].split);
	code_tape_close(part->rows.tape);
	for (int side = 1; side >= 0; side--)
	{
		RothkoPart child = *part;

		child.first_leaf = side;
		child.leaves = 1;
		child.rows = (CodedRows){.layout = rothko->layout, .tape = rothko->dealt.side[side]};
		push_part(rothko, &child);
	}
	rothko->dealt = (DealtRows){{NULL}};
}

/* Grows a tree over the part, which then consists of all its leaves; false: it does not satisfy. */
static bool
grow(Rothko *rothko, RothkoPart *part)
{
	const CodeBounds *bounds = part->tree ? leaf_of(part)->bounds : rothko->request.bounds;
	bool whole = part->tree == NULL;
	MemoryContext context =
		AllocSetContextCreate(rothko->context, "kanon growing tree", CONTEXT_SMALL_SIZES);
	MemoryContext previous = MemoryContextSwitchTo(context);
	GrowthLimits limits = {.room = budget_left(rothko->budget) / TAPES_SHARE,
						   .enough = rows_that_fit(rothko)};
	GrowingTree *tree;

	rothko->growing = &part->rows;
	tree = tree_grower_grow(rothko->grower, &part->rows, bounds, whole, limits);
	MemoryContextSwitchTo(previous);
	if (tree == NULL)
		return false;
	if (part->tree)
		tree->node[0].code = leaf_of(part)->code;
	rothko->work->nodes += tree->nodes;
	rothko->work->counted += tree->scans;
	*part =
		(RothkoPart){.context = context, .tree = tree, .leaves = tree->leaves, .rows = part->rows};
	push_part(rothko, &(RothkoPart){.context = context});
	return true;
}

/* With this many tapes for the part's leaves: the first leaf of a tape. */
static int32
first_leaf(const RothkoPart *part, int tapes, int tape)
{
	return part->first_leaf + (int32) (((int64) tape * part->leaves + tapes - 1) / tapes);
}

/* Appends the rows of one tape to another. */
static void
move_rows(const RowLayout *layout, CodeTape *from, CodeTape *to)
{
	CodedRows rows = {.layout = layout, .tape = from};
	CodedScan scan = coded_scan_begin(&rows);
	const int32 *tuple;

	while ((tuple = coded_scan_next(&scan)) != NULL)
		code_tape_append(to, tuple);
	code_tape_close(from);
}

/* Prunes the tree to the splits that hold for all rows. */
static void
prune(Rothko *rothko, const RothkoPart *part, TreePopulation *population)
{
	MemoryContext previous = MemoryContextSwitchTo(part->context);

	rothko->work->pruned += tree_population_prune(population);
	MemoryContextSwitchTo(previous);
}

/* The leaf that a former leaf is part of. */
static int32
leaf_left(const TreePopulation *population, int32 leaf)
{
	return population ? tree_population_leaf(population, leaf) : leaf;
}

/*
 * Spreads the part's rows over tapes by ranges of its leaves.  With a population, counts them and
 * prunes the tree at the same time.
 */
static void
spread(Rothko *rothko, const RothkoPart *part, TreePopulation *population)
{
	const RowLayout *layout = part->rows.layout;
	int tapes = Min(most_tapes(rothko), part->leaves);
	CodeTape **tape = palloc(sizeof(CodeTape *) * tapes);
	int32 end = part->first_leaf + part->leaves;
	const int32 *tuple;
	CodedScan scan;

	for (int i = 0; i < tapes; i++)
	{
		budget_check(rothko->budget, CODE_TAPE_BYTES, PURPOSE);
		tape[i] = code_tape_create(rothko->request.tapes, layout->width);
	}
	scan = coded_scan_begin(&part->rows);
	progress_phase("setting rows apart on disk", code_tape_tuples(part->rows.tape));
	for (int64 row = 0; (tuple = coded_scan_next(&scan)) != NULL; row++)
	{
		int64 leaf = population ? tree_population_count(population, tuple)
								: growing_tree_leaf(part->tree, tuple);

		progress_check(row);
		code_tape_append(tape[(leaf - part->first_leaf) * tapes / part->leaves], tuple);
	}
	code_tape_close(part->rows.tape);
	rothko->work->spread++;
	if (population)
		prune(rothko, part, population);
	for (int i = tapes - 1; i >= 0; i--)
	{
		int32 first = first_leaf(part, tapes, i);
		RothkoPart child = *part;

		child.first_leaf = leaf_left(population, first);
		if (i > 0 && leaf_left(population, first - 1) == child.first_leaf)
		{
			/* The leaf also has rows on the previous tape. */
			move_rows(layout, tape[i], tape[i - 1]);
			continue;
		}
		child.leaves = leaf_left(population, end - 1) - child.first_leaf + 1;
		child.rows = (CodedRows){.layout = layout, .tape = tape[i]};
		push_part(rothko, &child);
		end = first;
	}
	pfree(tape);
}

/* A tree grown from a sample of "rows" rows of the part, in the current context. */
static GrowingTree *
grow_from_sample(Rothko *rothko, const RothkoPart *part, int64 rows)
{
	const PartitionRequest *partition = &rothko->partition;
	const CodeBounds *bounds = part->tree ? leaf_of(part)->bounds : rothko->request.bounds;
	Size nodes =
		rothko->budget->limit / NODES_SHARE / sample_tree_node_bytes(rothko->layout, partition);
	SampleGrowth growth = {.population = code_tape_tuples(part->rows.tape),
						   .alpha = SAMPLE_ALPHA,
						   .enough = rothko->request.most - rothko->request.most / 8,
						   .nodes = (int32) Max(1, Min(nodes, MOST_NODES)),
						   .height = PG_INT32_MAX};
	MemoryContext context = CurrentMemoryContext;
	MemoryContext scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon sample", CONTEXT_SMALL_SIZES);
	LoadedRows *loaded;
	GrowingTree *tree;

	MemoryContextSwitchTo(scratch);
	loaded = row_sample_take(&part->rows, rothko->request.bounds, partition, rows);
	MemoryContextSwitchTo(context);
	tree = sample_tree_grow(loaded, rothko->layout, partition, bounds, growth);
	MemoryContextDelete(scratch);
	return tree;
}

/*
 * Grows a tree over the part from a sample and spreads its rows.  Returns false if that does not
 * divide it; its rows may then be on another tape.
 */
static bool
sample(Rothko *rothko, RothkoPart *part)
{
	int64 rows = code_tape_tuples(part->rows.tape);
	int64 most =
		Min(rothko->request.most, row_sample_most(rothko->layout, &rothko->partition, rows));
	RothkoPart sampled = {.rows = part->rows};
	MemoryContext scratch;
	MemoryContext previous;

	if (!rothko->request.sample || rothko->partition.relaxed || rows <= rothko->request.most ||
		most < 1 || !budget_fits(rothko->budget, row_sample_bytes(rothko->budget, rows)))
		return false;
	sampled.context =
		AllocSetContextCreate(rothko->context, "kanon growing tree", CONTEXT_SMALL_SIZES);
	push_part(rothko, &(RothkoPart){.context = sampled.context});
	previous = MemoryContextSwitchTo(sampled.context);
	sampled.tree = grow_from_sample(rothko, part, most);
	if (part->tree)
		sampled.tree->node[0].code = leaf_of(part)->code;
	sampled.leaves = sampled.tree->leaves;
	rothko->work->nodes += sampled.tree->nodes;
	if (sampled.leaves > 1)
	{
		scratch = AllocSetContextCreate(rothko->context, "kanon population", CONTEXT_SMALL_SIZES);
		MemoryContextSwitchTo(scratch);
		spread(rothko, &sampled, tree_population_create(sampled.tree, &rothko->partition));
		MemoryContextSwitchTo(sampled.context);
		MemoryContextDelete(scratch);
		if (sampled.tree->leaves == 1)
			part->rows = rothko->waiting[--rothko->count].rows;
	}
	MemoryContextSwitchTo(previous);
	if (sampled.tree->leaves == 1)
	{
		rothko->count--;
		MemoryContextDelete(sampled.context);
		return false;
	}
	return true;
}

/* Starts a piece of several classes. */
static void
open_piece(Rothko *rothko, int32 groups, const int32 *class_end, const Dataset *dataset)
{
	Recoding *base = &rothko->base;

	base->groups = groups;
	base->class_end = class_end;
	base->dataset = dataset;
	rothko->work->classes += groups;
}

/* Partitions rows in memory, or recodes them as the caller does. */
static Recoding *
recode_loaded(const Rothko *rothko)
{
	const RothkoRequest *request = &rothko->request;
	LoadedRows *loaded = rothko->loaded;

	return request->recode ? request->recode(loaded->dataset, &loaded->request, request->state)
						   : partition_run(loaded->dataset, &loaded->request);
}

/* Loads the part and partitions it.  If rows are dealt, their original numbers matter. */
static void
partition_part(Rothko *rothko, const RothkoPart *part)
{
	PartitionNodes *nodes = rothko->partition.nodes;
	int32 first = nodes ? nodes->count : 0;
	MemoryContext previous = MemoryContextSwitchTo(rothko->of_piece);
	CodedRows rows = part->rows;

	if (rothko->partition.relaxed)
		rows =
			row_sort(&rows, &rothko->layout->attributes, 1, rothko->request.tapes, rothko->budget);
	rothko->loaded = loaded_rows_create(&rows, &rothko->partition);
	code_tape_close(rows.tape);
	rothko->partitioned = recode_loaded(rothko);
	MemoryContextSwitchTo(previous);
	if (rothko->partitioned == NULL)
		return;
	if (nodes)
		nodes->node[first].code = leaf_of(part)->code;
	rothko->work->loaded++;
	open_piece(rothko, rothko->partitioned->groups, rothko->partitioned->class_end,
			   rothko->loaded->dataset);
}

/* Makes the part one class. */
static void
leave_whole(Rothko *rothko, const RothkoPart *part)
{
	rothko->rows = part->rows;
	rothko->node = leaf_of(part);
	rothko->class_end[1] = (int32) rothko->node->rows;
	add_node(rothko, rothko->node);
	open_piece(rothko, 1, rothko->class_end, NULL);
}

/* Handles the part on top of the stack. */
static void
take_part(Rothko *rothko)
{
	RothkoPart part = rothko->waiting[--rothko->count];
	bool divided = part.tree && part.leaves > 1;

	if (part.tree && !divided)
		add_nodes_before(rothko, &part);
	if (part.leaves == 0 && part.context)
		MemoryContextDelete(part.context);
	else if (divided && growing_tree_deals(part.tree))
		take_dealt(rothko, &part);
	else if (divided)
		spread(rothko, &part, NULL);
	else if (part.tree && leaf_of(&part)->known && rothko->request.recode == NULL)
		leave_whole(rothko, &part);
	else if (part.tree && leaf_of(&part)->known)
		partition_part(rothko, &part);
	else if (part.tree && fits(rothko, code_tape_tuples(part.rows.tape)))
		partition_part(rothko, &part);
	else if (sample(rothko, &part))
		return;
	else if (grow(rothko, &part))
		push_part(rothko, &part);
	else
		code_tape_close(part.rows.tape);
}

static void
end_piece(Rothko *rothko)
{
	Recoding *base = &rothko->base;

	if (base->groups > 0)
	{
		base->groups_before += base->groups;
		base->rows_before += base->class_end[base->groups];
	}
	base->groups = 0;
	if (rothko->node)
		code_tape_close(rothko->rows.tape);
	rothko->node = NULL;
	MemoryContextReset(rothko->of_piece);
	if (rothko->loaded)
		memory_give_back();
	rothko->loaded = NULL;
}

static bool
next_piece(Recoding *base)
{
	Rothko *rothko = (Rothko *) base;
	MemoryContext previous = MemoryContextSwitchTo(rothko->context);

	end_piece(rothko);
	progress_phase("dividing rows", rothko->work->rows);
	progress_done(base->rows_before);
	while (rothko->count > 0 && base->groups == 0)
	{
		CHECK_FOR_INTERRUPTS();
		take_part(rothko);
	}
	MemoryContextSwitchTo(previous);
	return base->groups > 0;
}

static void
class_cells(const Recoding *base, int32 class, RecodedCell *cell)
{
	const Rothko *rothko = (const Rothko *) base;

	if (rothko->loaded)
		rothko->partitioned->cells(rothko->partitioned, class, cell);
	for (int i = 0; rothko->node && i < base->columns; i++)
		cell[i] = region_cell(&base->column[i], rothko->node->minimum[i], rothko->node->maximum[i]);
}

static void
class_rows(const Recoding *base, int32 class, RecodingRow take, void *state)
{
	const Rothko *rothko = (const Rothko *) base;
	const int32 *number =
		rothko->loaded ? rothko->loaded->dataset->side[rothko->layout->sides] : NULL;
	const int32 *tuple;
	CodedScan scan;

	for (int64 at = base->class_end[class - 1]; rothko->loaded && at < base->class_end[class]; at++)
	{
		const int32 *record = dataset_record(base->dataset, at);

		interrupt_check(at);
		take(state, number[dataset_row(base->dataset, record)], record);
	}
	if (rothko->loaded)
		return;
	scan = coded_scan_begin(&rothko->rows);
	while ((tuple = coded_scan_next(&scan)) != NULL)
		take(state, coded_rows_number(rothko->layout, tuple), tuple);
}

Recoding *
rothko_run(const RothkoRequest *request)
{
	Rothko *rothko = palloc0(sizeof(Rothko));
	RothkoPart all = {.rows = *request->rows};
	int64 rows = code_tape_tuples(request->rows->tape);

	if (rows < request->partition->k)
		return NULL;
	rothko->request = *request;
	rothko->layout = request->rows->layout;
	rothko->partition = *request->partition;
	rothko->partition.of_part = true;
	rothko->partition.places_only = true;
	rothko->budget = request->partition->budget;
	rothko->context = CurrentMemoryContext;
	rothko->of_piece =
		AllocSetContextCreate(CurrentMemoryContext, "kanon part", CONTEXT_SMALL_SIZES);
	if (request->sample)
		rothko->request.most =
			Min(request->most, rows_of(rothko, rothko->budget->limit / LOADED_SHARE));
	rothko->grower = tree_grower_create(rothko->layout, &rothko->partition);
	rothko->grower->run->dealt_satisfies = dealt_satisfies;
	rothko->grower->run->dealer = rothko;
	rothko->base = (Recoding){.rows = rows,
							  .columns = rothko->layout->attributes,
							  .column = request->partition->column,
							  .cells = class_cells,
							  .each_row = class_rows,
							  .next = next_piece};
	rothko->work = request->work;
	/* What becomes of the classes may read and write tapes, too. */
	rothko->work->traffic = *request->tapes->traffic;
	request->tapes->traffic = &rothko->work->traffic;
	push_part(rothko, &all);
	return next_piece(&rothko->base) ? &rothko->base : NULL;
}
