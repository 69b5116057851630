/*
 * chains.h
 *		Makes the records of a matching lose less, by chains of exchanges (ejection chains: Glover
 *		1996).
 */
#ifndef KANON_CHAINS_H
#define KANON_CHAINS_H

#include "postgres.h"

#include "matching/block.h"
#include "matching/candidates.h"

/*
 * Improves what the block's records cover, all k rows, at the block's costs: the total never grows.
 * Leaves the cells of all records as they cover.  Temporarily takes O(rows * k) of the block's
 * budget.  Visits a bounded number of pairs for each row; answers cancels.
 */
extern void chains_run(Block *block, const Candidates *candidates);

#endif /* KANON_CHAINS_H */
