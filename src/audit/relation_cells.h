/*
 * relation_cells.h
 *		The rows of a relation as cells to be generalized one by one.
 */
#ifndef KANON_RELATION_CELLS_H
#define KANON_RELATION_CELLS_H

#include "postgres.h"

#include "record/matching_rows.h"
#include "relation/description.h"

/*
 * All rows, with the quasi-identifiers, dimensions and so attributes described;
 * palloc'd in the current context, against the budget.  Within a query scope, as the
 * current user.
 *
 * Errors: those of dimension_query_load and matching_rows_create; values that a
 * dimension lacks.
 */
extern MatchingRows *relation_cells_load(const Description *description, Budget *budget);

/*
 * [attribute][node]: what a cell loses of all the information, 0 to 1 for all
 * attributes together: metric/loss.h, by the weights declared, as matching_bound.h wants it.
 * palloc'd against the budget.
 */
extern const double *const *relation_cells_loss(const Description *description,
												const MatchingRows *rows);

#endif /* KANON_RELATION_CELLS_H */
