/*
 * dimension_plan.h
 *		The plan of a dimension table, as SQL: where its ground values come from, and their label at
 *		each level.
 *
 * A method (dimension_method.h) fills in the plan; dimension_build.h carries it out.  Everything
 * lives in the context in which the plan was made.
 */
#ifndef KANON_DIMENSION_PLAN_H
#define KANON_DIMENSION_PLAN_H

#include "postgres.h"

#include "nodes/pg_list.h"
#include "relation/description.h"

typedef struct DimensionPlan
{
	/* The request. */
	const Description *relation; /* of the column whose values are read, if any are */
	const DescribedAttribute *attribute;
	Oid base_type; /* the attribute's type without domains */
	const char *method;
	int argument_count;
	char **arguments;
	Oid taxonomy;        /* the table that the argument of method taxonomy names */
	const char *operand; /* SQL: the value, not NULL, that rules label */
	List *bounds;        /* for quantiles, C strings: level, least and greatest value of each bin */

	/* The method's answer. */
	const char *source; /* SELECT with a row for each value, in column v; NULL: a rule, whose
						 * labels are functions of the value alone */
	List *names;        /* of String: the level columns, lowest first */
	List *labels;       /* [level]: SQL expressions over the source or the operand */
} DimensionPlan;

/*
 * A SELECT of the distinct values that are not null, as v, from which a source starts; _counts adds
 * their rows, as n.  Among equal values with different spellings (1.5, 1.50), the one with the
 * least bytes is taken.
 */
extern char *dimension_plan_values(const DimensionPlan *plan);
extern char *dimension_plan_counts(const DimensionPlan *plan);

/*
 * Adds a level and makes its name unique; _top adds the most general one, '*'.  Raises
 * ERRCODE_PROGRAM_LIMIT_EXCEEDED beyond DIMENSION_MAX_LEVELS.
 */
extern void dimension_plan_add(DimensionPlan *plan, char *name, char *label);
extern void dimension_plan_add_top(DimensionPlan *plan);

/* Raises ERRCODE_DATATYPE_MISMATCH: the method does not apply to the column's type. */
extern void dimension_plan_unsuited(const DimensionPlan *plan, const char *hint);

/*
 * An argument as a whole number of at least "least", or ERRCODE_INVALID_PARAMETER_VALUE; "noun"
 * names the argument in the message.
 */
extern int dimension_plan_count(const char *argument, const char *noun, int least);

#endif /* KANON_DIMENSION_PLAN_H */
