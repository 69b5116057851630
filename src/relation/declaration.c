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

#include "access/relation.h"
#include "base/compat.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "relation/dimension_source.h"
#include "sql/own_table.h"
#include "sql/query.h"
#include "sql/relation_name.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#define ATTRIBUTES "kanon_attribute"
#define RULES "kanon_dimension_state"

/* Runs one statement as the owner of the table; "%s" stands for the table. */
static void
write_table(Oid table, const char *format, int count, const Oid *types, const Datum *values,
			const char *nulls)
{
	own_table_run(table, psprintf(format, relation_name(table)), count, types, values, nulls);
}

void
declaration_claim(Oid relation)
{
	relation_close(relation_name_open(relation), NoLock);
	if (!compat_owns_relation(relation, GetUserId()))
		aclcheck_error(ACLCHECK_NOT_OWNER, get_relkind_objtype(get_rel_relkind(relation)),
					   get_rel_name(relation));
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
	Oid attributes = own_table_find(ATTRIBUTES);
	Oid types[] = {OIDOID, TEXTOID, TEXTOID, OIDOID, FLOAT8OID, BOOLOID};
	Datum values[] = {ObjectIdGetDatum(declaration->relation),
					  CStringGetTextDatum(declaration->attribute),
					  CStringGetTextDatum(attribute_role_name(declaration->role)),
					  ObjectIdGetDatum(declaration->dimension),
					  Float8GetDatum(declaration->weight),
					  BoolGetDatum(declaration->keep)};
	char nulls[] = {' ',
					' ',
					' ',
					OidIsValid(declaration->dimension) ? ' ' : 'n',
					declaration->weight < 0 ? 'n' : ' ',
					' '};

	/*
	 * Event triggers do not see temporary tables go.  This removes what they left, except rows that
	 * another session has locked.
	 */
	write_table(attributes,
				"WITH gone AS (SELECT relation, attribute FROM %1$s a WHERE NOT EXISTS"
				" (SELECT 1 FROM pg_class c WHERE c.oid = a.relation) FOR UPDATE SKIP LOCKED)"
				" DELETE FROM %1$s a USING gone"
				" WHERE a.relation = gone.relation AND a.attribute = gone.attribute",
				0, NULL, NULL, NULL);
	write_table(attributes,
				"INSERT INTO %s AS a (relation, attribute, role, dimension, weight)"
				" VALUES ($1, $2, $3, $4, coalesce($5, 1))"
				" ON CONFLICT (relation, attribute) DO UPDATE SET role = excluded.role,"
				" dimension = excluded.dimension, weight = coalesce($5, a.weight)"
				" WHERE NOT ($6 AND a.role = excluded.role)",
				lengthof(types), types, values, nulls);
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
	Oid attributes = own_table_find(ATTRIBUTES);
	Oid types[] = {OIDOID, TEXTOID};
	Datum values[] = {ObjectIdGetDatum(relation), CStringGetTextDatum(attribute)};
	Description *description;

	declaration_claim(relation);
	description = description_load_columns(relation);
	description_get(description, attribute);
	write_table(attributes, "DELETE FROM %s WHERE relation = $1 AND attribute = $2",
				lengthof(types), types, values, NULL);
	if (query_rows() == 0)
		ereport(ERROR, (errcode(ERRCODE_UNDEFINED_OBJECT),
						errmsg("nothing is declared for column \"%s\" of relation %s", attribute,
							   description->name)));
}

/* A dropped level keeps its place in the rule. */
static void
forget_dropped_rules(Oid rules)
{
	write_table(rules,
				"DELETE FROM %s r USING pg_event_trigger_dropped_objects() d"
				" WHERE d.classid = 'pg_class'::regclass AND d.objid = r.dimension"
				" AND d.objsubid = 0",
				0, NULL, NULL, NULL);
	write_table(rules,
				"UPDATE %s r SET levels = ARRAY(SELECT CASE WHEN l.name::text <> ALL (d.names)"
				" THEN l.name END FROM unnest(r.levels) WITH ORDINALITY l (name, at)"
				" ORDER BY l.at) FROM (SELECT objid, array_agg(address_names[3]) AS names"
				" FROM pg_event_trigger_dropped_objects() WHERE classid = 'pg_class'::regclass"
				" AND objsubid <> 0 GROUP BY objid) d WHERE d.objid = r.dimension",
				0, NULL, NULL, NULL);
}

void
declaration_forget_dropped(void)
{
	Oid attributes;

	/* Most drops are of functions, indexes, policies, ..: one query finds that out. */
	query_run("SELECT 1 FROM pg_event_trigger_dropped_objects()"
			  " WHERE classid = 'pg_class'::regclass AND (objsubid <> 0 OR object_type IN"
			  " ('table', 'view', 'materialized view', 'foreign table')) LIMIT 1",
			  false);
	attributes = query_rows() ? own_table_seek(ATTRIBUTES) : InvalidOid;
	if (!OidIsValid(attributes))
		return;
	write_table(attributes,
				"DELETE FROM %s a USING pg_event_trigger_dropped_objects() d"
				" WHERE d.classid = 'pg_class'::regclass AND d.objid = a.relation"
				" AND (d.objsubid = 0 OR d.address_names[3] = a.attribute)",
				0, NULL, NULL, NULL);
	forget_dropped_rules(own_table_find(RULES));
	/* Columns that lose their dimension keep their role. */
	write_table(attributes,
				"WITH bare AS (UPDATE %s a SET dimension = NULL"
				" FROM pg_event_trigger_dropped_objects() d"
				" WHERE d.classid = 'pg_class'::regclass AND d.objsubid = 0"
				" AND d.objid = a.dimension RETURNING a.relation::text, a.attribute::text)"
				" SELECT relation, attribute FROM bare ORDER BY relation, attribute",
				0, NULL, NULL, NULL);
	for (uint64 row = 0; row < query_rows(); row++)
		ereport(NOTICE, (errmsg("column \"%s\" of relation %s is left without its dimension",
								query_text(row, 2), query_text(row, 1))));
}

/*
 * Renaming a parent's column renames it in every child, and renaming an attribute of a composite
 * type does so in every table of that type.  So check all declarations of the old name whose column
 * now has the new one.
 */
void
declaration_follow_rename(const char *old_name, const char *new_name)
{
	Oid types[] = {TEXTOID, TEXTOID};
	Datum values[] = {CStringGetTextDatum(old_name), CStringGetTextDatum(new_name)};
	Oid attributes = own_table_seek(ATTRIBUTES);
	Oid rules = own_table_seek(RULES);

	if (!OidIsValid(attributes))
		return;
	write_table(attributes,
				"UPDATE %s a SET attribute = $2 WHERE attribute = $1"
				" AND NOT EXISTS (SELECT 1 FROM pg_attribute c WHERE c.attrelid = a.relation"
				" AND c.attname = $1) AND EXISTS (SELECT 1 FROM pg_attribute c"
				" WHERE c.attrelid = a.relation AND c.attname = $2)",
				lengthof(types), types, values, NULL);
	write_table(rules,
				"UPDATE %s r SET levels = array_replace(levels, $1::name, $2::name)"
				" WHERE $1::name = ANY (levels)"
				" AND NOT EXISTS (SELECT 1 FROM pg_attribute c WHERE c.attrelid = r.dimension"
				" AND c.attname = $1) AND EXISTS (SELECT 1 FROM pg_attribute c"
				" WHERE c.attrelid = r.dimension AND c.attname = $2)",
				lengthof(types), types, values, NULL);
}

/* ---- rules of dimensions */

void
declaration_set_rule(Oid dimension, const DeclaredRule *rule)
{
	Oid rules = own_table_find(RULES);
	Oid types[] = {OIDOID, TEXTOID, TEXTARRAYOID, NAMEARRAYOID, TEXTOID, TEXTARRAYOID};
	Datum values[] = {ObjectIdGetDatum(dimension),      CStringGetTextDatum(rule->method),
					  PointerGetDatum(rule->arguments), PointerGetDatum(rule->levels),
					  CStringGetTextDatum(rule->type),  PointerGetDatum(rule->bounds)};

	write_table(rules,
				"WITH gone AS (SELECT dimension FROM %1$s r WHERE NOT EXISTS"
				" (SELECT 1 FROM pg_class c WHERE c.oid = r.dimension) FOR UPDATE SKIP LOCKED)"
				" DELETE FROM %1$s r USING gone WHERE r.dimension = gone.dimension",
				0, NULL, NULL, NULL);
	write_table(rules,
				"INSERT INTO %s (dimension, method, arguments, levels, type, bounds)"
				" VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (dimension) DO UPDATE SET"
				" method = excluded.method, arguments = excluded.arguments,"
				" levels = excluded.levels, type = excluded.type, bounds = excluded.bounds",
				lengthof(types), types, values, NULL);
}

static ArrayType *
array_field(int column)
{
	bool isnull;

	return DatumGetArrayTypePCopy(query_value(0, column, &isnull));
}

bool
declaration_rule(Oid dimension, DeclaredRule *rule)
{
	Oid types[] = {OIDOID};
	Datum values[] = {ObjectIdGetDatum(dimension)};

	own_table_read("kanon_dimension_state",
				   "SELECT method, type, arguments, levels, bounds FROM %s WHERE dimension = $1",
				   lengthof(types), types, values);
	if (query_rows() == 0)
		return false;
	*rule = (DeclaredRule){.method = query_text(0, 1),
						   .type = query_text(0, 2),
						   .arguments = array_field(3),
						   .levels = array_field(4),
						   .bounds = array_field(5)};
	return true;
}
