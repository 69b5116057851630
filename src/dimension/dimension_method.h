/*
 * dimension_method.h
 *		The methods of kanon_create_dimension.
 *
 * A level's label is a function of the label below it, so labels are many-to-one between
 * neighbouring levels by construction: 53715 -> 5371* -> 537** -> 53*** -> 5**** -> *.
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
	const char *hint;                 /* explains the arguments */
	void (*resolve)(DimensionPlan *); /* looks at the column's values: makes one argument for
									   * each level but the top, finds bounds; NULL: not needed */
	void (*make)(DimensionPlan *);    /* fills in the plan's answer */
} DimensionMethod;

/* Raises ERRCODE_INVALID_PARAMETER_VALUE for an unknown method, with the list. */
extern const DimensionMethod *dimension_method_find(const char *name);

/*
 * Resolves the arguments and fills in the plan's answer, within a query scope.  Errors: too few or
 * too many arguments, one that the method cannot use, a column type that it does not apply to.
 */
extern void dimension_method_make(const DimensionMethod *method, DimensionPlan *plan);

#endif /* KANON_DIMENSION_METHOD_H */
