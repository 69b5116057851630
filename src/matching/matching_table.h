/*
 * matching_table.h
 *		Rows whose cells are to be generalized one by one, and what that loses (Murakami,
 *		Uno 2017, sections 2.3 and 3.2.4).
 *
 * Each attribute is a tree of cells.  Its leaves are the codes, that of NULL among them,
 * whether it occurs or not; its root hides them all.  An attribute without hierarchy is a tree
 * of values under a root.  Where a hierarchy masks digits, each digit is an attribute of its
 * own (section 1).
 *
 * Algorithms count what they hide in whole units, so that sums are exact: a cell loses (leaves
 * under it - 1) / (leaves of the domain - 1) of the units of its attribute, where a digit has
 * its share of the column's.  That is not what a column of digits loses in the end
 * (digit_leaves.h), but steers well and adds up.
 */
#ifndef KANON_MATCHING_TABLE_H
#define KANON_MATCHING_TABLE_H

#include "postgres.h"

#include "base/budget.h"
#include "data/dataset.h"
#include "matching/digit_leaves.h"

#define CELL_ATTRIBUTES_MOST 1024 /* digits counted one by one */

/* The cells of one attribute: a node below "values" is the code of a value, or of NULL. */
typedef struct CellTree
{
	int32 values;
	int32 nodes;   /* the root is the last one; parents come after their children */
	int32 *parent; /* [node]; the root's is itself */
	int32 *loss;   /* [node]: units; 0 for leaves, the most for the root */
	int32 *above;  /* [node]: the first value under it, NULL apart */
} CellTree;

/* A column each of whose digits is an attribute. */
typedef struct CellDigits
{
	int first; /* attribute */
	DigitDomain domain;
} CellDigits;

typedef struct MatchingTable
{
	Dataset *dataset; /* records, dense */
	int digit_columns;
	CellDigits *digits; /* [digit column] in the order of their attributes; NULL: none */
	CellTree *tree;     /* [attribute] */
	Budget *budget;     /* of whoever works on them */
} MatchingTable;

/*
 * An array by node, NULL's too, all zero, in the current context against the budget; and its end.
 */
extern void *cell_tree_array(const CellTree *tree, Size size, Budget *budget);
extern void cell_tree_free_array(void *array, Size size);

/*
 * A tree with room for so many nodes to be filled in, NULL's, below the root, apart; or that of
 * an attribute without hierarchy, of so many values.  palloc'd in the current context, against
 * the budget.
 */
extern CellTree cell_tree_create(int32 values, int32 nodes, Budget *budget);
extern CellTree cell_tree_flat(int32 values, int32 units, Budget *budget);

/* The least common ancestor of two nodes.  O(height). */
static inline int32
cell_tree_join(const CellTree *tree, int32 one, int32 other)
{
	/* A parent's number is greater than its children's. */
	while (one != other)
	{
		if (one < other)
			one = tree->parent[one];
		else
			other = tree->parent[other];
	}
	return one;
}

/* Of a dataset; trees are to be filled in.  In the current context. */
extern MatchingTable *matching_table_create(Dataset *dataset);

static inline const int32 *
matching_table_codes(const MatchingTable *rows, int64 row)
{
	return dataset_record(rows->dataset, row);
}

#endif /* KANON_MATCHING_TABLE_H */
