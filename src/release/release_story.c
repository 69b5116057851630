/*
 * release_story.c
 *		See release_story.h.
 */
#include "postgres.h"

#include "release/release_story.h"

#include <math.h>

#include "release/release_history.h"
#include "release/release_table.h"
#include "sql/own_extension.h"
#include "sql/query.h"
#include "sql/relation_name.h"
#include "utils/lsyscache.h"

#define TIME(time) "to_char(" time " AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI')"

/* Runs a statement; "%1$s" is the catalog and "%2$s" the history. */
static void
run(Oid catalog, Oid release, const char *format)
{
	Oid types[] = {OIDOID};
	Datum values[] = {ObjectIdGetDatum(release)};
	Oid history = release_history_in(get_rel_namespace(catalog));

	if (!OidIsValid(history))
		own_extension_report_none();
	release_table_run(catalog, psprintf(format, relation_name(catalog), relation_name(history)), 1,
					  types, values, NULL);
}

static const char *
text_at(uint64 row, int column)
{
	const char *text = query_text(row, column);

	return text ? pstrdup(text) : NULL;
}

ReleaseStory
release_story_tell(Oid catalog, Oid release)
{
	ReleaseStory story = {.filled = false};

	run(catalog, release,
		"SELECT c.relispopulated::int::int8, " TIME("r.created") ", r.created_by, " TIME(
			"r.refreshed") ", r.refreshed_by, coalesce(h.kanon, e.extversion),"
						   " coalesce(h.postgresql, current_setting('server_version')), r.people"
						   " FROM %1$s r JOIN pg_class c ON c.oid = r.release"
						   " JOIN pg_extension e ON e.extname = 'kanon'"
						   " LEFT JOIN %2$s h ON h.number = (SELECT max(g.number) FROM %2$s g"
						   " WHERE g.release = $1 AND g.error IS NULL) WHERE r.release = $1");
	if (query_rows() == 0)
		return story;
	story = (ReleaseStory){
		.filled = query_int8(0, 1) == 1,
		.created = text_at(0, 2),
		.created_by = text_at(0, 3),
		.refreshed = text_at(0, 4),
		.refreshed_by = text_at(0, 5),
		.kanon = text_at(0, 6),
		.postgresql = text_at(0, 7),
		.people = query_int8(0, 8),
	};
	run(catalog, release,
		"SELECT p.key, p.value FROM %1$s r, jsonb_each_text(r.parameters) p WHERE r.release = $1"
		" AND p.value IS NOT NULL AND p.key <> ALL ('{recoding,k,levels,quasi_identifiers,models,"
		"person,memory_limit}') AND p.value <> ALL ('{false,0}')"
		" AND (p.key <> 'randomize' OR p.value <> 'true') ORDER BY p.key COLLATE \"C\"");
	story.parameters = (int) query_rows();
	story.parameter = palloc(sizeof(char *) * Max(story.parameters, 1));
	story.value = palloc(sizeof(char *) * Max(story.parameters, 1));
	for (int i = 0; i < story.parameters; i++)
	{
		story.parameter[i] = text_at(i, 1);
		story.value[i] = text_at(i, 2);
	}
	return story;
}

static int64
count_at(uint64 row, int column)
{
	return query_text(row, column) ? query_int8(row, column) : -1;
}

int
release_story_chapters(Oid catalog, Oid release, int most, ReleaseChapter **chapter)
{
	int count;

	run(catalog, release,
		psprintf("SELECT " TIME(
					 "h.filled") ", h.filled_by, h.how, h.source_rows, h.rows, h.missing,"
								 " h.smallest, h.loss::text, (extract(epoch FROM h.filled) / "
								 "86400)::text FROM (SELECT h.* FROM %%2$s h, %%1$s r"
								 " WHERE r.release = $1 AND h.release = $1 ORDER BY h.number DESC "
								 "LIMIT %d) h ORDER BY h.number",
				 most));
	count = (int) query_rows();
	*chapter = palloc(sizeof(ReleaseChapter) * Max(count, 1));
	for (int i = 0; i < count; i++)
	{
		const char *loss = query_text(i, 8);

		(*chapter)[i] = (ReleaseChapter){
			.when = text_at(i, 1),
			.days = strtod(query_text(i, 9), NULL),
			.by = text_at(i, 2),
			.how = text_at(i, 3),
			.source_rows = count_at(i, 4),
			.rows = count_at(i, 5),
			.missing = count_at(i, 6),
			.smallest = count_at(i, 7),
			.loss = loss ? strtod(loss, NULL) : NAN,
		};
	}
	return count;
}
