/*
 * release_table.c
 *		See release_table.h.
 */
#include "postgres.h"

#include "release/release_table.h"

#include "access/relation.h"
#include "access/xact.h"
#include "base/names.h"
#include "catalog/dependency.h"
#include "catalog/namespace.h"
#include "catalog/pg_class.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_trigger.h"
#include "commands/defrem.h"
#include "commands/matview.h"
#include "commands/trigger.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/parsenodes.h"
#include "relation/citus.h"
#include "release/release_shards.h"
#include "sql/own_extension.h"
#include "sql/own_table.h"
#include "sql/query.h"
#include "sql/relation_name.h"
#include "sql/rights.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/syscache.h"

/* ---- making it */

ReleaseName
release_table_query_name(const ReleaseName *table)
{
	return (ReleaseName){.schema = table->schema,
						 .name =
							 ChooseRelationName(table->name, NULL, "query", table->schema, false)};
}

/* The function of the triggers. */
static Oid
guard_function(void)
{
	Oid function = GetSysCacheOid3(
		PROCNAMEARGSNSP, Anum_pg_proc_oid, CStringGetDatum("kanon_release_guard"),
		PointerGetDatum(buildoidvector(NULL, 0)), ObjectIdGetDatum(own_extension_schema()));

	if (!OidIsValid(function))
		own_extension_report_none();
	return function;
}

/*
 * Rows one by one, so that it also fires for a partition or child that is written through its
 * parent.
 */
static const struct
{
	const char *name;
	int16 row; /* bits of pg_trigger.tgtype */
	int16 events;
} guards[] = {
	{"kanon_guard_rows", TRIGGER_TYPE_ROW,
	 TRIGGER_TYPE_INSERT | TRIGGER_TYPE_DELETE | TRIGGER_TYPE_UPDATE},
	{"kanon_guard_truncate", 0, TRIGGER_TYPE_TRUNCATE},
};

/* Creates the triggers that are not there and always enabled, under whatever name. */
static void
guard(Oid table)
{
	Oid function = guard_function();

	for (int i = 0; i < (int) lengthof(guards); i++)
	{
		CreateTrigStmt *trigger = makeNode(CreateTrigStmt);

		query_run_with("SELECT 1 FROM pg_trigger WHERE tgrelid = $1 AND tgfoid = $2"
					   " AND tgtype = $3 AND tgenabled = 'A' AND tgqual IS NULL AND tgattr = ''",
					   QUERY_LATEST, "ooi", table, function,
					   guards[i].row | TRIGGER_TYPE_BEFORE | guards[i].events);
		if (query_rows() > 0)
			continue;
		trigger->replace = true;
		trigger->trigname = pstrdup(guards[i].name);
		trigger->row = guards[i].row != 0;
		trigger->timing = TRIGGER_TYPE_BEFORE;
		trigger->events = guards[i].events;
		(void) CreateTriggerFiringOn(trigger, NULL, table, InvalidOid, InvalidOid, InvalidOid,
									 function, InvalidOid, NULL, false, false,
									 TRIGGER_FIRES_ALWAYS);
		CommandCounterIncrement();
	}
}

/* Lets the query view go with the table. */
static void
bind(Oid table, Oid query)
{
	ObjectAddress on = {.classId = RelationRelationId, .objectId = table};
	ObjectAddress view = {.classId = RelationRelationId, .objectId = query};

	query_run_with("SELECT 1 FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = $2"
				   " AND refclassid = 'pg_class'::regclass AND refobjid = $1 AND deptype = 'a'",
				   QUERY_LATEST, "oo", table, query);
	if (query_rows() > 0)
		return;
	recordDependencyOn(&view, &on, DEPENDENCY_AUTO);
	CommandCounterIncrement();
}

/* Makes a table here. */
static Oid
create_here(const ReleaseRequest *request, Oid query)
{
	const ReleaseName *table = &request->release;
	const char *name = quote_qualified_identifier(relation_name_schema(table->schema), table->name);
	Oid made;

	/* Rows that are compared are found by their places in a heap. */
	query_run_with(psprintf("CREATE TABLE %s%s AS TABLE %s WITH NO DATA", name,
							request->recoding->advance ? " USING heap" : "", relation_name(query)),
				   QUERY_IN_SNAPSHOT, "");
	made = rights_made(table->schema, table->name);
	/* Its rows may be equal: no index tells them apart. */
	if (request->recoding->advance)
		query_run(psprintf("ALTER TABLE %s REPLICA IDENTITY FULL", name), false);
	guard(made);
	return made;
}

Oid
release_table_create(const ReleaseRequest *request, Oid query, bool distributed)
{
	Oid made =
		distributed ? release_shards_create(&request->release, query) : create_here(request, query);

	query_run(psprintf("COMMENT ON MATERIALIZED VIEW %s IS 'the SQL of a release that is stored as"
					   " a table; never filled'",
					   relation_name(query)),
			  false);
	bind(made, query);
	return made;
}

bool
release_table_keeps_rows(const ReleaseEntry *entry)
{
	return entry->table && !entry->distributed && entry->recoding->advance;
}

/* ---- before it is filled */

void
release_table_check_query(const ReleaseEntry *entry)
{
	if (!entry->table ||
		(OidIsValid(entry->query) && relation_name_lock(entry->query, AccessShareLock) &&
		 get_rel_relkind(entry->query) == RELKIND_MATVIEW))
		return;
	ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					errmsg("the query of release %s is gone", relation_name_shown(entry->release)),
					errdetail("The view that held it was dropped, perhaps with a table or column."),
					errhint("Drop the release and make it anew.")));
}

static void
check_owner(const ReleaseEntry *entry)
{
	Oid owner = relation_name_owner_now(entry->release);
	Oid other = relation_name_owner_now(entry->query);
	const char *view;

	if (owner == other)
		return;
	view = relation_name_shown(entry->query);
	ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					errmsg("the query of release %s belongs to another role",
						   relation_name_shown(entry->release)),
					errdetail("\"%s\" owns %s.", GetUserNameFromId(other, false), view),
					errhint("Run ALTER MATERIALIZED VIEW %s OWNER TO %s.", view,
							quote_identifier(GetUserNameFromId(owner, false)))));
}

/* SQL: the number of the column of parts, if $3. */
#define PART "(CASE WHEN $3 THEN (SELECT relnatts + 1 FROM pg_class WHERE oid = $2) END)"

/* SQL: columns of $1 that are not those of $2, or of the parts; names may differ. */
#define OTHER_COLUMNS                                                                              \
	"SELECT CASE WHEN t.attisdropped THEN 'a dropped column'"                                      \
	" WHEN q.attnum IS NULL THEN format('added column \"%s\"', t.attname)"                         \
	" ELSE format('column \"%s\" of another type', t.attname) END"                                 \
	" FROM pg_attribute t LEFT JOIN pg_attribute q ON q.attrelid = $2 AND q.attnum = t.attnum"     \
	" WHERE t.attrelid = $1 AND t.attnum > 0 AND t.attnum IS DISTINCT FROM " PART                  \
	" AND (t.atttypid, t.atttypmod, t.attcollation, t.attisdropped) IS DISTINCT FROM"              \
	" (q.atttypid, q.atttypmod, q.attcollation, q.attisdropped)"

/* What a filling would not look at: it writes rows, and nothing else. */
static void
check_additions(const ReleaseEntry *entry)
{
	List *additions = NIL;

	query_run_with(
		OTHER_COLUMNS
		" UNION ALL SELECT format('constraint \"%s\"', conname) FROM pg_constraint"
		" WHERE conrelid = $1 AND contype IN ('c', 'f', 'x')"
		" UNION ALL SELECT format('deferrable constraint \"%s\"', conname) FROM pg_constraint"
		" WHERE conrelid = $1 AND contype = 'u' AND condeferrable AND $4"
		" UNION ALL SELECT format('access method \"%s\"', amname) FROM pg_class c"
		" JOIN pg_am a ON a.oid = relam WHERE c.oid = $1 AND amname <> 'heap' AND $4"
		" UNION ALL SELECT format('foreign key \"%s\" of %s', conname, conrelid::regclass)"
		" FROM pg_constraint WHERE confrelid = $1 AND conrelid <> $1"
		" UNION ALL SELECT format('NOT NULL on column \"%s\"', attname)"
		" FROM pg_attribute WHERE attrelid = $1 AND attnum > 0 AND attnotnull"
		" AND attnum IS DISTINCT FROM " PART
		" UNION ALL SELECT format('parent %s', inhparent::regclass)"
		" FROM pg_inherits WHERE inhrelid = $1"
		" UNION ALL SELECT format('child %s', inhrelid::regclass)"
		" FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid WHERE inhparent = $1"
		" AND NOT ($3 AND pg_get_expr(c.relpartbound, c.oid) = 'DEFAULT')"
		" UNION ALL SELECT format('rule \"%s\"', rulename)"
		" FROM pg_rewrite WHERE ev_class = $1 ORDER BY 1",
		QUERY_LATEST, "oobb", entry->release, entry->query, entry->distributed,
		release_table_keeps_rows(entry));
	for (uint64 row = 0; row < query_rows(); row++)
		additions = lappend(additions, query_text(row, 1));
	if (citus_keeps(entry->release) != entry->distributed)
		additions = lappend(additions, entry->distributed ? "no shards" : "shards");
	if (additions == NIL)
		return;
	ereport(ERROR, (errcode(ERRCODE_INVALID_TABLE_DEFINITION),
					errmsg("release %s cannot be filled: its table has %s",
						   relation_name_shown(entry->release), names_join(additions)),
					errdetail("Rows are written past all that."),
					errhint("Remove it, or drop the release and make it anew.")));
}

/* Somebody may have filled it while event triggers were disabled. */
static void
empty_query(Oid query)
{
	Relation view = relation_name_open(query);
	bool populated = RelationIsPopulated(view);

	relation_close(view, NoLock);
	if (populated)
		query_run(psprintf("REFRESH MATERIALIZED VIEW %s WITH NO DATA", relation_name(query)),
				  false);
}

void
release_table_prepare(const ReleaseEntry *entry)
{
	if (!entry->table)
		return;
	release_table_check_query(entry);
	check_owner(entry);
	check_additions(entry);
	if (entry->distributed)
		release_shards_close(entry->release);
	else
		guard(entry->release);
	bind(entry->release, entry->query);
	empty_query(entry->query);
}

void
release_table_mark_query(const ReleaseEntry *entry, bool filled)
{
	Relation view;

	if (!entry->table || !citus_is_installed())
		return;
	view = relation_name_open(entry->query);
	SetMatViewPopulatedState(view, filled);
	relation_close(view, NoLock);
	CommandCounterIncrement();
}

/* ---- what others do to it */

void
release_table_drop(const ReleaseEntry *entry)
{
	if (OidIsValid(entry->query) && relation_name_lock(entry->query, AccessExclusiveLock))
		bind(entry->release, entry->query);
	query_run(psprintf("DROP TABLE %s", relation_name(entry->release)), false);
}

void
release_table_refuse_refresh(Oid relation)
{
	Oid release;

	own_table_do("SELECT release FROM @release_state WHERE query = $1", "o", relation);
	if (query_rows() == 0)
		return;
	release = (Oid) query_int8(0, 1);
	ereport(ERROR,
			(errcode(ERRCODE_WRONG_OBJECT_TYPE),
			 errmsg("%s only holds the SQL of a release", relation_name_shown(relation)),
			 errhint("Refresh %s with kanon_refresh_release.", relation_name_shown(release))));
}

void
release_table_forget_dropped(void)
{
	own_table_do("UPDATE @release_state r"
				 " SET query = CASE WHEN r.query::oid = ANY (d.oids) THEN 0 ELSE r.query END,"
				 " relation = CASE WHEN r.relation::oid = ANY (d.oids) THEN 0 ELSE r.relation END"
				 " FROM (SELECT array_agg(objid) AS oids FROM pg_event_trigger_dropped_objects()"
				 " WHERE classid = 'pg_class'::regclass AND objsubid = 0) d"
				 " WHERE r.query::oid = ANY (d.oids) OR r.relation::oid = ANY (d.oids)",
				 "");
}

void
release_table_refuse_write(Relation table)
{
	ereport(ERROR, (errcode(ERRCODE_WRONG_OBJECT_TYPE),
					errmsg("cannot change table \"%s\"", RelationGetRelationName(table)),
					errdetail("It is a release of kanon, which alone writes its rows."),
					errhint("Change its relation, and refresh it with kanon_refresh_release.")));
}
