/*
 * dimension_taxonomy.c
 *		Dimensions from a table of (child, parent), a method of dimension_method.h.
 *
 * A value's path leads from itself through its parents to a root.  Levels are aligned at the top:
 * labels right below the root share a level, however deep their branches are.  A value on a shorter
 * branch, or an inner node, repeats itself on the levels below its own.  Example, with France below
 * Europe below World, and Tokyo below Japan below Asia below World:
 *
 *	value	level 1	level 2	level 3
 *	France	France	Europe	World
 *	Tokyo	Japan	Asia	World
 *
 * A label is at the level given by its distance from the root, or repeats itself below it.  So
 * levels are many-to-one.
 */
#include "postgres.h"

#include "dimension/dimension_method.h"

#include "relation/dimension_source.h"
#include "sql/query.h"
#include "sql/value_text.h"
#include "utils/builtins.h"

/* Missing values shown in an error. */
#define EXAMPLES 5

typedef struct Taxonomy
{
	const char *name;  /* of the table, qualified and quoted */
	const char *edges; /* SELECT of distinct (child, parent), as text */
	const char *paths; /* SELECT of (v, path): each value's path to its root */
} Taxonomy;

/* SQL: a column of the taxonomy as text. */
static const char *
column_text(const Description *table, int column)
{
	const DescribedAttribute *attribute = &table->attributes[column];

	return value_text_expression(quote_identifier(attribute->name), attribute->type);
}

static Taxonomy
open_taxonomy(const DimensionPlan *plan)
{
	Description *table = description_load_columns(plan->taxonomy);
	Taxonomy taxonomy = {.name = table->name};

	dimension_source_check(plan->taxonomy, plan->relation->relation, NULL);
	if (table->attribute_count < 2)
		ereport(ERROR, (errcode(ERRCODE_INVALID_TABLE_DEFINITION),
						errmsg("taxonomy %s has fewer than two columns", table->name),
						errdetail("The first two columns are child and parent.")));
	taxonomy.edges =
		psprintf("SELECT DISTINCT %s COLLATE \"C\" AS child, %s COLLATE \"C\" AS parent"
				 " FROM %s",
				 column_text(table, 0), column_text(table, 1), table->name);
	/* The walk never enters a node twice: a path ends at a root or where a cycle closes. */
	taxonomy.paths =
		psprintf("WITH RECURSIVE edge AS (%s), walk AS ("
				 "SELECT v, ARRAY[%s COLLATE \"C\"] AS path FROM (%s) s"
				 " UNION ALL SELECT w.v, w.path || e.parent"
				 " FROM walk w JOIN edge e ON e.child = w.path[cardinality(w.path)]"
				 " WHERE e.parent IS NOT NULL AND e.parent <> ALL (w.path))"
				 " SELECT DISTINCT ON (v) v, path FROM walk ORDER BY v, cardinality(path) DESC",
				 taxonomy.edges, value_text_expression("v", plan->attribute->type),
				 dimension_plan_values(plan, false));
	return taxonomy;
}

static void
check_children(const Taxonomy *taxonomy)
{
	query_run(psprintf("SELECT parent FROM (%s) e WHERE child IS NULL ORDER BY parent LIMIT 1",
					   taxonomy->edges),
			  true);
	if (query_rows() > 0)
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("taxonomy %s has a row without child", taxonomy->name),
				 query_text(0, 1) ? errdetail("Its parent is \"%s\".", query_text(0, 1)) : 0));
}

static void
check_parents(const Taxonomy *taxonomy)
{
	query_run(psprintf("SELECT child, '\"' || min(parent) || '\"', CASE"
					   " WHEN count(parent) = count(*) THEN '\"' || max(parent) || '\"'"
					   " ELSE 'NULL' END FROM (%s) e GROUP BY child HAVING count(*) > 1"
					   " ORDER BY child LIMIT 1",
					   taxonomy->edges),
			  true);
	if (query_rows() > 0)
		ereport(ERROR,
				(errcode(ERRCODE_CARDINALITY_VIOLATION),
				 errmsg("\"%s\" has more than one parent in taxonomy %s", query_text(0, 1),
						taxonomy->name),
				 errdetail("Among them are %s and %s.", query_text(0, 2), query_text(0, 3))));
}

static void
check_values(const DimensionPlan *plan, const Taxonomy *taxonomy)
{
	query_run(psprintf("SELECT count(*), string_agg(v, ', ') FILTER (WHERE i <= %d)"
					   " FROM (SELECT v, row_number() OVER (ORDER BY v) AS i FROM"
					   " (SELECT '\"' || t || '\"' AS v"
					   " FROM (SELECT %s COLLATE \"C\" AS t FROM (%s) s) s"
					   " WHERE t NOT IN (SELECT child FROM (%s) e)"
					   " AND t NOT IN (SELECT parent FROM (%s) e WHERE parent IS NOT NULL)) s) s",
					   EXAMPLES, value_text_expression("v", plan->attribute->type),
					   dimension_plan_values(plan, false), taxonomy->edges, taxonomy->edges),
			  true);
	if (query_int8(0, 1) > 0)
		ereport(ERROR, (errcode(ERRCODE_FOREIGN_KEY_VIOLATION),
						errmsg("values of column \"%s\" are missing from taxonomy %s",
							   plan->attribute->name, taxonomy->name),
						errdetail_plural("%lld value, %s.", "%lld values, for example %s.",
										 (unsigned long) query_int8(0, 1),
										 (long long) query_int8(0, 1), query_text(0, 2))));
}

static void
check_cycles(const Taxonomy *taxonomy)
{
	query_run(psprintf("SELECT array_to_string(path[array_position(path, e.parent):] || e.parent,"
					   " ' -> ') FROM (%s) p JOIN (%s) e ON e.child = path[cardinality(path)]"
					   " WHERE e.parent IS NOT NULL ORDER BY 1 LIMIT 1",
					   taxonomy->paths, taxonomy->edges),
			  true);
	if (query_rows() > 0)
		ereport(ERROR,
				(errcode(ERRCODE_DATA_EXCEPTION), errmsg("taxonomy %s has a cycle", taxonomy->name),
				 errdetail("The cycle is %s.", query_text(0, 1))));
}

void
dimension_taxonomy_make(DimensionPlan *plan)
{
	Taxonomy taxonomy = open_taxonomy(plan);
	int longest;
	int roots;

	check_children(&taxonomy);
	check_parents(&taxonomy);
	check_values(plan, &taxonomy);
	check_cycles(&taxonomy);
	query_run(psprintf("SELECT max(cardinality(path))::int8,"
					   " count(DISTINCT path[cardinality(path)]) FROM (%s) p",
					   taxonomy.paths),
			  true);
	longest = (int) query_int8(0, 1);
	roots = (int) query_int8(0, 2);
	plan->source = taxonomy.paths;
	for (int level = 1; level < longest; level++)
		dimension_plan_add(
			plan, psprintf("level_%d", level),
			psprintf("path[greatest(1, cardinality(path) - %d)]", longest - 1 - level));
	if (roots > 1 || longest == 1)
		dimension_plan_add_top(plan);
}
