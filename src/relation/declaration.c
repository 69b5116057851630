/*
 * declaration.c
 *		See declaration.h.
 *
 * Nobody has privileges to write kanon_attribute.  These functions check that the caller owns the
 * described table and then write as the owner of the catalog, as referential integrity checks do.
 * The statements touch only kanon_attribute and pg_catalog.
 *
 * Writes use the latest snapshot: under REPEATABLE READ, too, a DROP must find a declaration that
 * another session just committed.
 */
#include "postgres.h"

#include "relation/declaration.h"

#include <math.h>

#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "model/model.h"
#include "relation/dimension_source.h"
#include "sql/own_table.h"
#include "sql/query.h"
#include "sql/relation_name.h"
#include "sql/rights.h"
#include "utils/lsyscache.h"

void
declaration_claim(Oid relation)
{
	relation_name_hold(relation, AccessShareLock);
	rights_check(relation, RIGHTS_OF_OWNER);
}

double
declaration_weight(double weight)
{
	if (isnan(weight) || weight < 0 || weight > DECLARATION_MAX_WEIGHT)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("weight must be a number from 0 to %g, not %g",
							   DECLARATION_MAX_WEIGHT, weight)));
	return weight;
}

static void
check_dimension(const Description *description, const DescribedAttribute *attribute,
				const Declaration *declaration)
{
	Description *dimension;

	if (declaration->role != ROLE_QUASI_IDENTIFIER && declaration->role != ROLE_SENSITIVE)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("a column with role \"%s\" has no use for a dimension",
							   attribute_role_name(declaration->role))));
	dimension = dimension_source_load(declaration->dimension, attribute, 1);
	dimension_source_check_select(declaration->dimension);
	/* A permanent relation must not depend on a table that ends with a session. */
	if (get_rel_persistence(dimension->relation) == RELPERSISTENCE_TEMP &&
		get_rel_persistence(description->relation) != RELPERSISTENCE_TEMP)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_TABLE_DEFINITION),
				 errmsg("relation %s is permanent and cannot have the temporary dimension \"%s\"",
						description->name, get_rel_name(dimension->relation))));
}

static void
write_declaration(const Declaration *declaration)
{
	/*
	 * Event triggers do not see temporary tables go.  This removes what they left, except rows that
	 * another session has locked.
	 */
	own_table_do("WITH gone AS (SELECT relation, attribute FROM @attribute a WHERE NOT EXISTS"
				 " (SELECT 1 FROM pg_class c WHERE c.oid = a.relation) FOR UPDATE SKIP LOCKED)"
				 " DELETE FROM @attribute a USING gone"
				 " WHERE a.relation = gone.relation AND a.attribute = gone.attribute",
				 "");
	own_table_do("INSERT INTO @attribute AS a (relation, attribute, role, dimension, weight)"
				 " VALUES ($1, $2, $3, $4, coalesce($5, 1))"
				 " ON CONFLICT (relation, attribute) DO UPDATE SET role = excluded.role,"
				 " dimension = excluded.dimension, weight = coalesce($5, a.weight)"
				 " WHERE NOT ($6 AND a.role = excluded.role)",
				 "ott?o?db", declaration->relation, declaration->attribute,
				 attribute_role_name(declaration->role), OidIsValid(declaration->dimension),
				 declaration->dimension, declaration->weight >= 0, declaration->weight,
				 declaration->keep);
}

void
declaration_set(const Declaration *declaration)
{
	Description *description;
	DescribedAttribute *attribute;

	declaration_claim(declaration->relation);
	description = description_load_columns(declaration->relation);
	attribute = description_get(description, declaration->attribute);
	if (declaration->role == ROLE_QUASI_IDENTIFIER)
		description_check_quasi_identifier(description, attribute);
	if (OidIsValid(declaration->dimension))
		check_dimension(description, attribute, declaration);
	write_declaration(declaration);
}

void
declaration_unset(Oid relation, const char *attribute)
{
	Description *description;

	declaration_claim(relation);
	description = description_load_columns(relation);
	description_get(description, attribute);
	own_table_do("DELETE FROM @attribute WHERE relation = $1 AND attribute = $2", "ot", relation,
				 attribute);
	if (query_rows() == 0)
		ereport(ERROR, (errcode(ERRCODE_UNDEFINED_OBJECT),
						errmsg("nothing is declared for column \"%s\" of relation %s", attribute,
							   description->name)));
}

void
declaration_forget_dropped(void)
{
	/* Most drops are of functions, indexes, policies, ..: one query finds that out. */
	query_run("SELECT 1 FROM pg_event_trigger_dropped_objects()"
			  " WHERE classid = 'pg_class'::regclass AND (objsubid <> 0 OR object_type IN"
			  " ('table', 'view', 'materialized view', 'foreign table')) LIMIT 1",
			  false);
	if (query_rows() == 0)
		return;
	own_table_do("DELETE FROM @attribute a USING pg_event_trigger_dropped_objects() d"
				 " WHERE d.classid = 'pg_class'::regclass AND d.objid = a.relation"
				 " AND (d.objsubid = 0 OR d.address_names[3] = a.attribute)",
				 "");
	/* A dropped level keeps its place in the rule. */
	own_table_do("UPDATE @dimension_state r SET levels = ARRAY("
				 "SELECT CASE WHEN l.name::text <> ALL (d.names)"
				 " THEN l.name END FROM unnest(r.levels) WITH ORDINALITY l (name, at)"
				 " ORDER BY l.at) FROM (SELECT objid, array_agg(address_names[3]) AS names"
				 " FROM pg_event_trigger_dropped_objects() WHERE classid = 'pg_class'::regclass"
				 " AND objsubid <> 0 GROUP BY objid) d WHERE d.objid = r.dimension",
				 "");
	/* Columns that lose their dimension keep their role. */
	own_table_do("WITH bare AS (UPDATE @attribute a SET dimension = NULL"
				 " FROM pg_event_trigger_dropped_objects() d"
				 " WHERE d.classid = 'pg_class'::regclass AND d.objsubid = 0"
				 " AND d.objid = a.dimension RETURNING a.relation::text, a.attribute::text)"
				 " SELECT relation, attribute FROM bare ORDER BY relation, attribute",
				 "");
	for (uint64 row = 0; row < query_rows(); row++)
		ereport(NOTICE, (errmsg("column \"%s\" of relation %s is left without its dimension",
								query_text(row, 2), query_text(row, 1))));
}

void
declaration_rename_in_models(const char *table, const char *condition, const char *old_name,
							 const char *new_name)
{
	List *texts = NIL;
	ListCell *text;

	own_table_do(psprintf("SELECT DISTINCT models::text FROM @%s r WHERE models::text <> '' AND %s",
						  table, condition),
				 "tt", old_name, new_name);
	for (uint64 row = 0; row < query_rows(); row++)
		texts = lappend(texts, query_text(row, 1));
	foreach (text, texts)
		own_table_do(psprintf("UPDATE @%s r SET models = $4 WHERE models::text = $3 AND %s", table,
							  condition),
					 "tttt", old_name, new_name, lfirst(text),
					 model_text_rename(lfirst(text), old_name, new_name));
}

/*
 * Renaming a parent's column renames it in every child, and renaming an attribute of a composite
 * type does so in every table of that type.  So check all declarations of the old name whose column
 * now has the new one.
 */
void
declaration_follow_rename(const char *old_name, const char *new_name)
{
	own_table_do(
		"UPDATE @attribute a SET attribute = $2 WHERE attribute = $1 AND " OWN_TABLE_RENAMED(
			"a.relation"),
		"tt", old_name, new_name);
	own_table_do("UPDATE @dimension_state r SET levels = array_replace(levels, $1::name, $2::name)"
				 " WHERE $1::name = ANY (levels) AND " OWN_TABLE_RENAMED("r.dimension"),
				 "tt", old_name, new_name);
}
