/*
 * rothko.c
 *		See rothko.h.
 *
 * Parts wait on a stack, each with its rows on a tape, the last below the first, so that classes
 * come in the order of the tree.  A part is a range of leaves of a grown tree: its rows are set
 * apart by leaves, or by ranges of them where there are more than there may be tapes. That of a
 * single leaf is one class if nothing divides it, else it is partitioned in memory or, still too
 * large, grown as a tree of its own.  Below the parts of a tree waits an entry without rows, at
 * which the tree goes.
 */
#include "postgres.h"

#include "rothko/rothko.h"

#include "base/interrupt.h"
#include "utils/memutils.h"

#define PURPOSE "partitioning"
#define FIRST_CAPACITY 64
#define TAPES_SHARE 8 /* of the memory that is left: for tapes */
#define MOST_TAPES 256

typedef struct RothkoPart
{
	MemoryContext context; /* of the tree */
	GrowingTree *tree;     /* NULL: none is grown yet */
	int32 first_leaf;
	int32 leaves; /* 0: the tree goes */
	CodedRows rows;
} RothkoPart;

struct Rothko
{
	RothkoRequest request;
	const RowLayout *layout;
	PartitionRequest partition; /* of parts */
	Budget *budget;
	MemoryContext context;
	MemoryContext of_piece;
	TreeGrower *grower;
	RothkoPart *waiting;
	int64 count;
	int64 capacity;
	int32 classes; /* in the pieces so far */
	int64 rows;
	CodeTape *passing; /* of the piece at hand */
	RothkoPiece piece;
	PartitionNodes *nodes; /* NULL: not wanted */
	int32 node_capacity;
	PartitionNodes of_part;
	RothkoWork work;
};

static void
push_part(Rothko *rothko, const RothkoPart *part)
{
	if (rothko->count == rothko->capacity)
	{
		int64 capacity = Max(rothko->capacity * 2, FIRST_CAPACITY);

		rothko->waiting =
			rothko->waiting
				? budget_enlarge(rothko->budget, rothko->waiting, rothko->capacity, capacity,
								 sizeof(RothkoPart), PURPOSE)
				: MemoryContextAllocZero(rothko->context, sizeof(RothkoPart) * capacity);
		rothko->capacity = capacity;
	}
	rothko->waiting[rothko->count++] = *part;
}

static int32
append_nodes(Rothko *rothko, int32 count)
{
	PartitionNodes *nodes = rothko->nodes;
	int32 first = nodes->count;

	if (count > rothko->node_capacity - first)
	{
		int64 capacity = Max((int64) rothko->node_capacity * 2, (int64) first + count + 1);
		MemoryContext previous = MemoryContextSwitchTo(rothko->context);

		if (capacity > PG_INT32_MAX)
			ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
							errmsg("partition tree has more than %d nodes", PG_INT32_MAX)));
		nodes->node = budget_enlarge(rothko->budget, nodes->node, rothko->node_capacity, capacity,
									 sizeof(PartitionNode), "partition tree");
		rothko->node_capacity = (int32) capacity;
		MemoryContextSwitchTo(previous);
	}
	nodes->count += count;
	return first;
}

Rothko *
rothko_create(const RothkoRequest *request)
{
	Rothko *rothko = palloc0(sizeof(Rothko));
	RothkoPart all = {.rows = *request->rows};

	rothko->request = *request;
	rothko->layout = request->rows->layout;
	rothko->partition = *request->partition;
	rothko->partition.of_part = true;
	rothko->partition.places_only = true;
	rothko->nodes = request->partition->nodes;
	if (rothko->nodes)
		rothko->partition.nodes = &rothko->of_part;
	rothko->budget = request->partition->budget;
	rothko->context = CurrentMemoryContext;
	rothko->of_piece =
		AllocSetContextCreate(CurrentMemoryContext, "kanon part", ALLOCSET_SMALL_SIZES);
	rothko->grower = tree_grower_create(request->rows->layout, &rothko->partition,
										code_tape_tuples(request->rows->tape));
	if (rothko->nodes)
		append_nodes(rothko, 1);
	push_part(rothko, &all);
	return rothko;
}

/* How many tapes may be opened now. */
static int
most_tapes(const Rothko *rothko)
{
	return (int) Max(2,
					 Min(MOST_TAPES, budget_left(rothko->budget) / TAPES_SHARE / CODE_TAPE_BYTES));
}

/* Rows of a part that will fit in memory when others wait on tapes. */
static int64
rows_that_fit(const Rothko *rothko)
{
	const RowLayout *layout = rothko->layout;
	Size left = budget_left(rothko->budget);
	Size none = loaded_rows_bytes(layout, &rothko->partition, 0);
	int64 many = 1000000;
	Size each = (loaded_rows_bytes(layout, &rothko->partition, many) - none) / many + 1;

	left -= left / TAPES_SHARE + left / 16;
	return Min(rothko->request.most, left > none ? (int64) ((left - none) / each) : 0);
}

static bool
fits(const Rothko *rothko, int64 rows)
{
	return rows <= rothko->request.most &&
		   budget_fits(rothko->budget, loaded_rows_bytes(rothko->layout, &rothko->partition, rows));
}

/* The node of a part of one leaf; NULL: the root of all. */
static GrowingNode *
leaf_of(const RothkoPart *part)
{
	return part->tree ? &part->tree->node[part->tree->leaf[part->first_leaf]] : NULL;
}

/* Its number among those of the whole tree. */
static int32
place_of(const RothkoPart *part)
{
	return part->tree ? leaf_of(part)->place : 0;
}

/* Nodes of a grown tree become those of the whole one, the root at a place that it has. */
static void
keep_nodes(Rothko *rothko, GrowingTree *tree, int32 place)
{
	tree->node[0].place = place;
	for (int32 i = 0; i < tree->nodes; i++)
	{
		GrowingNode *node = &tree->node[i];
		const Split *split = &node->split;
		int32 first;

		CHECK_FOR_INTERRUPTS();
		if (!node->known || split->kind == PARTITION_LEAF)
			continue;
		first = append_nodes(rothko, split->children);
		for (int32 child = 0; child < split->children; child++)
		{
			tree->node[node->first_child + child].place = first + child;
			rothko->nodes->node[first + child].code = tree->node[node->first_child + child].code;
		}
		rothko->nodes->node[node->place] =
			(PartitionNode){.kind = split->kind,
							.attribute = split->attribute,
							.threshold = split->threshold,
							.level = split->level,
							.children = split->children,
							.first_child = first,
							.null_child = split->null_child,
							.code = rothko->nodes->node[node->place].code};
	}
}

/* Those of a part, whose root is at a place, with their classes behind those so far. */
static void
keep_nodes_of_part(Rothko *rothko, int32 place)
{
	PartitionNodes *part = &rothko->of_part;
	int32 first = append_nodes(rothko, part->count - 1);

	for (int32 i = 0; i < part->count; i++)
	{
		PartitionNode node = part->node[i];

		interrupt_check(i);
		node.first_child += first - 1;
		node.class_number += rothko->classes;
		if (i == 0)
			node.code = rothko->nodes->node[place].code;
		rothko->nodes->node[i == 0 ? place : first + i - 1] = node;
	}
	pfree(part->node);
	*part = (PartitionNodes){0};
}

/* Grows a tree over the part, which is then one of all its leaves; false: it does not satisfy. */
static bool
grow(Rothko *rothko, RothkoPart *part)
{
	const CodeBounds *bounds = part->tree ? leaf_of(part)->bounds : rothko->request.bounds;
	bool whole = part->tree == NULL;
	int32 place = place_of(part);
	MemoryContext context =
		AllocSetContextCreate(rothko->context, "kanon growing tree", ALLOCSET_SMALL_SIZES);
	MemoryContext previous = MemoryContextSwitchTo(context);
	GrowthLimits limits = {.room = budget_left(rothko->budget) / TAPES_SHARE,
						   .enough = rows_that_fit(rothko)};
	GrowingTree *tree =
		tree_grower_grow(rothko->grower, &part->rows, bounds, whole, limits, &rothko->work.scans);

	MemoryContextSwitchTo(previous);
	if (tree == NULL)
		return false;
	rothko->work.nodes += tree->nodes;
	if (rothko->nodes)
		keep_nodes(rothko, tree, place);
	*part =
		(RothkoPart){.context = context, .tree = tree, .leaves = tree->leaves, .rows = part->rows};
	push_part(rothko, &(RothkoPart){.context = context});
	return true;
}

/* Tapes of ranges of the part's leaves, on which its rows are set apart. */
static void
spread(Rothko *rothko, const RothkoPart *part)
{
	const RowLayout *layout = part->rows.layout;
	int tapes = Min(most_tapes(rothko), part->leaves);
	CodeTape **tape = palloc(sizeof(CodeTape *) * tapes);
	CodedScan scan;
	int64 count;

	for (int i = 0; i < tapes; i++)
	{
		budget_check(rothko->budget, CODE_TAPE_BYTES, PURPOSE);
		tape[i] = code_tape_create(rothko->request.tapes, layout->width);
	}
	scan = coded_scan_begin(&part->rows);
	while ((count = coded_scan_next(&scan)) > 0)
		for (int64 i = 0; i < count; i++)
		{
			const int32 *tuple = scan.tuple + i * layout->width;
			int64 leaf = growing_tree_leaf(part->tree, tuple) - part->first_leaf;

			code_tape_append(tape[leaf * tapes / part->leaves], tuple);
		}
	code_tape_close(part->rows.tape);
	for (int i = tapes - 1; i >= 0; i--)
	{
		RothkoPart child = *part;
		/* The first leaf whose tape that is, and the first of the next. */
		int64 first = ((int64) i * part->leaves + tapes - 1) / tapes;
		int64 next = ((int64) (i + 1) * part->leaves + tapes - 1) / tapes;

		child.first_leaf = part->first_leaf + (int32) first;
		child.leaves = (int32) (next - first);
		child.rows = (CodedRows){.layout = layout, .tape = tape[i]};
		push_part(rothko, &child);
	}
	rothko->work.spread++;
	pfree(tape);
}

/* The part in memory, partitioned. */
static void
partition_part(Rothko *rothko, const RothkoPart *part)
{
	RothkoPiece *piece = &rothko->piece;
	int32 place = place_of(part);
	MemoryContext previous = MemoryContextSwitchTo(rothko->of_piece);

	piece->loaded = loaded_rows_create(&part->rows, &rothko->partition);
	code_tape_close(part->rows.tape);
	piece->recoding = partition_run(piece->loaded->dataset, &piece->loaded->request);
	MemoryContextSwitchTo(previous);
	if (rothko->nodes)
		keep_nodes_of_part(rothko, place);
	rothko->classes += piece->recoding->groups;
	rothko->rows += piece->loaded->dataset->rows;
	rothko->work.loaded++;
}

/* One class. */
static void
leave_whole(Rothko *rothko, const RothkoPart *part)
{
	MemoryContext previous = MemoryContextSwitchTo(rothko->of_piece);
	CodedRows *rows = palloc(sizeof(CodedRows));

	*rows = part->rows;
	MemoryContextSwitchTo(previous);
	rothko->passing = part->rows.tape;
	rothko->piece.rows = rows;
	rothko->piece.node = leaf_of(part);
	rothko->classes++;
	rothko->rows += leaf_of(part)->rows;
	if (rothko->nodes)
		rothko->nodes->node[place_of(part)] =
			(PartitionNode){.kind = PARTITION_LEAF,
							.code = rothko->nodes->node[place_of(part)].code,
							.class_number = rothko->classes};
}

/* Nothing waits any more. */
static void
give_up(Rothko *rothko, const RothkoPart *part)
{
	code_tape_close(part->rows.tape);
	rothko->count = 0;
}

static void
end_piece(Rothko *rothko)
{
	if (rothko->passing)
		code_tape_close(rothko->passing);
	rothko->passing = NULL;
	MemoryContextReset(rothko->of_piece);
	rothko->piece = (RothkoPiece){.before = rothko->classes, .rows_before = rothko->rows};
}

bool
rothko_next(Rothko *rothko, RothkoPiece *piece)
{
	end_piece(rothko);
	while (rothko->count > 0)
	{
		RothkoPart part = rothko->waiting[--rothko->count];
		bool single = part.tree == NULL || part.leaves == 1;

		CHECK_FOR_INTERRUPTS();
		if (part.leaves == 0 && part.context)
		{
			MemoryContextDelete(part.context);
			continue;
		}
		if (single && part.tree && leaf_of(&part)->known)
			leave_whole(rothko, &part);
		else if (single && part.tree && fits(rothko, code_tape_tuples(part.rows.tape)))
			partition_part(rothko, &part);
		else if (!single)
			spread(rothko, &part);
		else if (grow(rothko, &part))
			push_part(rothko, &part);
		else
			give_up(rothko, &part);
		if (rothko->piece.loaded || rothko->piece.rows)
		{
			*piece = rothko->piece;
			return true;
		}
	}
	return false;
}

static void
put_loaded(const RothkoPiece *piece, RowClasses *classes)
{
	const Recoding *recoding = piece->recoding;

	for (int32 class = 1; class <= recoding->groups; class ++)
		for (int64 at = recoding->class_end[class - 1]; at < recoding->class_end[class]; at++)
			row_classes_put(
				classes,
				piece->loaded
					->number[dataset_row(recoding->dataset, dataset_record(recoding->dataset, at))],
				piece->before + class);
}

void
rothko_classes(const RothkoPiece *piece, RowClasses *classes)
{
	CodedScan scan;
	int64 count;

	if (piece->loaded)
	{
		put_loaded(piece, classes);
		return;
	}
	scan = coded_scan_begin(piece->rows);
	while ((count = coded_scan_next(&scan)) > 0)
		for (int64 i = 0; i < count; i++)
			row_classes_put(
				classes,
				coded_rows_number(piece->rows->layout, scan.tuple + i * piece->rows->layout->width),
				piece->before + 1);
}

const RothkoWork *
rothko_work(const Rothko *rothko)
{
	return &rothko->work;
}
