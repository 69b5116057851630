/*
 * risk_query.h
 *		The sizes of a relation's classes, and of the same classes in the population that it was
 *		drawn from.
 */
#ifndef KANON_RISK_QUERY_H
#define KANON_RISK_QUERY_H

#include "postgres.h"

#include "metric/risk.h"
#include "relation/description.h"

/*
 * The tally over the relation's quasi-identifiers, read as the current user.  Classes correspond to
 * those of the population's quasi-identifiers in the same order.  NULL: the relation is its own
 * population.  Within a query scope.
 *
 * Errors: a column of the population has another type (ERRCODE_DATATYPE_MISMATCH); a class has
 * fewer rows in the population than in the relation (ERRCODE_INVALID_PARAMETER_VALUE).
 */
extern RiskTally risk_query_tally(const Description *description, const Description *population,
								  double threshold);

#endif /* KANON_RISK_QUERY_H */
