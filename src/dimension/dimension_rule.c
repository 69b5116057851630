/*
 * dimension_rule.c
 *		The rules of dimensions, see dimension_method.h.
 */
#include "postgres.h"

#include "dimension/dimension_method.h"

#include "catalog/pg_type.h"
#include "lib/stringinfo.h"
#include "parser/parse_coerce.h"
#include "sql/comparison.h"
#include "sql/name_array.h"
#include "sql/own_table.h"
#include "sql/query.h"
#include "sql/value_text.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

struct DimensionRule
{
	const Description *table;
	DimensionPlan plan; /* without source and answer */
	int *place;         /* [level of the table]: level of the rule, from 0; -1: none */
};

/* Matches the table's levels with the rule's, in order; false if there are others. */
static bool
place_levels(DimensionRule *rule, const List *names)
{
	const Description *table = rule->table;
	int top = table->attribute_count - 1;
	int count = list_length(names);
	int next = 0;

	rule->place = palloc(sizeof(int) * (top + 1));
	for (int level = 1; level <= top; level++)
	{
		const DescribedAttribute *column = &table->attributes[level];
		int found = next;

		while (found < count &&
			   (!list_nth(names, found) || strcmp(list_nth(names, found), column->name) != 0))
			found++;
		if (TypeCategory(getBaseType(column->type)) != TYPCATEGORY_STRING)
			found = count;
		if (found == count && level < top)
			return false;
		rule->place[level] = found < count ? found : -1;
		next = found + 1;
	}
	return true;
}

DimensionRule *
dimension_rule_load(const Description *table, const DescribedAttribute *attribute)
{
	DimensionRule *rule;
	Oid type = getBaseType(attribute->type);

	if (table->attribute_count < 2 || getBaseType(table->attributes[0].type) != type)
		return NULL;
	own_table_read("SELECT method, arguments, levels, bounds FROM @dimension_state"
				   " WHERE dimension = $1 AND type = $2",
				   "ot", table->relation, value_cast_type_name(type));
	if (query_rows() == 0)
		return NULL;
	rule = palloc0(sizeof(DimensionRule));
	rule->table = table;
	rule->plan = (DimensionPlan){.attribute = attribute,
								 .base_type = type,
								 .method = dimension_method_find(query_text(0, 1)),
								 .arguments = array_strings(query_array(0, 2)),
								 .bounds = array_strings(query_array(0, 4))};
	return place_levels(rule, array_strings(query_array(0, 3))) ? rule : NULL;
}

void
dimension_rule_record(Oid dimension, const DimensionPlan *plan)
{
	List *names = NIL;
	ListCell *cell;

	if (plan->source)
		return;
	foreach (cell, plan->names)
		names = lappend(names, strVal(lfirst(cell)));
	own_table_do("WITH gone AS (SELECT dimension FROM @dimension_state r WHERE NOT EXISTS"
				 " (SELECT 1 FROM pg_class c WHERE c.oid = r.dimension) FOR UPDATE SKIP LOCKED)"
				 " DELETE FROM @dimension_state r USING gone WHERE r.dimension = gone.dimension",
				 "");
	own_table_do("INSERT INTO @dimension_state (dimension, method, arguments, levels, type, bounds)"
				 " VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (dimension) DO UPDATE SET"
				 " method = excluded.method, arguments = excluded.arguments,"
				 " levels = excluded.levels, type = excluded.type, bounds = excluded.bounds",
				 "otTNtT", dimension, plan->method->name, text_array_of(plan->arguments),
				 name_array_of(names), value_cast_type_name(plan->base_type),
				 text_array_of(plan->bounds));
}

static DimensionPlan
make_plan(const DimensionRule *rule, const char *operand)
{
	DimensionPlan plan = rule->plan;

	plan.operand = operand;
	plan.method->make(&plan);
	return plan;
}

/* A label of the plan with the type and collation of the table's column. */
static const char *
label_of_plan(const DimensionRule *rule, const DimensionPlan *plan, int level)
{
	Oid type = getBaseType(rule->table->attributes[level].type);
	const char *label = list_nth(plan->labels, rule->place[level]);

	return type == TEXTOID ? label : psprintf("(%s)::%s", label, value_cast_type_name(type));
}

const char *
dimension_rule_label(const DimensionRule *rule, int level, const char *operand)
{
	Oid collation = rule->table->attributes[level].collation;
	Oid own = rule->plan.attribute->collation;
	DimensionPlan plan;
	const char *label;

	if (rule->place[level] < 0)
		return NULL;
	plan = make_plan(rule, operand);
	label = label_of_plan(rule, &plan, level);
	/* Beside labels of the table, the operand's collation would conflict. */
	return OidIsValid(own) && own != collation
			   ? psprintf("(%s) %s", label, comparison_collation(collation))
			   : label;
}

const char *
dimension_rule_labels(const DimensionRule *rule, const char *values)
{
	DimensionPlan plan = make_plan(rule, "s.v");
	StringInfoData sql;

	initStringInfo(&sql);
	appendStringInfoString(&sql, "SELECT s.v");
	for (int level = 1; level < rule->table->attribute_count; level++)
		appendStringInfo(&sql, ", %s",
						 rule->place[level] < 0 ? "NULL" : label_of_plan(rule, &plan, level));
	appendStringInfo(&sql, " FROM (%s) s", values);
	return sql.data;
}
