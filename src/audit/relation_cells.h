/*
 * relation_cells.h
 *		The rows of a relation as cells generalized one by one.
 */
#ifndef KANON_RELATION_CELLS_H
#define KANON_RELATION_CELLS_H

#include "postgres.h"

#include "record/matching_rows.h"
#include "relation/description.h"

/*
 * All rows with the described quasi-identifiers and dimensions; palloc'd in the current context,
 * against the budget.  Within a query scope, as the current user.
 *
 * Errors: those of dimension_query_load and matching_rows_create; values that a dimension lacks.
 */
extern MatchingRows *relation_cells_load(const Description *description, Budget *budget);

/*
 * [attribute][node]: the loss of a cell, as a share of the loss of all attributes together:
 * metric/loss.h, by the declared weights, in the form of matching_bound.h.  Palloc'd against the
 * budget.
 */
extern const double *const *relation_cells_loss(const Description *description,
												const MatchingRows *rows);

#endif /* KANON_RELATION_CELLS_H */
