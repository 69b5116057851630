/*
 * release_history.c
 *		See release_history.h.
 */
#include "postgres.h"

#include "release/release_history.h"

#include <math.h>

#include "sql/own_table.h"
#include "sql/query.h"
#include "sql/rights.h"

/* An entry that this transaction began and has not ended.  Others do not see it. */
#define UNDER_WAY "h.release = $1 AND h.seconds IS NULL AND h.error IS NULL AND h.filled >= now()"

/* A release that was never filled, although nobody said WITH NO DATA, comes from a dump. */
void
release_history_begin(Oid release, const char *how, TimestampTz start)
{
	own_table_do("INSERT INTO @release_history_state (release, name, relation, owner, how, filled,"
				 " filled_by, kanon, postgresql, parameters)"
				 " SELECT r.release, format('%I.%I', n.nspname, c.relname),"
				 " coalesce((SELECT format('%I.%I', m.nspname, s.relname) FROM pg_class s"
				 " JOIN pg_namespace m ON m.oid = s.relnamespace WHERE s.oid = r.relation),"
				 " r.relation::text), pg_get_userbyid(c.relowner),"
				 " CASE WHEN $2 <> '" FILLED_BY_REFRESH "' OR c.relispopulated"
				 " OR (SELECT h.how FROM @release_history_state h WHERE h.release = $1"
				 " ORDER BY h.number DESC LIMIT 1) = 'emptied' THEN $2 ELSE 'restored' END,"
				 " $3, $4, e.extversion, current_setting('server_version'), r.parameters"
				 " FROM @release_state r JOIN pg_class c ON c.oid = r.release"
				 " JOIN pg_namespace n ON n.oid = c.relnamespace"
				 " JOIN pg_extension e ON e.extname = 'kanon'"
				 " WHERE r.release = $1 AND NOT EXISTS"
				 " (SELECT 1 FROM @release_history_state h WHERE " UNDER_WAY ")",
				 "otzt", release, how, start, rights_caller());
}

bool
release_history_restores(Oid release)
{
	own_table_do("SELECT 1 FROM @release_history_state h WHERE h.how = 'restored' AND " UNDER_WAY,
				 "o", release);
	return query_rows() > 0;
}

void
release_history_end(Oid release, const ReleaseFigures *figures)
{
	own_table_do(
		"WITH r AS (UPDATE @release_state SET rows = nullif($2, -1), classes = nullif($3, -1),"
		" smallest = CASE WHEN $3 > 0 THEN $4 END, people = nullif($5, 0),"
		" missing = nullif($6, -1), satisfied = CASE WHEN $6 >= 0 THEN $7 END, loss ="
		" CASE WHEN levels IS NULL OR loss IS NULL THEN nullif($8, 'NaN') ELSE loss END,"
		" refreshed_by = $9, refreshed = now(),"
		" definition = encode(sha256(textsend(pg_get_viewdef($1))), 'hex')"
		" WHERE release = $1 RETURNING *)"
		" UPDATE @release_history_state h SET source_rows = r.rows + r.missing, rows = r.rows,"
		" missing = r.missing, classes = r.classes, smallest = r.smallest, people = r.people,"
		" loss = r.loss, satisfied = r.satisfied, digest = $10,"
		" how = CASE WHEN c.relispopulated THEN h.how ELSE 'emptied' END,"
		" changed = CASE WHEN $10 IS NOT NULL THEN $10 IS DISTINCT FROM"
		" (SELECT b.digest FROM @release_history_state b"
		" WHERE b.release = $1 AND b.digest IS NOT NULL ORDER BY b.number DESC LIMIT 1) END,"
		" seconds = extract(epoch FROM clock_timestamp() - h.filled)"
		" FROM r JOIN pg_class c ON c.oid = r.release WHERE " UNDER_WAY,
		"olllllbdtt", release, figures->rows, figures->classes, figures->smallest, figures->people,
		figures->missing, figures->satisfied, figures->loss, rights_caller(), figures->digest);
}

ReleaseFilling
release_history_last(Oid release)
{
	own_table_do("SELECT coalesce(r.rows, -1), coalesce(r.classes, -1), r.smallest,"
				 " coalesce(r.missing, -1), coalesce(r.loss, 'NaN'), r.satisfied, h.changed,"
				 " h.seconds FROM @release_state r LEFT JOIN @release_history_state h"
				 " ON h.release = r.release AND h.seconds IS NOT NULL"
				 " WHERE r.release = $1 ORDER BY h.number DESC LIMIT 1",
				 "o", release);
	if (query_rows() == 0)
		return (ReleaseFilling){.release = release, .figures = RELEASE_FIGURES_UNKNOWN};
	return (ReleaseFilling){
		.release = release,
		.figures = {.rows = query_int8(0, 1),
					.classes = query_int8(0, 2),
					.smallest = query_int8(0, 3),
					.missing = query_int8(0, 4),
					.loss = query_double(0, 5),
					.satisfied = query_int8(0, 6)},
		.changed_known = !query_null(0, 7),
		.changed = query_int8(0, 7),
		.seconds = query_double(0, 8),
	};
}

void
release_history_fail(Oid release, const char *name, const char *message)
{
	own_table_do(
		"INSERT INTO @release_history_state (release, name, relation, owner, how, filled,"
		" filled_by, kanon, postgresql, parameters, error)"
		" SELECT r.release, $2, r.relation::text, coalesce(pg_get_userbyid(c.relowner), $4),"
		" 'failed', clock_timestamp(), $4, e.extversion, current_setting('server_version'),"
		" r.parameters, $3"
		" FROM pg_extension e CROSS JOIN"
		" (SELECT * FROM @release_state WHERE release = $1 FOR KEY SHARE SKIP LOCKED) r"
		" LEFT JOIN pg_class c ON c.oid = r.release WHERE e.extname = 'kanon'",
		"ottt", release, name, message, rights_caller());
}

void
release_history_adopt(Oid release, const char *name)
{
	own_table_do(
		"UPDATE @release_history_state SET release = $1 FROM pg_class c WHERE c.oid = $1"
		" AND release IS NULL AND name = $2 AND owner = pg_get_userbyid(c.relowner) AND number >="
		" (SELECT max(h.number) FROM @release_history_state h WHERE h.release IS NULL"
		" AND h.name = $2 AND h.how = '" FILLED_BY_CREATION "')",
		"ot", release, name);
}

#define TIME(time) "to_char(" time " AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI')"

ReleaseStory
release_history_story(Oid release)
{
	ReleaseStory story = {.filled = false};

	own_table_do(
		"SELECT c.relispopulated, " TIME("r.created") ", r.created_by, " TIME(
			"r.refreshed") ", r.refreshed_by, coalesce(h.kanon, e.extversion),"
						   " coalesce(h.postgresql, current_setting('server_version')), r.people"
						   " FROM @release_state r JOIN pg_class c ON c.oid = r.release"
						   " JOIN pg_extension e ON e.extname = 'kanon'"
						   " LEFT JOIN @release_history_state h ON h.number ="
						   " (SELECT max(g.number) FROM @release_history_state g"
						   " WHERE g.release = $1 AND g.error IS NULL) WHERE r.release = $1",
		"o", release);
	if (query_rows() == 0)
		return story;
	story = (ReleaseStory){
		.filled = query_int8(0, 1),
		.created = query_text(0, 2),
		.created_by = query_text(0, 3),
		.refreshed = query_text(0, 4),
		.refreshed_by = query_text(0, 5),
		.kanon = query_text(0, 6),
		.postgresql = query_text(0, 7),
		.people = query_int8(0, 8),
	};
	own_table_do(
		"SELECT p.key, p.value FROM @release_state r, jsonb_each_text(r.parameters) p"
		" WHERE r.release = $1 AND p.value IS NOT NULL"
		" AND p.key <> ALL ('{recoding,k,levels,quasi_identifiers,models,person,memory_limit}')"
		" AND p.value <> ALL ('{false,0,median}')"
		" AND (p.key <> 'randomize' OR p.value <> 'true') ORDER BY p.key COLLATE \"C\"",
		"o", release);
	story.parameters = (int) query_rows();
	story.parameter = palloc(sizeof(char *) * Max(story.parameters, 1));
	story.value = palloc(sizeof(char *) * Max(story.parameters, 1));
	for (int i = 0; i < story.parameters; i++)
	{
		story.parameter[i] = query_text(i, 1);
		story.value[i] = query_text(i, 2);
	}
	return story;
}

static int64
count_at(uint64 row, int column)
{
	return query_null(row, column) ? -1 : query_int8(row, column);
}

int
release_history_chapters(Oid release, int most, ReleaseChapter **chapter)
{
	int count;

	own_table_do("SELECT " TIME(
					 "h.filled") ", h.filled_by, h.how, h.source_rows, h.rows, h.missing,"
								 " h.smallest, h.loss, "
								 " (extract(epoch FROM h.filled) / 86400)::float8"
								 " FROM (SELECT h.* FROM @release_history_state h,"
								 " @release_state r"
								 " WHERE r.release = $1 AND h.release = $1 ORDER BY h.number DESC "
								 "LIMIT $2) h ORDER BY h.number",
				 "oi", release, most);
	count = (int) query_rows();
	*chapter = palloc(sizeof(ReleaseChapter) * Max(count, 1));
	for (int i = 0; i < count; i++)
	{
		(*chapter)[i] = (ReleaseChapter){
			.when = query_text(i, 1),
			.days = query_double(i, 9),
			.by = query_text(i, 2),
			.how = query_text(i, 3),
			.source_rows = count_at(i, 4),
			.rows = count_at(i, 5),
			.missing = count_at(i, 6),
			.smallest = count_at(i, 7),
			.loss = query_null(i, 8) ? NAN : query_double(i, 8),
		};
	}
	return count;
}
