/*
 * release_history.c
 *		See release_history.h.
 */
#include "postgres.h"

#include "release/release_history.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "release/release_table.h"
#include "sql/own_extension.h"
#include "sql/query.h"
#include "sql/relation_name.h"
#include "sql/rights.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/timestamp.h"

/* An entry that this transaction began and has not ended.  Others do not see it. */
#define UNDER_WAY "h.release = $1 AND h.seconds IS NULL AND h.error IS NULL AND h.filled >= now()"

Oid
release_history_in(Oid schema)
{
	return get_relname_relid("kanon_release_history_state", schema);
}

/* Runs a statement; "%1$s" is the history and "%2$s" the catalog. */
static void
run(Oid catalog, const char *format, int count, const Oid *types, const Datum *values,
	const char *nulls)
{
	Oid history = release_history_in(get_rel_namespace(catalog));

	if (!OidIsValid(history))
		own_extension_report_none();
	release_table_run(catalog, psprintf(format, relation_name(history), relation_name(catalog)),
					  count, types, values, nulls);
}

/* A release that was never filled, although nobody said WITH NO DATA, comes from a dump. */
void
release_history_begin(Oid catalog, Oid release, const char *how, TimestampTz start)
{
	const Oid types[] = {OIDOID, TEXTOID, TIMESTAMPTZOID, TEXTOID};
	const Datum values[] = {ObjectIdGetDatum(release), CStringGetTextDatum(how),
							TimestampTzGetDatum(start), CStringGetTextDatum(rights_caller())};

	run(catalog,
		"INSERT INTO %1$s (release, name, relation, owner, how, filled, filled_by, kanon,"
		" postgresql, parameters)"
		" SELECT r.release, format('%%I.%%I', n.nspname, c.relname),"
		" coalesce((SELECT format('%%I.%%I', m.nspname, s.relname) FROM pg_class s"
		" JOIN pg_namespace m ON m.oid = s.relnamespace WHERE s.oid = r.relation),"
		" r.relation::text), pg_get_userbyid(c.relowner),"
		" CASE WHEN $2 <> '" FILLED_BY_REFRESH "' OR c.relispopulated"
		" OR (SELECT h.how FROM %1$s h WHERE h.release = $1 ORDER BY h.number DESC LIMIT 1)"
		" = 'emptied' THEN $2 ELSE 'restored' END,"
		" $3, $4, e.extversion, current_setting('server_version'), r.parameters"
		" FROM %2$s r JOIN pg_class c ON c.oid = r.release"
		" JOIN pg_namespace n ON n.oid = c.relnamespace"
		" JOIN pg_extension e ON e.extname = 'kanon'"
		" WHERE r.release = $1 AND NOT EXISTS (SELECT 1 FROM %1$s h WHERE " UNDER_WAY ")",
		lengthof(types), types, values, NULL);
}

bool
release_history_restores(Oid catalog, Oid release)
{
	const Oid types[] = {OIDOID};
	const Datum values[] = {ObjectIdGetDatum(release)};

	run(catalog, "SELECT 1 FROM %1$s h WHERE h.how = 'restored' AND " UNDER_WAY, lengthof(types),
		types, values, NULL);
	return query_rows() > 0;
}

void
release_history_end(Oid catalog, Oid release, const char *digest)
{
	const Oid types[] = {OIDOID, TEXTOID};
	const Datum values[] = {ObjectIdGetDatum(release), digest ? CStringGetTextDatum(digest) : 0};
	const char nulls[] = {' ', digest ? ' ' : 'n'};

	run(catalog,
		"UPDATE %1$s h SET source_rows = r.rows + r.missing, rows = r.rows, missing = r.missing,"
		" classes = r.classes, smallest = r.smallest, people = r.people, loss = r.loss,"
		" satisfied = r.satisfied, digest = $2,"
		" how = CASE WHEN c.relispopulated THEN h.how ELSE 'emptied' END,"
		" changed = CASE WHEN $2 IS NOT NULL THEN $2 IS DISTINCT FROM (SELECT b.digest FROM %1$s b"
		" WHERE b.release = $1 AND b.digest IS NOT NULL ORDER BY b.number DESC LIMIT 1) END,"
		" seconds = extract(epoch FROM clock_timestamp() - h.filled)"
		" FROM %2$s r JOIN pg_class c ON c.oid = r.release"
		" WHERE r.release = $1 AND " UNDER_WAY,
		lengthof(types), types, values, nulls);
}

ReleaseFilling
release_history_last(Oid catalog, Oid release)
{
	Oid types[] = {OIDOID};
	Datum values[] = {ObjectIdGetDatum(release)};
	ReleaseFilling filling = {.release = release,
							  .figures = release_catalog_figures(catalog, release)};

	run(catalog,
		"SELECT changed::int::int8, seconds::text FROM %1$s h, %2$s r WHERE r.release = $1"
		" AND h.release = $1 AND h.seconds IS NOT NULL ORDER BY h.number DESC LIMIT 1",
		lengthof(types), types, values, NULL);
	if (query_rows() == 0)
		return filling;
	filling.changed_known = query_text(0, 1) != NULL;
	filling.changed = query_int8(0, 1) == 1;
	filling.seconds = strtod(query_text(0, 2), NULL);
	return filling;
}

void
release_history_fail(Oid catalog, Oid release, const char *name, const char *message)
{
	const Oid types[] = {OIDOID, TEXTOID, TEXTOID, TEXTOID};
	const Datum values[] = {ObjectIdGetDatum(release), CStringGetTextDatum(name),
							CStringGetTextDatum(message), CStringGetTextDatum(rights_caller())};

	run(catalog,
		"INSERT INTO %1$s (release, name, relation, owner, how, filled, filled_by, kanon,"
		" postgresql, parameters, error)"
		" SELECT r.release, $2, r.relation::text, coalesce(pg_get_userbyid(c.relowner), $4),"
		" 'failed', clock_timestamp(), $4, e.extversion, current_setting('server_version'),"
		" r.parameters, $3"
		" FROM pg_extension e CROSS JOIN"
		" (SELECT * FROM %2$s WHERE release = $1 FOR KEY SHARE SKIP LOCKED) r"
		" LEFT JOIN pg_class c ON c.oid = r.release WHERE e.extname = 'kanon'",
		lengthof(types), types, values, NULL);
}

void
release_history_adopt(Oid catalog, Oid release, const char *name)
{
	const Oid types[] = {OIDOID, TEXTOID};
	const Datum values[] = {ObjectIdGetDatum(release), CStringGetTextDatum(name)};

	run(catalog,
		"UPDATE %1$s SET release = $1 FROM pg_class c WHERE c.oid = $1 AND release IS NULL"
		" AND name = $2 AND owner = pg_get_userbyid(c.relowner) AND number >="
		" (SELECT max(h.number) FROM %1$s h WHERE h.release IS NULL AND h.name = $2"
		" AND h.how = '" FILLED_BY_CREATION "')",
		lengthof(types), types, values, NULL);
}

void
release_history_hand_over(Oid catalog, Oid release, Oid heir)
{
	const Oid types[] = {OIDOID, OIDOID};
	const Datum values[] = {ObjectIdGetDatum(release), ObjectIdGetDatum(heir)};

	run(catalog, "UPDATE %1$s SET release = $2 WHERE release = $1", lengthof(types), types, values,
		NULL);
}

void
release_history_follow_drop(Oid history)
{
	release_table_run(history,
					  psprintf("UPDATE %s h SET release = NULL"
							   " FROM pg_event_trigger_dropped_objects() d"
							   " WHERE d.classid = 'pg_class'::regclass AND d.objsubid = 0"
							   " AND d.objid = h.release",
							   relation_name(history)),
					  0, NULL, NULL, NULL);
}
