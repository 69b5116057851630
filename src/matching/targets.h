/*
 * targets.h
 *		What each record of a block is expected to end with, by dual prices of rows
 *		(Lagrangian relaxation of the degrees, by subgradients: Held, Wolfe, Crowder 1974).
 */
#ifndef KANON_TARGETS_H
#define KANON_TARGETS_H

#include "postgres.h"

#include "matching/row_groups.h"

#define TARGET_PATTERNS 1024
#define TARGET_PRICE_UNIT 65536 /* the price that makes up for a cost of 1 */

/*
 * Sets the wide cells of each record to its target; those of a record without one, of
 * TARGET_PATTERNS patterns, stay, and for k = 1 all do.  The block's records cover none but
 * themselves yet; the room for other rows is written over.  So is the groups' order.
 *
 * price: [row], zero, afterwards its price in 1 / TARGET_PRICE_UNIT of a cost; the more turns,
 * the better.
 *
 * 20 bytes a row against the block's budget meanwhile, beside what the groups' order and a walk
 * take.  For each turn O(patterns * rows * (attributes + k)).
 */
extern void targets_find(Block *block, RowGroups *groups, int turns, int32 *price);

#endif /* KANON_TARGETS_H */
