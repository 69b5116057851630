/*
 * release_seed.c
 *		See release_seed.h.
 */
#include "postgres.h"

#include "release/release_seed.h"

#include "base/random.h"
#include "count/content_tally.h"
#include "miscadmin.h"
#include "relation/citus.h"
#include "sql/name_array.h"
#include "sql/own_table.h"
#include "sql/query.h"
#include "sql/relation_name.h"
#include "sql/rights.h"
#include "utils/builtins.h"

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
release_seed_replace(Oid release, int64 number, const char *seed, bool redraw)
{
	if (number == 0)
	{
		own_table_do("DELETE FROM @seed WHERE release = $1", "o", release);
		return;
	}
	own_table_do("UPDATE @seed SET number = $2, redraw = $3, seed = coalesce($4, seed), dealt = "
				 "CASE WHEN redraw THEN NULL ELSE dealt END"
				 " WHERE release = $1",
				 "olbt", release, number, redraw, seed);
	if (query_rows() == 0)
		release_seed_insert(number, release, seed, redraw);
}

/* The seed of a release that was dropped, for its former owner: it may just be created again. */
static char *
lost_seed(int64 number)
{
	own_table_do("SELECT entry ->> 'seed' FROM @lost_state, pg_roles o WHERE catalog = 'kanon_seed'"
				 " AND entry ->> 'number' = $1::text AND o.rolname = entry ->> 'owner'"
				 " AND pg_has_role($2, o.oid, 'USAGE')",
				 "lo", number, GetUserId());
	return query_rows() > 0 ? query_text(0, 1) : NULL;
}

char *
release_seed_read(int64 number)
{
	char *lost = NULL;

	own_table_do("SELECT seed, release FROM @seed WHERE number = $1", "l", number);
	if (query_rows() == 0)
		lost = lost_seed(number);
	if (lost)
		return lost;
	if (query_rows() == 0 && citus_is_worker())
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("a worker of Citus cannot fill a release that draws"),
				 errdetail("Its seed is on the coordinator, but all rows lie on the worker."),
				 errhint("Make the release over a materialized view of the rows.")));
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
release_seed_delete_dropped(void)
{
	own_table_do("DELETE FROM @seed s USING " OWN_TABLE_DROPPED "s.release", "");
}

/* From test/bench/copies. */
#define TWO_COPIES "of 1,000 with k = 10, when 10 left and 10 came, 98 % by two_phase, 34 % by ring"

/* The published columns of the source, as a FROM item. */
static char *
published_source(const ReleaseEntry *entry)
{
	StringInfoData sql;

	initStringInfo(&sql);
	foreach_ptr (const char, name, array_strings(entry->columns))
		appendStringInfo(&sql, "%s s.%s", sql.len > 0 ? "," : "(SELECT", quote_identifier(name));
	appendStringInfo(&sql, " FROM %s s) s", relation_name(entry->relation));
	return sql.data;
}

/* The digests of its contents and of the rows it was made from. */
static char *
digest_of_deal(const ReleaseEntry *entry, ContentTally *contents)
{
	QueryRights rights = rights_enter(entry->release, RIGHTS_CHECKED, AccessShareLock);
	char *digest = psprintf("%s%s", content_tally_digest(contents),
							content_tally_digest_of(published_source(entry)));

	rights_leave(&rights);
	return digest;
}

/* From now on the release is dealt from nothing else. */
static void
keep_dealt(Oid release, const char *digest)
{
	own_table_do("UPDATE @seed SET dealt = $2 WHERE release = $1", "ot", release, digest);
}

bool
release_seed_check_dealt(const ReleaseEntry *entry, ContentTally *contents, int level)
{
	ReleaseSeed seed;
	const char *dealt;

	if (!(entry->recoding->takes & RECODING_DRAW))
		return true;
	seed = release_seed_of(entry->release);
	if (seed.redraw || contents == NULL || content_tally_rows(contents) == 0)
		return true;
	dealt = digest_of_deal(entry, contents);
	if (seed.dealt == NULL)
		keep_dealt(entry->release, dealt);
	if (seed.dealt == NULL || strcmp(seed.dealt, dealt) == 0)
		return true;
	ereport(level,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("release %s would be dealt anew", relation_name(entry->release)),
			 errdetail("Its relation, its dimensions or its parameters have changed.  A reader with"
					   " copies of both finds people among fewer than k: %s.",
					   TWO_COPIES),
			 errhint("Keep it as it is, use a recoding with classes, or make it again with "
					 "option \"redraw\" if nobody keeps copies.")));
	return false;
}
