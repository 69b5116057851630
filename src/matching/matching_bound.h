/*
 * matching_bound.h
 *		A lower bound of the loss of any release in which each record covers k rows (Murakami, Uno
 *		2017, section 4).
 */
#ifndef KANON_MATCHING_BOUND_H
#define KANON_MATCHING_BOUND_H

#include "postgres.h"

#include "matching/matching.h"

#define MATCHING_BOUND_PATTERNS 16384 /* of a block of attributes */

/*
 * The mean over the rows of the least loss of cells that cover the row and k rows in all; needs at
 * least k rows.  With more than MATCHING_BOUND_PATTERNS patterns of levels the bound is weaker.
 * loss: [attribute][node], 0 for values, not less for a node than for those below it; for a column
 * of digits, the weight of the column at the root of its first digit, of which a cell loses its
 * share by leaves.  All values of a tree must have the same depth.
 *
 * price: [row], in units of a record's loss, or NULL for none.  The bound holds for any prices;
 * good ones make it tighter (targets.h).
 *
 * Memory against the rows' budget: O(rows * attributes of a block).  Time: O(rows * patterns) at
 * worst; equal neighbouring rows count as one.  Answers cancels.
 */
extern double matching_bound_run(const MatchingTable *rows, int k, const double *const *loss,
								 const double *price);

/*
 * Good prices: those of targets.h, computed separately for each block of neighbouring rows. [row],
 * palloc'd in the current context against the rows' budget; NULL if prices are not used.
 * Temporarily takes O(rows of a block * (attributes + k)) bytes of the budget.  O(patterns * rows *
 * (attributes + k)) for each of 30 turns.
 */
extern double *matching_bound_prices(const MatchingTable *rows, int k, const double *const *loss);

#endif /* KANON_MATCHING_BOUND_H */
