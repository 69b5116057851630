/*
 * targets.h
 *		Predicts the final cells of each record of a block, by dual prices of rows (Lagrangian
 *		relaxation of the degree constraints, by subgradients: Held, Wolfe, Crowder 1974).
 */
#ifndef KANON_TARGETS_H
#define KANON_TARGETS_H

#include "postgres.h"

#include "matching/row_groups.h"

#define TARGET_PATTERNS 1024
#define TARGET_PRICE_UNIT 65536 /* the price that equals a cost of 1 */

/*
 * Sets the wide cells of each record to its target.  Records without a target among TARGET_PATTERNS
 * patterns keep theirs, and so do all if k = 1.  The records must cover only themselves yet; the
 * space for other rows and the groups' order are overwritten.
 *
 * price: [row], initially zero; set to the row's price in 1 / TARGET_PRICE_UNIT of a cost.  More
 * turns give better prices.
 *
 * Temporarily takes 20 bytes a row of the block's budget, besides the groups' order and a walk.
 * O(patterns * rows * (attributes + k)) for each turn.
 */
extern void targets_find(Block *block, RowGroups *groups, int turns, int32 *price);

#endif /* KANON_TARGETS_H */
