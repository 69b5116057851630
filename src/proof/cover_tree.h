/*
 * cover_tree.h
 *		Rows by their codes, to find all that a released record covers.
 *
 * A k-d tree (Bentley 1975) with the tight box of each node.
 */
#ifndef KANON_COVER_TREE_H
#define KANON_COVER_TREE_H

#include "postgres.h"

#include "base/budget.h"
#include "proof/cell_cover.h"

typedef struct CoverTree CoverTree;

/* Takes rows of the tree by their positions, "count" of them. */
typedef void (*CoverConsumer)(void *state, const int32 *rows, int32 count);

/*
 * Over the rows of a dataset, which stays the caller's.  palloc'd in the current context
 * against the budget.  O(rows * attributes * log rows).
 */
extern CoverTree *cover_tree_create(const Dataset *dataset, Budget *budget);

/*
 * Hands over each row that the record of these cells covers in every attribute once.
 * For boxes that are neither out nor in O(rows^(1 - 1/attributes)) at worst; with h of
 * a attributes hidden and the others shown about O(rows^(h/a)), and the rows found.
 */
extern void cover_tree_search(const CoverTree *tree, const CellCover *const *cover,
							  const int32 *cell, CoverConsumer consumer, void *state);

extern void cover_tree_free(CoverTree *tree);

#endif /* KANON_COVER_TREE_H */
