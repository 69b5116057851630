/*
 * dimension_plan.h
 *		The plan of a dimension table: where its ground values come from and what each level
 *		calls them, as SQL.
 *
 * A method (dimension_method.h) fills the plan, dimension_build.h carries it out.  Everything
 * lives in the context that the plan was made in.
 */
#ifndef KANON_DIMENSION_PLAN_H
#define KANON_DIMENSION_PLAN_H

#include "postgres.h"

#include "nodes/pg_list.h"
#include "relation/description.h"

typedef struct DimensionPlan
{
	/* What is asked for. */
	const Description *relation; /* of the column whose values are looked at, if any are */
	const DescribedAttribute *attribute;
	Oid base_type; /* the attribute's, beneath domains */
	const char *method;
	int argument_count;
	char **arguments;
	Oid taxonomy;        /* the table that the argument of method taxonomy names */
	const char *operand; /* SQL: the value, not NULL, that rules label */
	List *bounds;        /* of quantiles, C strings: level, least and greatest value of each bin */

	/* What the method answers. */
	const char *source; /* SELECT with a row for each value, in column v; NULL: labels are a rule,
						 * functions of the value alone */
	List *names;        /* of String: the levels' columns, from the lowest */
	List *labels;       /* of the levels: SQL expressions over the source, or the operand */
} DimensionPlan;

/*
 * SELECT of the distinct values that are not null, as v, what a source starts from; or with the
 * rows of each, as n.  Of equal values that differ (1.5, 1.50) the one whose bytes are least
 * stands for all.
 */
extern char *dimension_plan_values(const DimensionPlan *plan);
extern char *dimension_plan_counts(const DimensionPlan *plan);

/*
 * Adds a level, whose name is made to differ from those there; or the most general one, '*'.
 * ERRCODE_PROGRAM_LIMIT_EXCEEDED past DIMENSION_MAX_LEVELS.
 */
extern void dimension_plan_add(DimensionPlan *plan, char *name, char *label);
extern void dimension_plan_add_top(DimensionPlan *plan);

/* Raises ERRCODE_DATATYPE_MISMATCH: the method does not apply to the column's type. */
extern void dimension_plan_unsuited(const DimensionPlan *plan, const char *hint);

/*
 * An argument, a "noun", as a whole number of at least "least", else
 * ERRCODE_INVALID_PARAMETER_VALUE.
 */
extern int dimension_plan_count(const char *argument, const char *noun, int least);

#endif /* KANON_DIMENSION_PLAN_H */
