/*
 * dimension_method.h
 *		The methods of kanon_create_dimension; the plan of a dimension table that a method fills in,
 *		as SQL: where its ground values come from, and their label at each level; and the rule that
 *		remains of a plan, which labels values that the table lacks.
 *
 * Everything lives in the context in which the plan was made; dimension_build.h carries it out.
 *
 * A level's label is a function of the label below it, so labels are many-to-one between
 * neighbouring levels by construction: 53715 -> 5371* -> 537** -> 53*** -> 5**** -> *.
 */
#ifndef KANON_DIMENSION_METHOD_H
#define KANON_DIMENSION_METHOD_H

#include "postgres.h"

#include "nodes/pg_list.h"
#include "relation/description.h"

typedef struct DimensionMethod DimensionMethod;

typedef struct DimensionPlan
{
	/* The request. */
	const Description *relation; /* of the column whose values are read, if any are */
	const DescribedAttribute *attribute;
	Oid base_type; /* the attribute's type without domains */
	const DimensionMethod *method;
	List *arguments;     /* C strings */
	Oid taxonomy;        /* the table that the argument of method taxonomy names; otherwise
						  * InvalidOid */
	const char *operand; /* SQL: the value, not NULL, that rules label */
	List *bounds;        /* for quantiles, C strings: level, least and greatest value of each bin */

	/* The method's answer. */
	const char *source; /* SELECT with a row for each value, in column v; NULL: a rule, whose
						 * labels are functions of the value alone */
	List *names;        /* of String: the level columns, lowest first */
	List *labels;       /* [level]: SQL expressions over the source or the operand */
} DimensionPlan;

/*
 * A SELECT of the distinct values that are not null, as v, from which a source starts.  Among equal
 * values with different spellings (1.5, 1.50), the one with the least bytes is taken. counted: with
 * their rows, as n.
 */
extern char *dimension_plan_values(const DimensionPlan *plan, bool counted);

/*
 * Adds a level and makes its name unique; _top adds the most general one, '*'.  Raises
 * ERRCODE_PROGRAM_LIMIT_EXCEEDED beyond DIMENSION_MAX_LEVELS.
 */
extern void dimension_plan_add(DimensionPlan *plan, char *name, char *label);
extern void dimension_plan_add_top(DimensionPlan *plan);

/* ---- methods */

struct DimensionMethod
{
	const char *name;
	int least_arguments;
	int most_arguments;
	const char *hint;                 /* explains the arguments */
	void (*resolve)(DimensionPlan *); /* looks at the column's values: makes one argument for
									   * each level but the top, finds bounds; NULL: not needed */
	void (*make)(DimensionPlan *);    /* fills in the plan's answer */
};

/* Raises ERRCODE_INVALID_PARAMETER_VALUE for an unknown method, with the list. */
extern const DimensionMethod *dimension_method_find(const char *name);

/*
 * Resolves the arguments and fills in the plan's answer, within a query scope.  Errors: too few or
 * too many arguments, one that the method cannot use, a column type that it does not apply to.
 */
extern void dimension_method_make(DimensionPlan *plan);

/*
 * Fills in the answer of a plan with plan->taxonomy, within a query scope.  The first two columns
 * of that table are child and parent, compared as text.  A root has a NULL parent or no row.  The
 * top level is the root, or '*' if there are several.
 *
 * Errors, each quoting the culprit: fewer than two columns; a row without child; a child with two
 * parents; a cycle; values missing from the taxonomy.
 */
extern void dimension_taxonomy_make(DimensionPlan *plan);

/* ---- rules */

/*
 * The rule by which a dimension was made.  It uses the same expressions as kanon_refresh_dimension,
 * so their labels agree.  It applies to a column of the type it was made for, as long as the table
 * has no levels but those of the rule, in the same order and of text-like types; the last level may
 * be any.
 */
typedef struct DimensionRule DimensionRule;

/*
 * The rule of a dimension table for an attribute, or NULL if none applies.  Call within a query
 * scope.  In the current context; keeps pointers to table and attribute.
 */
extern DimensionRule *dimension_rule_load(const Description *table,
										  const DescribedAttribute *attribute);

/* Records the rule of a new dimension, if the plan is a rule. */
extern void dimension_rule_record(Oid dimension, const DimensionPlan *plan);

/*
 * SQL: the label of an operand that is not NULL, with the type of the table's column at that level;
 * a NULL pointer at a last level that is not the rule's.
 */
extern const char *dimension_rule_label(const DimensionRule *rule, int level, const char *operand);

/*
 * A SELECT of v and its label at each level, given a SELECT of v; the label is NULL at a last level
 * that is not the rule's.
 */
extern const char *dimension_rule_labels(const DimensionRule *rule, const char *values);

#endif /* KANON_DIMENSION_METHOD_H */
