/*
 * dimension_method.h
 *		The methods of kanon_create_dimension.
 *
 * Each makes labels that are many-to-one between neighbouring levels, by construction: a
 * level's label is a function of the label below it, 53715 -> 5371* -> 537** -> 53*** -> 5****
 * -> *.
 */
#ifndef KANON_DIMENSION_METHOD_H
#define KANON_DIMENSION_METHOD_H

#include "postgres.h"

#include "dimension/dimension_plan.h"

typedef struct DimensionMethod
{
	const char *name;
	int least_arguments;
	int most_arguments;
	const char *hint;                 /* what the arguments are */
	void (*resolve)(DimensionPlan *); /* looks at the column's values: arguments become one for
									   * each level but the top, bounds are found; NULL: they are */
	void (*make)(DimensionPlan *);    /* fills the plan's answer */
} DimensionMethod;

/* Error for an unknown one, with the list (ERRCODE_INVALID_PARAMETER_VALUE). */
extern const DimensionMethod *dimension_method_find(const char *name);

/*
 * Resolves and fills the plan's answer, within a query scope.  Errors: too few or too many
 * arguments, one that the method cannot use, a column type that it does not apply to.
 */
extern void dimension_method_make(const DimensionMethod *method, DimensionPlan *plan);

#endif /* KANON_DIMENSION_METHOD_H */
