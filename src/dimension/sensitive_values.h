/*
 * sensitive_values.h
 *		The values of a sensitive column as privacy models see them.
 */
#ifndef KANON_SENSITIVE_VALUES_H
#define KANON_SENSITIVE_VALUES_H

#include "postgres.h"

#include "dimension/dimension_query.h"
#include "relation/sensitive_columns.h"

/*
 * The domain of the column's values, at first only with those of its dimension.  Without a
 * dimension, final codes follow an order that is the same on all systems.  In the current context;
 * within a query scope if there is a dimension.  Keeps a pointer to the column.  Raises the errors
 * of dimension_query_load.
 */
extern AttributeDomain *sensitive_values_load(const SensitiveColumns *columns, int column,
											  Budget *budget);

/*
 * The domain for models, from the dimension and marginal of dimension_query_finish or
 * dimension_query_read, whose pointers it keeps.  Raises ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE if a
 * model needs numbers and one is not finite.
 */
extern SensitiveDomain sensitive_values_finish(const AttributeDomain *values, int needs,
											   const Dimension *dimension, const int64 *marginal);

#endif /* KANON_SENSITIVE_VALUES_H */
