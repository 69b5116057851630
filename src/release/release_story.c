/*
 * release_story.c
 *		See release_story.h.
 */
#include "postgres.h"

#include "release/release_story.h"

#include <math.h>

#include "sql/own_table.h"
#include "sql/query.h"

#define TIME(time) "to_char(" time " AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI')"

ReleaseStory
release_story_tell(Oid release)
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
release_story_chapters(Oid release, int most, ReleaseChapter **chapter)
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
