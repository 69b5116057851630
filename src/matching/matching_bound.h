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
 * The mean over the rows of the least loss of cells that cover the row and k rows in
 * all; at least k rows.  loss: [attribute][node], 0 for values, not less for a
 * node than for those below it; of a column of digits at the root of its first one what the column
 * is worth, of which a cell loses its part by leaves.  Every value of a tree has as many nodes
 * above it.
 *
 * price: [row], in what one record loses, or NULL for none.  To the loss of a record are added the
 * prices of the k - 1 other rows that it covers, and k - 1 times the mean price is taken off the
 * mean: nothing in all, if each row is covered k times.  So it is a bound whatever the prices are,
 * and tells more than the other if they are good (Lagrangian relaxation of the degrees that section
 * 4 leaves out).
 *
 * A pattern says how far up each attribute is generalized.  Where there are more than
 * MATCHING_BOUND_PATTERNS, attributes are taken in blocks of at most so many, and what the
 * blocks lose at least is added up: less than exact, but a bound all the same.  Prices
 * count for nothing there, and neither does a column of digits that has more by itself.
 *
 * Takes memory against the budget of the rows: O(rows * attributes of a block).
 * O(rows * patterns) at worst; equal rows that are neighbours count as one.  Answers interrupts.
 */
extern double matching_bound_run(const MatchingTable *rows, int k, const double *const *loss,
								 const double *price);

/*
 * Good prices: those of the targets (targets.h), found in each block of some neighbouring
 * rows for itself.  [row], palloc'd in the current context against the budget of the rows;
 * NULL where prices count for nothing.
 *
 * Takes O(rows of a block * (attributes + k)) bytes of the budget meanwhile (error as
 * budget_check).  O(patterns * rows * (attributes + k)) for each of 30 turns.
 */
extern double *matching_bound_prices(const MatchingTable *rows, int k, const double *const *loss);

#endif /* KANON_MATCHING_BOUND_H */
