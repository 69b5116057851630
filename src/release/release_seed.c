/*
 * release_seed.c
 *		See release_seed.h.
 */
#include "postgres.h"

#include "release/release_seed.h"

#include "base/random.h"
#include "miscadmin.h"
#include "sql/own_table.h"
#include "sql/own_view.h"
#include "sql/query.h"
#include "sql/relation_name.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

int64
release_seed_number(void)
{
	own_table_do("SELECT nextval(tableoid::regclass) FROM @seed_number_seq", "");
	return query_int8(0, 1);
}

char *
release_seed_draw(void)
{
	RandomKey key = random_key_unforeseeable();
	char *seed = palloc(2 * RANDOM_KEY + 1);

	hex_encode((const char *) key.byte, RANDOM_KEY, seed);
	seed[2 * RANDOM_KEY] = '\0';
	return seed;
}

void
release_seed_insert(int64 number, Oid release, const char *seed, bool redraw)
{
	own_table_do("INSERT INTO @seed (number, release, seed, redraw) VALUES ($1, $2, $3, $4)",
				 "lotb", number, release, seed ? seed : release_seed_draw(), redraw);
}

ReleaseSeed
release_seed_of(Oid release)
{
	own_table_do("SELECT number, redraw, dealt FROM @seed WHERE release = $1", "o", release);
	if (query_rows() == 0)
		ereport(ERROR, (errcode(ERRCODE_UNDEFINED_OBJECT),
						errmsg("the seed of release %s is lost", relation_name(release)),
						errhint("Make it anew with kanon_create_release.")));
	return (ReleaseSeed){
		.number = query_int8(0, 1), .redraw = query_int8(0, 2), .dealt = query_text(0, 3)};
}

void
release_seed_keep_dealt(Oid release, const char *digest)
{
	own_table_do("UPDATE @seed SET dealt = $2 WHERE release = $1", "ot", release, digest);
}

void
release_seed_replace(Oid release, Oid heir, int64 number, const char *seed, bool redraw)
{
	if (number == 0)
	{
		release_seed_delete(release);
		return;
	}
	own_table_do("UPDATE @seed SET release = $2, number = $3, redraw = $4,"
				 " seed = coalesce($5, seed), dealt = CASE WHEN redraw THEN NULL ELSE dealt END"
				 " WHERE release = $1",
				 "oolbt", release, heir, number, redraw, seed);
	if (query_rows() == 0)
		release_seed_insert(number, heir, seed, redraw);
}

char *
release_seed_read(int64 number)
{
	own_table_do("SELECT seed, release FROM @seed WHERE number = $1", "l", number);
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
release_seed_delete(Oid release)
{
	own_table_do("DELETE FROM @seed WHERE release = $1", "o", release);
}

void
release_seed_delete_dropped(void)
{
	own_table_do("DELETE FROM @seed s USING " OWN_TABLE_DROPPED "s.release", "");
}
