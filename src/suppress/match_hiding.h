/*
 * match_hiding.h
 *		Local suppression where a hidden cell matches anything: hides single cells until each row
 *		matches k rows, itself included, by all columns or by any so many.
 *
 * Hiding a cell makes no row match fewer rows.  So rows can be taken one after the other: one that
 * matches too few hides the cells of least weight that help it, one, then two, then greedily.
 * Afterwards each hidden cell is given back if every row still matches k.  One that could not be
 * given back cannot be after others were, so none is hidden in vain.
 */
#ifndef KANON_MATCH_HIDING_H
#define KANON_MATCH_HIDING_H

#include "postgres.h"

#include "suppress/match_rows.h"

typedef struct MatchHiding
{
	int k;
	int known;            /* columns that somebody may know of a row; 0: all */
	const double *weight; /* [column]: what a hidden cell costs, above 0 */
} MatchHiding;

/*
 * The columns that each row shows then: [row], palloc'd against the budget of the dataset, which
 * has at least k rows.  Ties between columns go by their order, those between rows by theirs.
 *
 * Cost: for each row that matches too few, the choices tried times the patterns of hidden columns;
 * for each hidden cell that its own row does not need, a look at the rows that match just k, and
 * for each that is given back one at all rows; all of it for each set of known columns.
 */
extern ColumnSet *match_hiding_run(const MatchRows *rows, const MatchHiding *request);

#endif /* KANON_MATCH_HIDING_H */
