/*
 * sensitive_values.h
 *		The values of a sensitive column as privacy models see them, whoever counts them.
 */
#ifndef KANON_SENSITIVE_VALUES_H
#define KANON_SENSITIVE_VALUES_H

#include "postgres.h"

#include "dimension/dimension_query.h"
#include "relation/sensitive_columns.h"

/*
 * The domain of the column's values, of which only its dimension's are known yet; without one,
 * final codes follow an order that is the same everywhere.  In the current context, within a
 * query scope if there is a dimension; the column is kept.  Errors of dimension_query_load.
 */
extern AttributeDomain *sensitive_values_load(const SensitiveColumns *columns, int column,
											  Budget *budget);

/*
 * What models see, from dimension and marginal of dimension_query_finish or dimension_query_read,
 * which are kept.  Error: a number that is not finite where a model needs it
 * (ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE).
 */
extern SensitiveDomain sensitive_values_finish(const AttributeDomain *values, int needs,
											   const Dimension *dimension, const int64 *marginal);

#endif /* KANON_SENSITIVE_VALUES_H */
