/*
 * dimension_rule.h
 *		The rule by which a dimension was made.  It labels values that the table lacks.
 *
 * The rule and kanon_refresh_dimension use the same expressions (dimension_method.h), so their
 * labels agree.  The rule applies to a column of the type it was made for, as long as the table has
 * no levels but those of the rule, in the same order and of text-like types; the last level may be
 * any.
 */
#ifndef KANON_DIMENSION_RULE_H
#define KANON_DIMENSION_RULE_H

#include "postgres.h"

#include "dimension/dimension_method.h"

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

#endif /* KANON_DIMENSION_RULE_H */
