/*
 * class_hiding.h
 *		Local suppression where NULL is a value: makes less of what classes hide.
 *
 * Rows that look alike are a class, of at least k.  A row may leave one that has more for any that
 * its values fit, and goes to the one that shows most.  When none moves any more, no single hidden
 * cell can be given back: its row would leave a class of k, or come to none of k.  Then a class
 * shows what its rows agree in, which may give others a class to go to.
 */
#ifndef KANON_CLASS_HIDING_H
#define KANON_CLASS_HIDING_H

#include "postgres.h"

#include "suppress/match_rows.h"

/*
 * Changes the columns that each row shows, [row], none of which becomes more costly; weight:
 * [column], what a hidden cell costs, above 0.  Ties go by the order of the rows and columns.
 * Scratch memory counts against the dataset's budget.  A round takes O(rows * sets of columns
 * shown) lookups at most; what is hidden gets less in each.
 */
extern void class_hiding_improve(const MatchRows *rows, int k, const double *weight,
								 ColumnSet *shown);

#endif /* KANON_CLASS_HIDING_H */
