/*
 * release_lost.c
 *		See release_lost.h.
 *
 * A release is safe because of its text: a view with the same name and text is what kanon wrote,
 * whoever recreated it.
 */
#include "postgres.h"

#include "release/release_lost.h"

#include "base/compat.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "relation/citus.h"
#include "relation/declaration.h"
#include "release/release_catalog.h"
#include "release/release_history.h"
#include "release/release_refresh.h"
#include "release/release_table.h"
#include "sql/query.h"
#include "sql/relation_name.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/timestamp.h"

/* Runs a statement as the owner of kanon's tables; "%1$s" is their schema, $1 and $2 are texts. */
static void
run(Oid catalog, const char *format, const char *one, const char *other)
{
	const Oid types[] = {TEXTOID, TEXTOID};
	const Datum values[] = {CStringGetTextDatum(one), CStringGetTextDatum(other)};
	const char *schema = quote_identifier(relation_name_schema(get_rel_namespace(catalog)));

	release_table_run(catalog, psprintf(format, schema), lengthof(types), types, values, NULL);
}

void
release_lost_keep(Oid catalog)
{
	if (!citus_is_installed())
		return;
	/* Tables before their releases, because a table may get a release's name next. */
	run(catalog,
		"WITH dropped AS (SELECT objid, object_identity AS name"
		" FROM pg_event_trigger_dropped_objects()"
		" WHERE classid = 'pg_class'::regclass AND objsubid = 0),"
		" gone AS (SELECT d.name, 'kanon_attribute' AS catalog, d.name AS relation, to_jsonb(a)"
		" || CASE WHEN x.name IS NULL THEN '{}' ELSE jsonb_build_object('dimension', x.name) END"
		" AS entry FROM %1$s.kanon_attribute a JOIN dropped d ON d.objid = a.relation"
		" LEFT JOIN dropped x ON x.objid = a.dimension"
		" UNION ALL SELECT d.name, 'kanon_attribute', a.relation::text, to_jsonb(a)"
		" FROM %1$s.kanon_attribute a JOIN dropped d ON d.objid = a.dimension"
		" WHERE a.relation NOT IN (SELECT objid FROM dropped)"
		" UNION ALL SELECT d.name, 'kanon_dimension', d.name, to_jsonb(m)"
		" FROM %1$s.kanon_dimension_state m JOIN dropped d ON d.objid = m.dimension"
		" UNION ALL SELECT d.name, 'kanon_release', coalesce(s.name, r.relation::text), to_jsonb(r)"
		" FROM %1$s.kanon_release_state r JOIN dropped d ON d.objid = r.release"
		" LEFT JOIN dropped s ON s.objid = r.relation),"
		" before AS (DELETE FROM %1$s.kanon_lost_state l USING gone WHERE l.name = gone.name),"
		" kept AS (INSERT INTO %1$s.kanon_lost_state SELECT *, now() FROM gone)"
		" SELECT DISTINCT name, catalog FROM gone WHERE catalog <> 'kanon_attribute'"
		" OR name = relation ORDER BY catalog, name",
		"", "");
	for (uint64 row = 0; row < query_rows(); row++)
		if (strcmp(query_text(row, 2), "kanon_dimension") == 0)
			ereport(WARNING, (errmsg("the rule of dimension %s is lost", query_text(row, 1)),
							  errhint("If it is created again, restore a release that reads it "
									  "with kanon_adopt_release.")));
		else if (strcmp(query_text(row, 2), "kanon_release") == 0)
			ereport(WARNING,
					(errmsg("%s is no longer a release", query_text(row, 1)),
					 errhint("If the view is created again, as when a table is redistributed, "
							 "restore the release with kanon_adopt_release.")));
		else
			ereport(WARNING,
					(errmsg("the declarations of relation %s are lost", query_text(row, 1)),
					 errhint("If it is created again, declare it again, or restore a release of it "
							 "with kanon_adopt_release.")));
}

/* The table of the lost release; raises an error unless this view is it. */
static Oid
find_source(Oid catalog, Oid release, const char *name)
{
	run(catalog,
		"SELECT to_regclass(l.relation)::oid::text,"
		" l.entry ->> 'definition' = encode(sha256(textsend(pg_get_viewdef($2::oid))), 'hex')"
		" FROM %1$s.kanon_lost_state l WHERE l.name = $1 AND l.catalog = 'kanon_release'",
		name, psprintf("%u", release));
	if (query_rows() == 0)
		ereport(ERROR, (errcode(ERRCODE_UNDEFINED_OBJECT), errmsg("no release %s was lost", name),
						errhint("kanon_lost lists lost releases.")));
	/* The text names the table. */
	if (query_text(0, 1) == NULL || query_text(0, 2) == NULL || strcmp(query_text(0, 2), "t") != 0)
		ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
						errmsg("%s is not the release that was lost", name),
						errdetail("Its text differs."),
						errhint("Make it anew with kanon_create_release.")));
	return atooid(query_text(0, 1));
}

static void
take_back_declarations(Oid catalog, Oid source)
{
	const char *name = relation_name(source);

	if (!compat_owns_relation(source, GetUserId()))
		return;
	run(catalog,
		"INSERT INTO %1$s.kanon_attribute SELECT (jsonb_populate_record(NULL::%1$s.kanon_attribute,"
		" l.entry || jsonb_build_object('relation', c.attrelid,"
		" 'dimension', to_regclass(l.entry ->> 'dimension')::oid))).*"
		" FROM %1$s.kanon_lost_state l JOIN pg_attribute c ON c.attrelid = $2::oid AND NOT "
		"c.attisdropped"
		" AND c.attname = l.entry ->> 'attribute' WHERE l.name = $1 AND l.relation = $1"
		" AND l.catalog = 'kanon_attribute' ON CONFLICT DO NOTHING",
		name, psprintf("%u", source));
	run(catalog,
		"DELETE FROM %1$s.kanon_lost_state WHERE name = $1 AND relation = $1"
		" AND catalog = 'kanon_attribute'",
		name, name);
}

/*
 * Restores the rules of the dimensions that the release reads, and the dimensions in declarations
 * of tables that stayed, as far as the current user owns them.
 */
static void
take_back_dimensions(Oid catalog, Oid release)
{
	const char *user = psprintf("%u", GetUserId());

	run(catalog,
		"WITH anew AS (SELECT c.oid, l.name, l.entry FROM %1$s.kanon_lost_state l"
		" JOIN pg_class c ON c.oid = to_regclass(l.name) AND pg_has_role($2::oid, c.relowner, "
		"'USAGE')"
		" WHERE l.catalog = 'kanon_dimension' AND EXISTS (SELECT 1 FROM pg_rewrite w"
		" JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = w.oid"
		" WHERE w.ev_class = $1::oid AND d.refobjid = c.oid)),"
		" rules AS (INSERT INTO %1$s.kanon_dimension_state SELECT (jsonb_populate_record("
		"NULL::%1$s.kanon_dimension_state, n.entry || jsonb_build_object('dimension', n.oid))).*"
		" FROM anew n ON CONFLICT DO NOTHING),"
		" places AS (UPDATE %1$s.kanon_attribute a SET dimension = n.oid"
		" FROM anew n, %1$s.kanon_lost_state l, pg_class t WHERE l.name = n.name"
		" AND l.catalog = 'kanon_attribute' AND l.relation <> l.name"
		" AND t.oid = to_regclass(l.relation) AND pg_has_role($2::oid, t.relowner, 'USAGE')"
		" AND a.relation = t.oid AND a.attribute = l.entry ->> 'attribute'"
		" AND a.role = l.entry ->> 'role' AND a.dimension IS NULL)"
		" DELETE FROM %1$s.kanon_lost_state l USING anew n WHERE l.name = n.name"
		" AND (l.catalog = 'kanon_dimension'"
		" OR l.catalog = 'kanon_attribute' AND l.relation <> l.name)",
		psprintf("%u", release), user);
}

void
release_lost_adopt(Oid release)
{
	Oid catalog = release_catalog();
	const char *name;
	Oid source;

	declaration_claim(release);
	name = relation_name(release);
	if (release_catalog_find(catalog, release))
		ereport(ERROR,
				(errcode(ERRCODE_DUPLICATE_OBJECT), errmsg("%s is already a release", name)));
	source = find_source(catalog, release, name);
	run(catalog,
		psprintf("INSERT INTO %%1$s.kanon_release_state"
				 " SELECT (jsonb_populate_record(NULL::%%1$s.kanon_release_state, l.entry"
				 " || jsonb_build_object('release', %u::oid, 'relation', %u::oid))).*"
				 " FROM %%1$s.kanon_lost_state l WHERE l.name = $1 AND l.catalog = $2",
				 release, source),
		name, "kanon_release");
	run(catalog, "DELETE FROM %1$s.kanon_lost_state WHERE name = $1 AND catalog = $2", name,
		"kanon_release");
	take_back_declarations(catalog, source);
	take_back_dimensions(catalog, release);
	if (release_catalog_find(catalog, release)->recoding->options & RECODING_SEED)
		ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
						errmsg("the seed of release %s is lost", name),
						errhint("Make it anew with kanon_create_release.")));
	release_history_adopt(catalog, release, name);
	release_history_begin(catalog, release, FILLED_BY_ADOPTION, GetCurrentTimestamp());
	release_refreshed(catalog, release);
}
