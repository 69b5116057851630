/*
 * growing_tree.h
 *		The upper part of a partition tree, over more rows than memory holds: grown from what
 *		is counted of each node while the rows are read again and again, until the rows of a leaf
 *		are few enough (LeFevre, DeWitt 2007, section 2.1).
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
	bool known;         /* it was counted, and is as it will be */
	AttributeSet codes; /* that were missing when it was */
	ValueRange target;  /* by regression: of its rows, if its tree grows from counts */
	Split split;        /* once it is known: PARTITION_LEAF: nothing divides it */
	int32 first_child;  /* nodes of children are consecutive */
	int32 code;         /* child of a specialization: one under its label */
	int32 lowest_label; /* of a specialization: that the bounds allow */
	int32 *child_of;    /* [label - lowest_label]: number of the child; -1: it has none */
	int32 *minimum;     /* [attribute], of one that nothing divides: its region */
	int32 *maximum;
	int32 place;           /* for who keeps nodes: the node's number there */
	FrequencyGroup *group; /* while it is counted */
} GrowingNode;

typedef struct GrowingTree
{
	const RowLayout *layout;
	const RecodingColumn *column; /* [attribute], with the extent of the table */
	int32 nodes;                  /* node[0] is the root */
	int32 capacity;
	GrowingNode *node;
	int64 scans; /* of the rows */
	int32 leaves;
	const Budget *budget;
	int32 *leaf; /* [leaf]: its node, in the order of the tree; once it is grown */
	int32 *leaf_of_node;
} GrowingTree;

/*
 * How a tree is put together, in the current context, against the request's budget: the root, whose
 * codes lie within bounds, which are copied, as always; nodes behind the last one, and one of them
 * made.
 */
extern GrowingTree *growing_tree_plant(const RowLayout *layout, const PartitionRequest *request,
									   const CodeBounds *bounds, int64 rows);
extern int32 growing_tree_append(GrowingTree *tree, int32 count);
extern GrowingNode *growing_tree_make(GrowingTree *tree, int32 number, const CodeBounds *bounds,
									  int64 rows);

/*
 * Children of a node by its split: of a cut or of NULL; of a specialization only where they are to
 * be found, and no label has one yet.
 */
extern void growing_tree_halve(GrowingTree *tree, int32 number);
extern void growing_tree_number_labels(GrowingTree *tree, int32 number);

/* Lists the leaves in the order of the tree. */
extern void growing_tree_list_leaves(GrowingTree *tree);

/* How far a tree is grown: relaxed, to the children of the root, to which rows may be dealt. */
typedef struct GrowthLimits
{
	Size room;    /* bytes of the budget that counts must leave */
	int64 enough; /* rows that are not divided here any more */
} GrowthLimits;

/* What one tree after the other is grown with, in the current context. */
typedef struct TreeGrower TreeGrower;

extern TreeGrower *tree_grower_create(const RowLayout *layout, const PartitionRequest *request,
									  int64 rows);

/* How it learns whether rows that were dealt by a split of the root would satisfy. */
extern void tree_grower_ask(TreeGrower *grower,
							bool (*dealt_satisfies)(void *dealer, const Split *split),
							void *dealer);

/* The judge of parts; NULL: k rows are enough. */
extern RowJudge *tree_grower_judge(TreeGrower *grower);

/*
 * Grows a tree over the rows, whose codes lie within the bounds, in the current context; NULL if
 * all of them together do not satisfy, which is asked of a whole table only.  At least the root is
 * known. Adds to *scans how often they were read.  Error: the counts of the root exceed the memory
 * limit.
 */
extern GrowingTree *tree_grower_grow(TreeGrower *grower, const CodedRows *rows,
									 const CodeBounds *bounds, bool whole, GrowthLimits limits);

/* The leaf where the codes of a row belong. */
extern int32 growing_tree_leaf(const GrowingTree *tree, const int32 *code);

/* Are rows dealt to the children of the root?  Then codes do not tell. */
static inline bool
growing_tree_deals(const GrowingTree *tree)
{
	return tree->node[0].known && tree->node[0].split.dealt;
}

#endif /* KANON_GROWING_TREE_H */
