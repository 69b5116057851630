/*
 * release_seed.c
 *		See release_seed.h.
 */
#include "postgres.h"

#include "release/release_seed.h"

#include "base/random.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "release/release_table.h"
#include "sql/own_view.h"
#include "sql/query.h"
#include "sql/relation_name.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

Oid
release_seed_table_in(Oid schema)
{
	return get_relname_relid("kanon_seed", schema);
}

int64
release_seed_number(Oid table)
{
	release_table_run(table,
					  psprintf("SELECT nextval(pg_get_serial_sequence(%s, 'number'))",
							   quote_literal_cstr(relation_name(table))),
					  0, NULL, NULL, NULL);
	return query_int8(0, 1);
}

/* The key of a fresh generator, in hexadecimal digits. */
static char *
draw_seed(void)
{
	RandomKey key = random_key_unforeseeable();
	char *seed = palloc(2 * RANDOM_KEY + 1);

	hex_encode((const char *) key.byte, RANDOM_KEY, seed);
	seed[2 * RANDOM_KEY] = '\0';
	return seed;
}

void
release_seed_insert(Oid table, int64 number, Oid release, const char *seed, bool redraw)
{
	Oid types[] = {INT8OID, OIDOID, TEXTOID, BOOLOID};
	Datum values[] = {Int64GetDatum(number), ObjectIdGetDatum(release),
					  CStringGetTextDatum(seed ? seed : draw_seed()), BoolGetDatum(redraw)};

	release_table_run(
		table,
		psprintf("INSERT INTO %s (number, release, seed, redraw) VALUES ($1, $2, $3, $4)",
				 relation_name(table)),
		lengthof(types), types, values, NULL);
}

ReleaseSeed
release_seed_of(Oid table, Oid release)
{
	Oid types[] = {OIDOID};
	Datum values[] = {ObjectIdGetDatum(release)};

	release_table_run(
		table,
		psprintf("SELECT number, redraw, dealt FROM %s WHERE release = $1", relation_name(table)),
		lengthof(types), types, values, NULL);
	if (query_rows() == 0)
		ereport(ERROR, (errcode(ERRCODE_UNDEFINED_OBJECT),
						errmsg("the seed of release %s is lost", relation_name(release)),
						errhint("Make it anew with kanon_create_release.")));
	return (ReleaseSeed){.number = query_int8(0, 1),
						 .redraw = strcmp(query_text(0, 2), "t") == 0,
						 .dealt = query_text(0, 3)};
}

void
release_seed_keep_dealt(Oid table, Oid release, const char *digest)
{
	Oid types[] = {OIDOID, TEXTOID};
	Datum values[] = {ObjectIdGetDatum(release), CStringGetTextDatum(digest)};

	release_table_run(table,
					  psprintf("UPDATE %s SET dealt = $2 WHERE release = $1", relation_name(table)),
					  lengthof(types), types, values, NULL);
}

void
release_seed_replace(Oid table, Oid release, Oid heir, int64 number, const char *seed, bool redraw)
{
	Oid types[] = {OIDOID, OIDOID, INT8OID, BOOLOID, TEXTOID};
	Datum values[] = {ObjectIdGetDatum(release), ObjectIdGetDatum(heir), Int64GetDatum(number),
					  BoolGetDatum(redraw), seed ? CStringGetTextDatum(seed) : (Datum) 0};
	const char nulls[] = {' ', ' ', ' ', ' ', seed ? ' ' : 'n'};

	if (number == 0)
	{
		release_seed_delete(table, release);
		return;
	}
	release_table_run(table,
					  psprintf("UPDATE %s SET release = $2, number = $3, redraw = $4,"
							   " seed = coalesce($5, seed), dealt = CASE WHEN redraw THEN NULL"
							   " ELSE dealt END WHERE release = $1",
							   relation_name(table)),
					  lengthof(types), types, values, nulls);
	if (query_rows() == 0)
		release_seed_insert(table, number, heir, seed, redraw);
}

char *
release_seed_read(Oid table, int64 number)
{
	Oid types[] = {INT8OID};
	Datum values[] = {Int64GetDatum(number)};

	release_table_run(
		table,
		psprintf("SELECT seed, release::oid::int8 FROM %s WHERE number = $1", relation_name(table)),
		lengthof(types), types, values, NULL);
	if (query_rows() == 0)
		ereport(ERROR, (errcode(ERRCODE_UNDEFINED_OBJECT),
						errmsg("release seed " INT64_FORMAT " does not exist", number),
						errhint("Drop the release that uses it and make it again.")));
	if (!own_view_owns((Oid) query_int8(0, 2)))
		ereport(ERROR, (errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
						errmsg("permission denied for release seed " INT64_FORMAT, number),
						errdetail("It is for the release's owner alone.")));
	return query_text(0, 1);
}

void
release_seed_delete(Oid table, Oid release)
{
	Oid types[] = {OIDOID};
	Datum values[] = {ObjectIdGetDatum(release)};

	release_table_run(table, psprintf("DELETE FROM %s WHERE release = $1", relation_name(table)),
					  lengthof(types), types, values, NULL);
}

void
release_seed_delete_dropped(Oid table)
{
	release_table_run(table,
					  psprintf("DELETE FROM %s s USING pg_event_trigger_dropped_objects() d"
							   " WHERE d.classid = 'pg_class'::regclass AND d.objsubid = 0"
							   " AND d.objid = s.release",
							   relation_name(table)),
					  0, NULL, NULL, NULL);
}
