/*
 * dimension_rule.h
 *		The rule that a dimension was made by, for values that the table lacks.
 *
 * A label of the rule is what kanon_refresh_dimension would put into the table, since both are
 * the same expression (dimension_method.h).  The rule serves a column of the type that it was
 * made for, while the table has no levels but those of the rule, in their order, of types like
 * text; the last level may be any.
 */
#ifndef KANON_DIMENSION_RULE_H
#define KANON_DIMENSION_RULE_H

#include "postgres.h"

#include "dimension/dimension_method.h"

typedef struct DimensionRule DimensionRule;

/*
 * The rule of a dimension table for an attribute, NULL if none serves.  Within a query scope;
 * current context, table and attribute are kept.
 */
extern DimensionRule *dimension_rule_load(const Description *table,
										  const DescribedAttribute *attribute);

/* Records the rule of a dimension that was just made, if the plan is one. */
extern void dimension_rule_record(Oid dimension, const DimensionPlan *plan);

/*
 * SQL: the label of an operand that is not NULL, of the type of the table's column at that level;
 * NULL (no SQL) at a last level that is not the rule's.
 */
extern const char *dimension_rule_label(const DimensionRule *rule, int level, const char *operand);

/*
 * SELECT of v and its label at each level, given a SELECT of v; NULL (SQL) at a last level that is
 * not the rule's.
 */
extern const char *dimension_rule_labels(const DimensionRule *rule, const char *values);

#endif /* KANON_DIMENSION_RULE_H */
