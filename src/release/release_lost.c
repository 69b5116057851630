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
#include "cohort/cohort_state.h"
#include "miscadmin.h"
#include "relation/citus.h"
#include "relation/declaration.h"
#include "release/release_catalog.h"
#include "release/release_refresh.h"
#include "sql/own_table.h"
#include "sql/query.h"
#include "sql/relation_name.h"
#include "utils/timestamp.h"

void
release_lost_keep(void)
{
	if (!citus_is_installed())
		return;
	/* Tables before their releases, because a table may get a release's name next. */
	own_table_do(
		"WITH dropped AS (SELECT objid, object_identity AS name"
		" FROM pg_event_trigger_dropped_objects()"
		" WHERE classid = 'pg_class'::regclass AND objsubid = 0),"
		" gone AS (SELECT d.name, 'kanon_attribute' AS catalog, d.name AS relation, to_jsonb(a)"
		" || CASE WHEN x.name IS NULL THEN '{}' ELSE jsonb_build_object('dimension', x.name) END"
		" AS entry FROM @attribute a JOIN dropped d ON d.objid = a.relation"
		" LEFT JOIN dropped x ON x.objid = a.dimension"
		" UNION ALL SELECT d.name, 'kanon_attribute', a.relation::text, to_jsonb(a)"
		" FROM @attribute a JOIN dropped d ON d.objid = a.dimension"
		" WHERE a.relation NOT IN (SELECT objid FROM dropped)"
		" UNION ALL SELECT d.name, 'kanon_dimension', d.name, to_jsonb(m)"
		" FROM @dimension_state m JOIN dropped d ON d.objid = m.dimension"
		" UNION ALL SELECT d.name, 'kanon_release', coalesce(s.name, r.relation::text), to_jsonb(r)"
		" FROM @release_state r JOIN dropped d ON d.objid = r.release AND r.query IS NULL"
		" LEFT JOIN dropped s ON s.objid = r.relation"
		" UNION ALL SELECT format('%I.%I', n.nspname, c.relname), 'kanon_release',"
		" coalesce(s.name, r.relation::text), to_jsonb(r) || jsonb_build_object('query', d.name)"
		" FROM @release_state r JOIN dropped d ON d.objid = r.query"
		" JOIN pg_class c ON c.oid = r.release JOIN pg_namespace n ON n.oid = c.relnamespace"
		" LEFT JOIN dropped s ON s.objid = r.relation"
		" UNION ALL SELECT d.name, 'kanon_seed', coalesce(s.name, r.relation::text), to_jsonb(e)"
		" || jsonb_build_object('owner', (SELECT h.owner FROM @release_history_state h"
		" WHERE h.release = d.objid ORDER BY h.number DESC LIMIT 1))"
		" FROM @seed e JOIN @release_state r ON r.release = e.release AND r.query IS NULL"
		" JOIN dropped d ON d.objid = r.release LEFT JOIN dropped s ON s.objid = r.relation),"
		" before AS (DELETE FROM @lost_state l USING gone WHERE l.name = gone.name),"
		" kept AS (INSERT INTO @lost_state SELECT *, now() FROM gone)"
		" SELECT DISTINCT name, catalog, entry ->> 'query' FROM gone"
		" WHERE catalog IN ('kanon_dimension', 'kanon_release')"
		" OR catalog = 'kanon_attribute' AND name = relation ORDER BY catalog, name",
		"");
	for (uint64 row = 0; row < query_rows(); row++)
		if (strcmp(query_text(row, 2), "kanon_dimension") == 0)
			ereport(WARNING, (errmsg("the rule of dimension %s is lost", query_text(row, 1)),
							  errhint("If it is created again, restore a release that reads it "
									  "with kanon_adopt_release.")));
		else if (strcmp(query_text(row, 2), "kanon_release") == 0 && !query_null(row, 3))
			ereport(WARNING,
					(errmsg("the query of release %s is gone", query_text(row, 1)),
					 errhint("If %s is created again, as when a table is redistributed, restore it "
							 "with kanon_adopt_release.",
							 query_text(row, 3))));
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

/* The view that may be the query of the release, a table that has lost it; or InvalidOid. */
static Oid
find_query(Oid release, const char *name)
{
	own_table_do("SELECT c.oid FROM @lost_state l JOIN pg_class c"
				 " ON c.oid = to_regclass(l.entry ->> 'query') AND c.relkind = 'm'"
				 " JOIN pg_class r ON r.oid = $2 AND r.relowner = c.relowner"
				 " WHERE l.name = $1 AND l.catalog = 'kanon_release'",
				 "to", name, release);
	return query_rows() > 0 ? (Oid) query_int8(0, 1) : InvalidOid;
}

/* The table of the lost release; raises an error unless this view has its text. */
static Oid
find_source(Oid view, const char *name)
{
	Oid source;

	own_table_do("SELECT to_regclass(l.relation),"
				 " l.entry ->> 'definition' = encode(sha256(textsend(pg_get_viewdef($2))), 'hex')"
				 " FROM @lost_state l WHERE l.name = $1 AND l.catalog = 'kanon_release'",
				 "to", name, view);
	if (query_rows() == 0)
		ereport(ERROR, (errcode(ERRCODE_UNDEFINED_OBJECT), errmsg("no release %s was lost", name),
						errhint("kanon_lost lists lost releases.")));
	/* The text names the table. */
	if (query_null(0, 1) || query_int8(0, 2) == 0)
		ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
						errmsg("%s is not the release that was lost", name),
						errdetail("Its text differs."),
						errhint("Make it anew with kanon_create_release.")));
	source = (Oid) query_int8(0, 1);
	return citus_is_shard(source) ? citus_table_of(source) : source;
}

/*
 * A local table that Citus takes over becomes the only shard of a new table with its name, and
 * keeps the declarations: the table gets them.
 */
static void
follow_shard(Oid source)
{
	Oid shard = citus_local_shard(source);

	if (OidIsValid(shard) && compat_owns_relation(source, GetUserId()) &&
		compat_owns_relation(shard, GetUserId()))
		own_table_do("UPDATE @attribute SET relation = $2 WHERE relation = $1"
					 " AND NOT EXISTS (SELECT 1 FROM @attribute WHERE relation = $2)",
					 "oo", shard, source);
}

static void
take_back_declarations(Oid source)
{
	const char *name = relation_name(source);

	if (!compat_owns_relation(source, GetUserId()))
		return;
	own_table_do("INSERT INTO @attribute SELECT (jsonb_populate_record(NULL::@attribute,"
				 " l.entry || jsonb_build_object('relation', c.attrelid,"
				 " 'dimension', to_regclass(l.entry ->> 'dimension')::oid))).*"
				 " FROM @lost_state l JOIN pg_attribute c ON c.attrelid = $2"
				 " AND NOT c.attisdropped AND c.attname = l.entry ->> 'attribute' WHERE l.name = "
				 "$1 AND l.relation = $1"
				 " AND l.catalog = 'kanon_attribute' ON CONFLICT DO NOTHING",
				 "to", name, source);
	own_table_do("DELETE FROM @lost_state WHERE name = $1 AND relation = $1"
				 " AND catalog = 'kanon_attribute'",
				 "t", name);
}

/*
 * Restores the rules of the dimensions that the release reads, and the dimensions in declarations
 * of tables that stayed, as far as the current user owns them.
 */
static void
take_back_dimensions(Oid release)
{
	own_table_do("WITH anew AS (SELECT c.oid, l.name, l.entry FROM @lost_state l"
				 " JOIN pg_class c ON c.oid = to_regclass(l.name)"
				 " AND pg_has_role($2, c.relowner, 'USAGE')"
				 " WHERE l.catalog = 'kanon_dimension' AND EXISTS (SELECT 1 FROM pg_rewrite w"
				 " JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = w.oid"
				 " WHERE w.ev_class = $1 AND d.refobjid = c.oid)),"
				 " rules AS (INSERT INTO @dimension_state SELECT (jsonb_populate_record("
				 "NULL::@dimension_state, n.entry || jsonb_build_object('dimension', n.oid))).*"
				 " FROM anew n ON CONFLICT DO NOTHING),"
				 " places AS (UPDATE @attribute a SET dimension = n.oid"
				 " FROM anew n, @lost_state l, pg_class t WHERE l.name = n.name"
				 " AND l.catalog = 'kanon_attribute' AND l.relation <> l.name"
				 " AND t.oid = to_regclass(l.relation) AND pg_has_role($2, t.relowner, 'USAGE')"
				 " AND a.relation = t.oid AND a.attribute = l.entry ->> 'attribute'"
				 " AND a.role = l.entry ->> 'role' AND a.dimension IS NULL)"
				 " DELETE FROM @lost_state l USING anew n WHERE l.name = n.name"
				 " AND (l.catalog = 'kanon_dimension'"
				 " OR l.catalog = 'kanon_attribute' AND l.relation <> l.name)",
				 "oo", release, GetUserId());
}

/* False if the release draws, but its seed is gone. */
static bool
take_back_seed(Oid release, const char *name)
{
	own_table_do("INSERT INTO @seed SELECT (jsonb_populate_record(NULL::@seed,"
				 " l.entry || jsonb_build_object('release', $2))).* FROM @lost_state l"
				 " WHERE l.name = $1 AND l.catalog = 'kanon_seed' ON CONFLICT DO NOTHING",
				 "to", name, release);
	own_table_do("DELETE FROM @lost_state WHERE name = $1 AND catalog = 'kanon_seed'", "t", name);
	if (!(release_catalog_find(release)->recoding->takes & RECODING_DRAW))
		return true;
	own_table_do("SELECT 1 FROM @seed WHERE release = $1", "o", release);
	return query_rows() > 0;
}

/* Gives a view its entry back, or a table the query in its entry. */
static void
take_back_entry(Oid release, Oid query, const char *name, Oid source)
{
	if (query != release)
		own_table_do("UPDATE @release_state SET query = $2, relation = $3 WHERE release = $1",
					 "ooo", release, query, source);
	else
		own_table_do(
			"INSERT INTO @release_state SELECT (jsonb_populate_record(NULL::@release_state,"
			" l.entry || jsonb_build_object('release', $2, 'relation', $3))).*"
			" FROM @lost_state l WHERE l.name = $1 AND l.catalog = 'kanon_release'",
			"too", name, release, source);
	own_table_do("DELETE FROM @lost_state WHERE name = $1 AND catalog = 'kanon_release'", "t",
				 name);
	follow_shard(source);
	take_back_declarations(source);
	take_back_dimensions(query);
}

void
release_lost_adopt(Oid release)
{
	const ReleaseEntry *entry;
	const char *name;
	Oid query = release;
	Oid source;

	declaration_claim(release);
	name = relation_name(release);
	entry = release_catalog_find(release);
	if (entry && (!entry->table || OidIsValid(entry->query)))
		ereport(ERROR,
				(errcode(ERRCODE_DUPLICATE_OBJECT), errmsg("%s is already a release", name)));
	if (entry)
		query = find_query(release, name);
	source = find_source(query, name);
	take_back_entry(release, query, name, source);
	if (!take_back_seed(release, name))
		ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
						errmsg("the seed of release %s is lost", name),
						errhint("Make it anew with kanon_create_release.")));
	if (release_catalog_find(release)->recoding->advance && cohort_state_find(source) == NULL)
		cohort_state_adopt(source);
	/* A table has its contents, and whoever refreshes it finds all else. */
	if (entry)
		return;
	release_history_adopt(release, name);
	release_history_begin(release, FILLED_BY_ADOPTION, GetCurrentTimestamp());
	release_refreshed(release);
}
