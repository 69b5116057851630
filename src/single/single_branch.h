/*
 * single_branch.h
 *		Branch and bound over sets of cuts.
 *
 * A set of cuts is decided cut by cut.  Between the map without open cuts and that with all of them
 * lie all maps that a partial decision can lead to.  If the first leaves too many rows in classes
 * below k, so do the others.  The second bounds what they lose: rows that are in classes below k
 * even there must become coarser somewhere, which costs the prices of cuts that are left
 * (cut_space.h), or be suppressed.  The decision of least bound is taken further first.
 *
 * For intervals this is K-Optimize (R. J. Bayardo, R. Agrawal 2005): the cuts made are its head
 * set, the open ones its tail, and by discernibility the bound is its own (section 4.1): a row
 * costs at least what it costs with all cuts of the tail, and at least k.
 */
#ifndef KANON_SINGLE_BRANCH_H
#define KANON_SINGLE_BRANCH_H

#include "postgres.h"

#include "single/single_greedy.h"

/*
 * Decides cuts that gain most first, which finds better maps soon, or the dearest, those that cost
 * most to leave, which raises bounds.
 *
 * Looks for what costs less than the best so far, from the space's marks on, until nothing is left
 * or the effort is spent.  Returns what no map that satisfies costs less than.  In the current
 * context, against the table's budget: 16 bytes for each map looked at.  Answers cancels.
 */
extern int64 single_branch_run(SingleSearch *search, bool dearest);

#endif /* KANON_SINGLE_BRANCH_H */
