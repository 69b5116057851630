/*
 * release_rules.c
 *		See release_rules.h.
 *
 * Example:
 *
 *	SELECT s.*, CASE
 *	    WHEN s.age OPERATOR(pg_catalog.>=) '25'::pg_catalog.int4
 *	        AND s.age OPERATOR(pg_catalog.<=) '25'::pg_catalog.int4
 *	        AND l2.v0 OPERATOR(pg_catalog.=) 'self'::pg_catalog.text THEN 2
 *	    WHEN .. AND l2.v1 OPERATOR(pg_catalog.=) 'private'::pg_catalog.text THEN 1
 *	  END AS class
 *	FROM public.people s
 *	LEFT JOIN (VALUES ('self'::pg_catalog.text, 'private'::pg_catalog.text), ..) l2 (v0, v1)
 *	    ON l2.v0 OPERATOR(pg_catalog.=) s.work
 *
 * Hierarchies stand in the text, as they do in the tree.  A value that its hierarchy lacks finds no
 * partner, and so counts as NULL.
 */
#include "postgres.h"

#include "release/release_rules.h"

#include "access/stratnum.h"
#include "base/budget.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "release/release_text.h"
#include "sql/comparison.h"
#include "sql/value_text.h"
#include "tree/tree_rules.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

/* An attribute of the tree in the text. */
typedef struct RulesColumn
{
	const TreeAttribute *attribute;
	const char *operand; /* the relation's column, under the tree's collation */
	const char *type;    /* qualified */
	const char *labels;  /* alias of the hierarchy; NULL: none */
} RulesColumn;

typedef struct RulesText
{
	const PartitionTree *tree;
	const Description *relation;
	RulesColumn *column; /* [attribute] */
	StringInfoData sql;
} RulesText;

static RulesColumn
describe_column(const RulesText *text, int attribute)
{
	const TreeAttribute *described = partition_tree_attribute(text->tree, attribute);
	const char *name = partition_tree_name(text->tree, attribute);
	const DescribedAttribute *source = description_get(text->relation, name);
	RulesColumn column = {.attribute = described, .type = value_cast_type_name(described->type)};

	if (getBaseType(source->type) != described->type)
		ereport(ERROR, (errcode(ERRCODE_DATATYPE_MISMATCH),
						errmsg("column \"%s\" of relation %s has type %s, not %s", name,
							   text->relation->name, format_type_be(source->type),
							   format_type_be(described->type))));
	if (value_text_needs_settings(described->type))
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("values of column \"%s\" have type %s, whose text depends on settings",
						name, format_type_be(described->type)),
				 errdetail("The query runs under anybody's settings."),
				 errhint("Make the rules from a view that casts the column, money to numeric "
						 "and names of objects to text; kanon_leaf applies these.")));
	column.operand = psprintf("s.%s", quote_identifier(name));
	if (OidIsValid(described->collation))
	{
		Oid collation = tree_type_resolve_collation(
			described->collation, partition_tree_at(text->tree, described->collation_name));

		column.operand = psprintf("(%s %s)", column.operand, comparison_collation(collation));
	}
	if (described->top)
		column.labels = psprintf("l%d", attribute + 1);
	return column;
}

static char *
literal(const char *value, const char *type)
{
	return psprintf("%s::%s", quote_literal_cstr(value), type);
}

/* ---- tests */

static void
append_label(RulesText *text, const RulesColumn *column, int attribute, const TreeTest *test)
{
	const char *label = partition_tree_label(text->tree, attribute, test->level, test->low);
	bool value = test->level == 0;

	appendStringInfoString(
		&text->sql, comparison_by_strategy(BTEqualStrategyNumber,
										   psprintf("%s.v%d", column->labels, test->level),
										   literal(label, value ? column->type : "pg_catalog.text"),
										   value ? column->attribute->type : TEXTOID));
}

static void
append_range(RulesText *text, const RulesColumn *column, const TreeTest *test)
{
	const char *low = literal(partition_tree_at(text->tree, test->low), column->type);
	const char *high = literal(partition_tree_at(text->tree, test->high), column->type);
	Oid type = column->attribute->type;

	if (strcmp(low, high) == 0)
		appendStringInfoString(
			&text->sql, comparison_by_strategy(BTEqualStrategyNumber, column->operand, low, type));
	else
		appendStringInfo(
			&text->sql, "%s AND %s",
			comparison_by_strategy(BTGreaterEqualStrategyNumber, column->operand, low, type),
			comparison_by_strategy(BTLessEqualStrategyNumber, column->operand, high, type));
}

static void
append_test(RulesText *text, int attribute, const TreeTest *test)
{
	const RulesColumn *column = &text->column[attribute];
	const char *known = column->labels ? psprintf("%s.v0", column->labels) : column->operand;

	if (test->content == TREE_NULLS)
		appendStringInfo(&text->sql, "%s IS NULL", known);
	else if (test->level == TREE_ANY_VALUE)
		appendStringInfo(&text->sql, "%s IS NOT NULL", known);
	else if (column->labels)
		append_label(text, column, attribute, test);
	else
		append_range(text, column, test);
}

static void
append_rule(RulesText *text, const TreeNode *rule)
{
	const TreeTest *test = partition_tree_at(text->tree, rule->test);
	const char *separator = "\n    WHEN ";

	for (int i = 0; i < text->tree->attributes; i++)
	{
		if (test[i].content == TREE_ANYTHING)
			continue;
		appendStringInfoString(&text->sql, separator);
		append_test(text, i, &test[i]);
		separator = " AND ";
	}
	if (strcmp(separator, " AND ") != 0)
		appendStringInfo(&text->sql, "%strue", separator);
	if (rule->null_child == 0)
		appendStringInfoString(&text->sql, " THEN NULL");
	else
		appendStringInfo(&text->sql, " THEN %d", rule->null_child);
}

/* ---- hierarchies */

static void
append_hierarchy(RulesText *text, int attribute)
{
	const RulesColumn *column = &text->column[attribute];
	const TreeAttribute *described = column->attribute;

	appendStringInfoString(&text->sql, "\nLEFT JOIN (VALUES");
	for (int32 value = 0; value < described->values; value++)
	{
		CHECK_FOR_INTERRUPTS();
		appendStringInfoString(&text->sql, value > 0 ? ",\n    (" : "\n    (");
		for (int level = 0; level <= described->levels; level++)
			appendStringInfo(
				&text->sql, "%s%s", level > 0 ? ", " : "",
				literal(partition_tree_label_above(text->tree, attribute, level, value),
						level > 0 ? "pg_catalog.text" : column->type));
		appendStringInfoChar(&text->sql, ')');
	}
	appendStringInfo(&text->sql, ") %s (", column->labels);
	for (int level = 0; level <= described->levels; level++)
		appendStringInfo(&text->sql, "%sv%d", level > 0 ? ", " : "", level);
	appendStringInfo(&text->sql, ") ON %s",
					 comparison_by_strategy(BTEqualStrategyNumber,
											psprintf("%s.v0", column->labels), column->operand,
											described->type));
}

char *
release_rules_select(const PartitionTree *tree, const Description *relation)
{
	RulesText text = {.tree = tree, .relation = relation};

	partition_tree_check_version(tree);
	if (tree->split != TREE_RULES)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED), errmsg("the tree is not a list of rules"),
				 errhint("kanon_local_tree makes such lists; kanon_leaf applies any tree.")));
	text.column = palloc(sizeof(RulesColumn) * tree->attributes);
	for (int i = 0; i < tree->attributes; i++)
		text.column[i] = describe_column(&text, i);
	initStringInfo(&text.sql);
	appendStringInfoString(&text.sql, "SELECT s.*, CASE");
	for (int32 node = 1; node < tree->nodes; node++)
	{
		CHECK_FOR_INTERRUPTS();
		append_rule(&text, partition_tree_node(tree, node));
	}
	appendStringInfo(&text.sql, "\n  END AS %s\nFROM %s s",
					 release_columns_free_quoted(relation, "class"), relation->name);
	for (int i = 0; i < tree->attributes; i++)
		if (text.column[i].labels)
			append_hierarchy(&text, i);
	return text.sql.data;
}
