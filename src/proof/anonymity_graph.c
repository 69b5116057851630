/*
 * anonymity_graph.c
 *		See anonymity_graph.h.
 *
 * The rows that a record covers are found in a k-d tree over their codes (Bentley 1975), with the
 * tight box of each node.
 *
 * Rows are split at the mean code of their widest attribute, relative to its width among all rows,
 * until few are left.  Example: the codes
 *
 *		(0, 2)  (1, 0)  (5, 1)  (6, 3)
 *
 * are widest in the first attribute: (0, 2) (1, 0) on the left, box 0 to 1 and 0 to 2; (5, 1) (6,
 * 3) on the right, box 5 to 6 and 1 to 3.  A record whose first cell covers 4 to 9 and whose second
 * is hidden skips the left box and takes all of the right one.
 */
#include "postgres.h"

#include "proof/anonymity_graph.h"

#include "base/context.h"
#include "base/interrupt.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#define PURPOSE "anonymity graph"
#define LEAF_ROWS 8

/* ----------------------------------------------------------------
 * The rows that a record covers
 * ----------------------------------------------------------------
 */

typedef struct CoverNode
{
	int32 first; /* its first row */
	int32 end;
	int32 next; /* the node after its subtree */
	bool leaf;
} CoverNode;

/* An attribute of a record that is not hidden; of most the cell is one span. */
typedef struct CoverActive
{
	int attribute;
	bool single;
	CodeSpan span;
} CoverActive;

typedef struct CoverTree
{
	const Dataset *dataset;
	int attributes;
	Budget *budget;
	int32 *row; /* in tree order */
	int32 nodes;
	int32 capacity;
	CoverNode *node;
	int32 *box;          /* [(node * attributes + attribute) * 2]: least, greatest */
	CoverActive *active; /* attributes of a record that are not hidden */
} CoverTree;

static inline int32
code_of(const CoverTree *tree, int32 place, int attribute)
{
	return dataset_record(tree->dataset, tree->row[place])[attribute];
}

static inline int32 *
box_of(const CoverTree *tree, int32 node)
{
	return tree->box + (int64) node * tree->attributes * 2;
}

static void
fit_box(CoverTree *tree, int32 node)
{
	int32 *box = box_of(tree, node);

	for (int i = 0; i < tree->attributes; i++)
		box[2 * i] = box[2 * i + 1] = code_of(tree, tree->node[node].first, i);
	for (int32 at = tree->node[node].first + 1; at < tree->node[node].end; at++)
	{
		const int32 *code = dataset_record(tree->dataset, tree->row[at]);

		interrupt_check(at);
		for (int i = 0; i < tree->attributes; i++)
		{
			box[2 * i] = Min(box[2 * i], code[i]);
			box[2 * i + 1] = Max(box[2 * i + 1], code[i]);
		}
	}
}

/* The widest attribute, or -1 if all rows are equal. */
static int
widest(const CoverTree *tree, int32 node)
{
	const int32 *all = box_of(tree, 0);
	const int32 *box = box_of(tree, node);
	double most = 0;
	int attribute = -1;

	for (int i = 0; i < tree->attributes; i++)
	{
		double width = (double) box[2 * i + 1] - box[2 * i];

		if (width > 0 && width / ((double) all[2 * i + 1] - all[2 * i]) > most)
		{
			most = width / ((double) all[2 * i + 1] - all[2 * i]);
			attribute = i;
		}
	}
	return attribute;
}

/* Moves the rows up to the mean before the others; returns where these begin. */
static int32
cut_rows(CoverTree *tree, int32 node, int attribute)
{
	int32 first = tree->node[node].first;
	int32 end = tree->node[node].end;
	int32 behind = first;
	int64 sum = 0;

	for (int32 at = first; at < end; at++)
		sum += code_of(tree, at, attribute);
	for (int32 at = first; at < end; at++)
	{
		int32 row = tree->row[at];

		interrupt_check(at);
		/* As the codes differ, there are some up to the mean and some above it. */
		if ((int64) code_of(tree, at, attribute) * (end - first) > sum)
			continue;
		tree->row[at] = tree->row[behind];
		tree->row[behind++] = row;
	}
	return behind;
}

/*
 * Builds the node over some rows and its subtree.  Depth is bounded by the cuts that the codes
 * allow.
 */
static void
build(CoverTree *tree, int32 first, int32 end)
{
	int32 node = tree->nodes++;
	int attribute;

	check_stack_depth();
	CHECK_FOR_INTERRUPTS();
	if (tree->nodes > tree->capacity)
	{
		int32 capacity = Max(64, tree->capacity * 2);

		tree->node = budget_enlarge(tree->budget, tree->node, tree->capacity, capacity,
									sizeof(CoverNode), PURPOSE);
		tree->box = budget_enlarge(tree->budget, tree->box, tree->capacity, capacity,
								   2 * sizeof(int32) * tree->attributes, PURPOSE);
		tree->capacity = capacity;
	}
	tree->node[node] = (CoverNode){.first = first, .end = end};
	fit_box(tree, node);
	attribute = end - first > LEAF_ROWS ? widest(tree, node) : -1;
	if (attribute >= 0)
	{
		int32 behind = cut_rows(tree, node, attribute);

		build(tree, first, behind);
		build(tree, behind, end);
	}
	tree->node[node].leaf = attribute < 0;
	tree->node[node].next = tree->nodes;
}

/*
 * A tree over the rows of a dataset, which stays the caller's, in the current context.  O(rows *
 * attributes * log rows).
 */
static CoverTree *
cover_tree_create(const Dataset *dataset, Budget *budget)
{
	CoverTree *tree = palloc0(sizeof(CoverTree));
	int attributes = dataset->attributes;
	int32 rows = (int32) dataset->rows;

	tree->dataset = dataset;
	tree->attributes = attributes;
	tree->budget = budget;
	tree->row = budget_allocate(budget, rows, sizeof(int32), PURPOSE);
	tree->active = palloc(sizeof(CoverActive) * Max(attributes, 1));
	for (int32 row = 0; row < rows; row++)
		tree->row[row] = row;
	if (rows > 0)
		build(tree, 0, rows);
	return tree;
}

/* How much of the codes from least to greatest its cell covers. */
static inline CoverPart
active_part(const CoverActive *active, const CellCover *const *cover, const int32 *cell,
			int32 least, int32 greatest)
{
	if (!active->single)
		return cell_cover_part(cover[active->attribute], cell[active->attribute], least, greatest);
	if (active->span.from > greatest || active->span.to <= least)
		return COVER_NONE;
	return active->span.from <= least && active->span.to > greatest ? COVER_EACH : COVER_SOME;
}

/* How much of a node's box the record covers. */
static CoverPart
node_part(const CoverTree *tree, int32 node, const CellCover *const *cover, const int32 *cell,
		  int active)
{
	const int32 *box = box_of(tree, node);
	CoverPart part = COVER_EACH;

	for (int i = 0; i < active; i++)
	{
		const int32 *side = box + 2 * tree->active[i].attribute;
		CoverPart here = active_part(&tree->active[i], cover, cell, side[0], side[1]);

		if (here == COVER_NONE)
			return COVER_NONE;
		if (here == COVER_SOME)
			part = COVER_SOME;
	}
	return part;
}

static bool
covers_row(const CoverTree *tree, int32 place, const CellCover *const *cover, const int32 *cell,
		   int active)
{
	const int32 *row = dataset_record(tree->dataset, tree->row[place]);

	for (int i = 0; i < active; i++)
	{
		int32 code = row[tree->active[i].attribute];

		if (active_part(&tree->active[i], cover, cell, code, code) == COVER_NONE)
			return false;
	}
	return true;
}

/* Which attributes are to be looked at; how many. */
static int
find_active(const CoverTree *tree, const CellCover *const *cover, const int32 *cell)
{
	int active = 0;

	for (int i = 0; i < tree->attributes; i++)
	{
		int32 first = cover[i]->first[cell[i]];
		bool single = cover[i]->first[cell[i] + 1] == first + 1;

		if (!cell_cover_is_all(cover[i], cell[i]))
			tree->active[active++] = (CoverActive){
				.attribute = i,
				.single = single,
				.span = single ? cover[i]->span[first] : (CodeSpan){0},
			};
	}
	return active;
}

static void
reserve_links(AnonymityGraph *graph, int64 links)
{
	if (links <= graph->capacity)
		return;
	graph->end =
		budget_enlarge(graph->budget, graph->end, graph->capacity, links, sizeof(int32), PURPOSE);
	graph->capacity = links;
}

/* Adds "count" rows of the tree, by their positions in the dataset, to the current record. */
static void
add_edges(AnonymityGraph *graph, const int32 *rows, int32 count)
{
	int64 edges = graph->edges + count;

	if (edges > PG_INT32_MAX)
		ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
						errmsg("anonymity graph has more than %d edges", PG_INT32_MAX),
						errdetail("The released records cover too many different rows each.")));
	if (edges > graph->capacity)
		reserve_links(graph, Max(edges, graph->capacity + graph->capacity / 2 + 1024));
	for (int32 i = 0; i < count; i++)
		graph->end[graph->edges++] = graph->records + rows[i];
}

/*
 * Adds to the graph, once each, all rows that the record with these cells covers in every
 * attribute.  Cost: the rows found, and the boxes that are partly covered: at worst O(rows^(1 -
 * 1/attributes)); with h of a attributes hidden and the others shown, about O(rows^(h/a)).
 */
static void
cover_tree_search(const CoverTree *tree, const CellCover *const *cover, const int32 *cell,
				  AnonymityGraph *graph)
{
	int active = find_active(tree, cover, cell);
	int32 node = 0;
	int32 end = tree->nodes;

	/* Nodes lie in the order of a walk: what is passed by is skipped as a whole. */
	while (node < end)
	{
		const CoverNode *at = &tree->node[node];
		CoverPart part = node_part(tree, node, cover, cell, active);

		interrupt_check(node);
		if (part == COVER_SOME && !at->leaf)
		{
			node++;
			continue;
		}
		if (part == COVER_EACH)
			add_edges(graph, tree->row + at->first, at->end - at->first);
		else if (part == COVER_SOME)
			for (int32 place = at->first; place < at->end; place++)
				if (covers_row(tree, place, cover, cell, active))
					add_edges(graph, &tree->row[place], 1);
		node = at->next;
	}
}

/* ----------------------------------------------------------------
 * The graph
 * ----------------------------------------------------------------
 */

/* [group]: its members. */
static void
fill_sizes(const Dataset *groups, int64 *size)
{
	for (int64 group = 0; group < groups->rows; group++)
	{
		interrupt_check(group);
		size[group] = dataset_members(groups, dataset_record(groups, group));
	}
}

/* Adds the links of the rows behind those of the records. */
static void
link_rows(AnonymityGraph *graph)
{
	int64 end = graph->edges;

	reserve_links(graph, 2 * graph->edges);
	graph->edge = budget_allocate(graph->budget, graph->edges, sizeof(int32), PURPOSE);
	for (int64 edge = 0; edge < graph->edges; edge++)
	{
		interrupt_check(edge);
		graph->first[graph->end[edge]]++;
	}
	for (int32 row = graph->records; row < graph->vertices; row++)
		end = graph->first[row] += end;
	graph->first[graph->vertices] = end;
	end = graph->edges;
	/* Backwards, so that each row's end becomes its beginning. */
	for (int32 record = graph->records - 1; record >= 0; end = graph->first[record--])
		for (int64 edge = end - 1; edge >= graph->first[record]; edge--)
		{
			int64 at = --graph->first[graph->end[edge]];

			interrupt_check(edge);
			graph->end[at] = record;
			graph->edge[at - graph->edges] = (int32) edge;
		}
}

AnonymityGraph *
anonymity_graph_create(const Dataset *rows, const Dataset *records, const CellCover *const *cover,
					   Budget *budget)
{
	AnonymityGraph *graph = palloc0(sizeof(AnonymityGraph));
	MemoryContext scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon cover tree", CONTEXT_SMALL_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(scratch);
	CoverTree *tree = cover_tree_create(rows, budget);

	MemoryContextSwitchTo(caller);
	if (records->rows + rows->rows >= PG_INT32_MAX)
		elog(ERROR, "anonymity graph has too many vertices");
	graph->records = (int32) records->rows;
	graph->vertices = (int32) (records->rows + rows->rows);
	graph->members = records->members;
	graph->rows = rows->members;
	graph->budget = budget;
	graph->size = budget_allocate(budget, graph->vertices, sizeof(int64), PURPOSE);
	fill_sizes(records, graph->size);
	fill_sizes(rows, graph->size + graph->records);
	graph->first = budget_allocate(budget, (int64) graph->vertices + 1, sizeof(int64), PURPOSE);
	for (int32 record = 0; record < graph->records; record++)
	{
		CHECK_FOR_INTERRUPTS();
		graph->first[record] = graph->edges;
		cover_tree_search(tree, cover, dataset_record(records, record), graph);
	}
	MemoryContextDelete(scratch);
	link_rows(graph);
	return graph;
}
