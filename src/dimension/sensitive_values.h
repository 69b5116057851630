/*
 * sensitive_values.h
 *		The values of sensitive columns as privacy models see them, and their distributions in a
 *		whole relation, by queries.
 */
#ifndef KANON_SENSITIVE_VALUES_H
#define KANON_SENSITIVE_VALUES_H

#include "postgres.h"

#include "dimension/dimension_query.h"
#include "relation/description.h"

/* Does a model need distances between its values, which a dimension defines? */
static inline bool
sensitive_values_has_levels(const DescribedAttribute *attribute)
{
	return (attribute->needs & MODEL_NEEDS_DISTANCE) && OidIsValid(attribute->dimension);
}

/*
 * The domain of a sensitive column's values, at first only with those of its dimension, if it has
 * levels.  Without, final codes follow an order that is the
 * same on all systems.  In the current context; within a query scope if there is a dimension. Keeps
 * a pointer to the attribute.  Raises the errors of dimension_query_load.
 */
extern AttributeDomain *sensitive_values_load(const Description *description,
											  const DescribedAttribute *attribute, Budget *budget);

/*
 * Sets and returns values->sensitive, after dimension_query_finish or dimension_query_read.  Raises
 * ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE if a model needs numbers and one is not finite.
 */
extern SensitiveDomain *sensitive_values_finish(AttributeDomain *values);

/* ERRCODE_TOO_MANY_ARGUMENTS if there are too many sensitive columns for queries over classes. */
extern void sensitive_values_check_columns(const Description *description);

/*
 * Reads the distribution of each sensitive column in the whole relation, by one GROUP BY each, and
 * their dimensions, as the current user: sets description->demand.domain and the domains of the
 * attributes.  If people count, a NULL person is nobody.  In the current context, within a query
 * scope.  Errors: those of sensitive_values_check_columns, _load and _finish.
 */
extern void sensitive_values_read(Description *description, Budget *budget);

/* Raises the errors of model_check_values for each model, after sensitive_values_read. */
extern void sensitive_values_check(const Description *description);

/*
 * The code of a value of a sensitive column, by its number, after sensitive_values_read.  Calls
 * description_report_change for a value that was absent then.
 */
extern int32 sensitive_values_code(const Description *description, int column, Datum value,
								   bool is_null);

#endif /* KANON_SENSITIVE_VALUES_H */
