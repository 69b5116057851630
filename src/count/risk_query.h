/*
 * risk_query.h
 *		Sizes of the classes of a relation, and of the same classes in the population that
 *		it was drawn from.
 */
#ifndef KANON_RISK_QUERY_H
#define KANON_RISK_QUERY_H

#include "postgres.h"

#include "metric/risk.h"
#include "relation/description.h"

/*
 * The tally over the relation's quasi-identifiers, read as the current user; classes are found in
 * the population by its own, in the same order.  NULL: the relation is its own.  Within a query
 * scope.
 *
 * Errors: the population has a column with another type (ERRCODE_DATATYPE_MISMATCH); it has fewer
 * rows of a class than the relation (ERRCODE_INVALID_PARAMETER_VALUE).
 */
extern RiskTally risk_query_tally(const Description *description, const Description *population,
								  double threshold);

#endif /* KANON_RISK_QUERY_H */
