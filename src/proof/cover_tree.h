/*
 * cover_tree.h
 *		Finds all rows that a released record covers.
 *
 * A k-d tree over the codes of rows (Bentley 1975) with the tight box of each node.
 */
#ifndef KANON_COVER_TREE_H
#define KANON_COVER_TREE_H

#include "postgres.h"

#include "base/budget.h"
#include "proof/cell_cover.h"

typedef struct CoverTree CoverTree;

/* Takes "count" rows of the tree, by their positions in the dataset. */
typedef void (*CoverConsumer)(void *state, const int32 *rows, int32 count);

/*
 * A tree over the rows of a dataset, which stays the caller's.  Palloc'd in the current context,
 * against the budget.  O(rows * attributes * log rows).
 */
extern CoverTree *cover_tree_create(const Dataset *dataset, Budget *budget);

/*
 * Passes on, once each, all rows that the record with these cells covers in every attribute.  Cost:
 * the rows found, and the boxes that are partly covered: at worst O(rows^(1 - 1/attributes)); with
 * h of a attributes hidden and the others shown, about O(rows^(h/a)).
 */
extern void cover_tree_search(const CoverTree *tree, const CellCover *const *cover,
							  const int32 *cell, CoverConsumer consumer, void *state);

extern void cover_tree_free(CoverTree *tree);

#endif /* KANON_COVER_TREE_H */
