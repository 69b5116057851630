/*
 * matching_bound.h
 *		What any release must lose in which each record covers k rows (Murakami, Uno
 *		2017, section 4).
 */
#ifndef KANON_MATCHING_BOUND_H
#define KANON_MATCHING_BOUND_H

#include "postgres.h"

#include "matching/matching_table.h"

#define MATCHING_BOUND_PATTERNS 16384 /* of a block of attributes */

/*
 * The mean over the rows of the least loss of cells that cover the row and k rows in all; at
 * least k rows.  Of more than MATCHING_BOUND_PATTERNS patterns of levels less than that, but a
 * bound all the same.  loss: [attribute][node], 0 for values, not less for a node than for those
 * below it; of a column of digits at the root of its first one what the column is worth, of which
 * a cell loses its part by leaves.  Every value of a tree has as many nodes above it.
 *
 * price: [row], in what one record loses, or NULL for none.  Whatever the prices are, it is a
 * bound; good ones tell more (targets.h).
 *
 * Memory against the budget of the rows: O(rows * attributes of a block).  O(rows * patterns) at
 * worst; equal rows that are neighbours count as one.  Answers interrupts.
 */
extern double matching_bound_run(const MatchingTable *rows, int k, const double *const *loss,
								 const double *price);

/*
 * Good prices: those of targets.h, found in each block of some neighbouring rows for itself.
 * [row], palloc'd in the current context against the budget of the rows; NULL where prices count
 * for nothing.  Meanwhile O(rows of a block * (attributes + k)) bytes of the budget.  O(patterns
 * * rows * (attributes + k)) for each of 30 turns.
 */
extern double *matching_bound_prices(const MatchingTable *rows, int k, const double *const *loss);

#endif /* KANON_MATCHING_BOUND_H */
