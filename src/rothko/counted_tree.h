/*
 * counted_tree.h
 *		A growing tree as numbers, for those who lead rows down it elsewhere, and their counts.
 *
 * Whoever grows a tree over rows that lie elsewhere writes it (_write), and somebody there, who has
 * the same columns with the same codes, reads it (_read).  Each row goes to a node, and counts once
 * for each attribute and side of that node's group: at the places that _places says in an array of
 * _size numbers.  The sums over all rows are the group's counts (_take).
 */
#ifndef KANON_COUNTED_TREE_H
#define KANON_COUNTED_TREE_H

#include "postgres.h"

#include "rothko/growing_tree.h"

/*
 * The tree as "*count" numbers, palloc'd against its budget.  name: [node], what to call its
 * leaves; NULL: nothing, then those with a group are counted.
 */
extern int32 *counted_tree_write(const GrowingTree *tree, const int32 *name, int64 *count);

/* Adds up the counts, "size" numbers, of all rows into the groups of the tree. */
extern void counted_tree_take(GrowingTree *tree, const int64 *numbers, int64 size);

/*
 * The codes of a row, as a tuple of rows on a tape, from the places where it counts in a tree that
 * is this leaf alone, which counts all its attributes.
 */
extern void counted_tree_decode(const FrequencyGroup *leaf, const int32 *place, int32 *code);

typedef struct CountedTree CountedTree;

/*
 * The tree that these numbers say, in the current context, against the budget; for columns
 * [attribute] and sides with so many values each, [side].  strays: rows also count where their
 * label belongs to no child, after all other places.  Keeps pointers to all three arrays.
 * Raises ERRCODE_INVALID_PARAMETER_VALUE for numbers that are no such tree.
 */
extern CountedTree *counted_tree_read(const int32 *numbers, int64 count,
									  const RecodingColumn *column, int attributes,
									  const int32 *side_values, int sides, bool strays,
									  const Budget *budget);

/* The numbers that rows add to; and the most places that one row counts at. */
extern int64 counted_tree_size(const CountedTree *tree);
extern int counted_tree_most_places(const CountedTree *tree);

/* [attribute]: does it decide where a row goes or counts? */
extern const bool *counted_tree_asks(const CountedTree *tree);

/*
 * The name of the leaf to which a row with these codes belongs; those of values that no row had
 * when the tree was grown go to any.  Sets the places where the row counts, from 0; there are
 * "*places".  code: [attribute], of those that the tree asks for, then [side].  O(depth).
 */
extern int32 counted_tree_places(const CountedTree *tree, const int32 *code, int32 *place,
								 int *places);

#endif /* KANON_COUNTED_TREE_H */
