/*
 * growing_tree.h
 *		The upper part of a partition tree over more rows than memory holds.  Nodes are divided by
 *		counts, in repeated scans of the rows, until the rows of a leaf are few enough (LeFevre,
 *		DeWitt 2007, section 2.1).
 */
#ifndef KANON_GROWING_TREE_H
#define KANON_GROWING_TREE_H

#include "postgres.h"

#include "partition/part.h"
#include "rothko/coded_rows.h"

typedef struct GrowingNode
{
	CodeBounds *bounds; /* [attribute] */
	int64 rows;
	bool known;         /* it was counted, and its split is final */
	AttributeSet codes; /* attributes whose counts were missing */
	ValueRange target;  /* regression: values of its rows, if the tree is grown from counts */
	Split split;        /* once known; PARTITION_LEAF: it cannot be divided */
	int32 first_child;  /* children are consecutive */
	int32 code;         /* child of a specialization: any code below its label */
	int32 lowest_label; /* of a specialization: the lowest label that the bounds allow */
	int32 *child_of;    /* [label - lowest_label]: index of the child; -1: none */
	int32 *minimum;     /* [attribute]: region, if it cannot be divided */
	int32 *maximum;
	FrequencyGroup *group; /* while it is counted */
	bool strayed;          /* counted elsewhere: rows came with labels of none of its children */
} GrowingNode;

typedef struct GrowingTree
{
	const RowLayout *layout;
	const RecodingColumn *column; /* [attribute], with the extent of the whole table */
	int32 nodes;                  /* node[0] is the root */
	int64 capacity;
	GrowingNode *node;
	int64 scans; /* scans of the rows */
	int32 leaves;
	const Budget *budget;
	/* Set when the tree is grown. */
	int32 *order; /* [node]: all nodes in preorder */
	int32 *leaf;  /* [leaf]: its place in that order */
	int32 *leaf_of_node;
} GrowingTree;

/*
 * Building blocks of a tree, in the current context, against the request's budget. _plant makes the
 * root, whose codes lie within bounds; _append adds nodes after the last; _make initializes one.
 * All copy the bounds.
 */
extern GrowingTree *growing_tree_plant(const RowLayout *layout, const PartitionRequest *request,
									   const CodeBounds *bounds, int64 rows);
extern int32 growing_tree_append(GrowingTree *tree, int32 count);
extern GrowingNode *growing_tree_make(GrowingTree *tree, int32 number, const CodeBounds *bounds,
									  int64 rows);

/*
 * Adds the children of a node by its split: _halve for a cut or NULL; _make_labels those of the
 * labels counted.  _number_labels prepares the lookup of a specialization's children: all labels
 * are in the rest or, without one, belong to none.
 */
extern void growing_tree_halve(GrowingTree *tree, int32 number);
extern void growing_tree_number_labels(GrowingTree *tree, int32 number);
extern void growing_tree_make_labels(GrowingTree *tree, int32 number, const PartChildren *labels);

/* Was the node divided? */
static inline bool
growing_node_is_divided(const GrowingNode *node)
{
	return node->known && node->split.kind != PARTITION_LEAF;
}

/*
 * The child to which a code of the split attribute belongs, from 0; -1: none, for a label that
 * occurred in no row.
 */
static inline int32
growing_tree_child(const GrowingTree *tree, const GrowingNode *node, int32 code)
{
	const Split *split = &node->split;

	if (split->kind != PARTITION_SPECIALIZE)
		return code > split->threshold;
	if (code == DATASET_NULL)
		return split->null_child;
	return node->child_of[tree->column[split->attribute].dimension->ancestor[split->level][code] -
						  node->lowest_label];
}

static inline GrowingNode *
growing_tree_leaf_node(const GrowingTree *tree, int32 leaf)
{
	return &tree->node[tree->order[tree->leaf[leaf]]];
}

/* Lists the nodes and the leaves in tree order. */
extern void growing_tree_list_leaves(GrowingTree *tree);

/*
 * How far a tree is grown.  Relaxed: only to the children of the root, because rows may be dealt to
 * them.
 */
typedef struct GrowthLimits
{
	Size room;    /* bytes of the budget that counts must leave free */
	int64 enough; /* rows that need not be divided further here */
	int64 most;   /* rows that must be, however few others wait with them; 0: any may stay */
} GrowthLimits;

/* Counts rows that lie elsewhere, into the groups of a tree (counted_tree.h). */
typedef struct TreeCounter
{
	int64 rows; /* about; a group has as many as it counts */
	void (*count)(void *state, GrowingTree *tree);
	void *state;
} TreeCounter;

/* Grows one tree after the other, in the current context. */
typedef struct TreeGrower
{
	MemoryContext context;
	const PartitionRequest *request;
	const RowLayout *layout;
	PartitionRun *run; /* which is told whether rows dealt by a split of the root would satisfy */
	int sides;         /* counted with each code: part_list_sides */
	int32 *side_values;
	const TreeCounter *counter; /* NULL: rows are on a tape */
	int64 slots;                /* slots allocated for run->counted */
	AttributeSet missing;
	bool unsure;
} TreeGrower;

extern TreeGrower *tree_grower_create(const RowLayout *layout, const PartitionRequest *request);

/*
 * Grows a tree over the rows, or those of the grower's counter, whose codes lie within the bounds,
 * in the current context.  Not relaxed, nor for regression, with a counter.  Returns NULL if the
 * rows together do not satisfy, which is checked only for a whole table.  At least the root is
 * known.  Raises an error if the counts of the root exceed the memory limit.
 */
extern GrowingTree *tree_grower_grow(TreeGrower *grower, const CodedRows *rows,
									 const CodeBounds *bounds, bool whole, GrowthLimits limits);

/* The bytes of the counts of all attributes of a node whose codes lie within the bounds. */
extern Size tree_grower_bytes(const TreeGrower *grower, const CodeBounds *bounds);

/* Lets a node be counted, whose codes lie within the bounds, against the request's budget. */
extern void tree_grower_open(const TreeGrower *grower, GrowingNode *node, const CodeBounds *bounds);

/* Grows a tree further that has at least its root's children.  Not over rows on a tape. */
extern void tree_grower_continue(TreeGrower *grower, GrowingTree *tree, GrowthLimits limits);

/* The leaf to which the codes of a row belong. */
extern int32 growing_tree_leaf(const GrowingTree *tree, const int32 *code);

/* The labels that a node tells apart: child_of says where each goes. */
static inline int32
growing_node_labels(const GrowingTree *tree, const GrowingNode *node)
{
	const CodeBounds *bounds = &node->bounds[node->split.attribute];
	const int32 *ancestor;

	if (!growing_node_is_divided(node) || node->split.kind != PARTITION_SPECIALIZE)
		return 0;
	ancestor = tree->column[node->split.attribute].dimension->ancestor[node->split.level];
	return ancestor[bounds->maximum] - node->lowest_label + 1;
}

/* Are rows dealt to the children of the root?  Then their codes do not decide. */
static inline bool
growing_tree_deals(const GrowingTree *tree)
{
	return tree->node[0].known && tree->node[0].split.dealt;
}

#endif /* KANON_GROWING_TREE_H */
