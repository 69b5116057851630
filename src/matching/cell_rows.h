/*
 * cell_rows.h
 *		Rows whose cells are to be generalized one by one, and what that loses
 *		(Murakami, Uno: Optimization algorithm for k-anonymization of datasets
 *		with low information loss, 2017, sections 2.3 and 3.2.4).
 *
 * Each attribute is a tree of cells.  Its leaves are the values that occur, NULL
 * among them; its root hides them all.  An attribute without hierarchy is a
 * tree of values under a root: a cell is shown or hidden.  Where a hierarchy
 * masks digits, each digit is an attribute of its own (section 1).
 *
 * Algorithms count what they hide in whole units, so that sums are exact: a cell loses
 * (leaves under it - 1) / (leaves of the domain - 1) of the units of its attribute, where a digit
 * has its share of the column's.  That is not what a column of digits loses in the end
 * (digit_leaves.h), but steers well and adds up.
 */
#ifndef KANON_CELL_ROWS_H
#define KANON_CELL_ROWS_H

#include "postgres.h"

#include "base/budget.h"
#include "matching/digit_leaves.h"

#define CELL_ATTRIBUTES_MOST 1024 /* digits counted one by one */

/* The cells of one attribute: node v below "values" is the value of code v. */
typedef struct CellTree
{
	int32 values;
	int32 nodes;   /* the root is the last one; parents come after their children */
	int32 *parent; /* [node]; the root's is itself */
	int32 *loss;   /* [node]: units; 0 for values, the most for the root */
	int32 *above;  /* [node]: first value under it, so that values under a node are an interval */
	int32 *below;  /* [node]: first value after them */
} CellTree;

/* A column each of whose digits is an attribute. */
typedef struct CellDigits
{
	int first; /* attribute */
	DigitDomain domain;
} CellDigits;

typedef struct CellRows
{
	int attributes;
	int64 rows;
	int digit_columns;
	CellDigits *digits; /* [digit column] in the order of their attributes; NULL: none */
	CellTree *tree;     /* [attribute] */
	int32 *code;        /* [row * attributes + attribute]: 0 .. values - 1 */
	Budget *budget;     /* of whoever works on them */
} CellRows;

/* A tree with room for so many nodes, to be filled; as cell_tree_flat. */
extern CellTree cell_tree_create(int32 values, int32 nodes, Budget *budget);

/*
 * The tree of an attribute without hierarchy, of so many values; palloc'd in the
 * current context, against the budget.
 */
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

/*
 * Room for the codes of so many rows, in the current context; trees and codes are to be
 * filled in.  Error beyond PG_INT32_MAX rows (ERRCODE_PROGRAM_LIMIT_EXCEEDED).
 */
extern CellRows *cell_rows_create(int attributes, int64 rows, Budget *budget);

/* The attributes from that of fewest values on; palloc'd. */
extern int *cell_rows_by_cardinality(const CellRows *rows);

/*
 * The rows so that neighbours are alike: in the order of their codes, the attribute
 * of fewest values first, equal rows as they stand.  palloc'd
 * against the budget.  O(rows * attributes + values).
 */
extern int32 *cell_rows_order(const CellRows *rows);

static inline const int32 *
cell_rows_codes(const CellRows *rows, int64 row)
{
	return rows->code + row * rows->attributes;
}

#endif /* KANON_CELL_ROWS_H */
