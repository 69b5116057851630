/*
 * release_catalog.c
 *		See release_catalog.h.
 */
#include "postgres.h"

#include "release/release_catalog.h"

#include "access/relation.h"
#include "base/compat.h"
#include "base/limits.h"
#include "catalog/pg_type.h"
#include "cell/recoding_cells.h"
#include "count/class_query.h"
#include "miscadmin.h"
#include "model/model.h"
#include "relation/declaration.h"
#include "release/release_request.h"
#include "release/release_shards.h"
#include "sql/name_array.h"
#include "sql/own_table.h"
#include "sql/query.h"
#include "sql/relation_name.h"
#include "sql/rights.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

ReleaseEntry *
release_catalog_find(Oid release)
{
	ReleaseEntry *entry;

	own_table_do("SELECT relation, recoding, k, columns, quasi_identifiers, suppression, models,"
				 " person, levels, coalesce(rows + missing, -1),"
				 " coalesce((parameters ->> 'rest')::bool, false)::int,"
				 " query IS DISTINCT FROM NULL, coalesce(query, release),"
				 " parameters ->> 'storage' IS NOT DISTINCT FROM '" STORAGE_DISTRIBUTED "',"
				 " coalesce((parameters ->> 'known')::int, 0),"
				 " coalesce((parameters ->> 'null_matches')::bool, false)::int"
				 " FROM @release_state WHERE release = $1",
				 "o", release);
	if (query_rows() == 0)
		return NULL;
	entry = palloc0(sizeof(ReleaseEntry));
	*entry = (ReleaseEntry){
		.release = release,
		.table = query_int8(0, 12),
		.query = (Oid) query_int8(0, 13),
		.distributed = query_int8(0, 14),
		.relation = (Oid) query_int8(0, 1),
		.recoding = release_recoding_of_text(query_text(0, 2), query_int8(0, 11) != 0),
		.demand = {.k = (int) query_int8(0, 3),
				   .models = model_text_read_list(query_text(0, 7)),
				   .person = query_text(0, 8),
				   .known = (int) query_int8(0, 15),
				   .null_matches = query_int8(0, 16) != 0},
		.columns = query_array(0, 4),
		.quasi_identifiers = query_array(0, 5),
		.suppression = query_double(0, 6),
		.levels = query_array(0, 9),
		.source_rows = query_int8(0, 10),
	};
	return entry;
}

ReleaseEntry *
release_catalog_get(Oid release, const char *name)
{
	ReleaseEntry *entry = release_catalog_find(release);

	if (entry == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE), errmsg("%s is not a release of kanon", name),
				 errhint("The view kanon_release lists the releases.")));
	return entry;
}

ReleaseEntry *
release_catalog_own(Oid release)
{
	ReleaseEntry *entry = release_catalog_get(release, relation_name(release));

	rights_check(release, RIGHTS_OF_OWNER);
	return entry;
}

void
release_catalog_check_relation(const ReleaseEntry *entry)
{
	if (!OidIsValid(entry->relation))
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_TABLE), errmsg("the relation of release %s was dropped",
														  relation_name_shown(entry->release))));
}

const char *
release_catalog_column(const ReleaseEntry *entry, const char *name)
{
	int at = name_array_find(entry->columns, name);

	/* Locks it: another session might drop it between two lookups. */
	(void) relation_name(entry->release);
	return at < 0 ? NULL : get_attname(entry->release, (AttrNumber) (at + 1), false);
}

ArrayType *
release_catalog_quasi(const ReleaseEntry *entry)
{
	List *names = array_strings(entry->quasi_identifiers);
	ListCell *cell;

	foreach (cell, names)
	{
		const char *name = release_catalog_column(entry, lfirst(cell));

		if (name)
			lfirst(cell) = unconstify(char *, name);
	}
	return name_array_of(names);
}

const char *
release_catalog_origin(const ReleaseEntry *entry, AttrNumber number)
{
	List *names = array_strings(entry->columns);

	return number <= list_length(names) ? list_nth(names, number - 1) : NULL;
}

char *
release_catalog_digest(const ReleaseEntry *entry)
{
	return entry->distributed ? release_shards_digest(entry, entry->release)
							  : content_tally_digest_of(relation_name(entry->release));
}

/* The declared weights; false if the relation no longer has a column with each name. */
static bool
load_weights(const ReleaseEntry *entry, double *weight, int count)
{
	/* In the snapshot of the rows: later declarations of others do not belong to this refresh. */
	own_table_read("SELECT coalesce(a.weight, 1)"
				   " FROM unnest($2) WITH ORDINALITY q (name, number)"
				   " JOIN pg_attribute c ON c.attrelid = $1 AND c.attname = q.name"
				   " AND NOT c.attisdropped"
				   " LEFT JOIN @attribute a ON a.relation = $1 AND a.attribute = q.name"
				   " ORDER BY q.number",
				   "oN", entry->relation, entry->quasi_identifiers);
	if (query_rows() != (uint64) count)
		return false;
	for (int i = 0; i < count; i++)
		weight[i] = query_double(i, 1);
	return true;
}

void
release_catalog_write(const ReleaseEntry *entry, Datum parameters)
{
	own_table_do(
		"INSERT INTO @release_state (release, relation, recoding, k, columns, quasi_identifiers,"
		" levels, suppression, created_by, refreshed_by, created, refreshed, models,"
		" person, parameters, query)"
		" VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, now(), now(), $11, $12, $10, $13)"
		" ON CONFLICT (release) DO UPDATE SET (recoding, k, columns, quasi_identifiers,"
		" levels, suppression, models, person, parameters, loss) = (excluded.recoding,"
		" excluded.k, excluded.columns, excluded.quasi_identifiers, excluded.levels,"
		" excluded.suppression, excluded.models, excluded.person, excluded.parameters, NULL)",
		"ootiNNIdtjtt?o", entry->release, entry->relation, entry->recoding->name, entry->demand.k,
		entry->columns, entry->quasi_identifiers, entry->levels, entry->suppression,
		rights_caller(), DatumGetPointer(parameters), model_text_write_list(entry->demand.models),
		entry->demand.person, entry->table, entry->query);
	own_table_do("UPDATE @release_state SET parameters = " RELEASE_PARAMETERS " WHERE release = $1",
				 "o", entry->release);
}

/* Covers renames of parents and composite types: see declaration_follow_rename. */
void
release_catalog_follow_rename(const char *old_name, const char *new_name)
{
	/* SQL: a release r of a table that had column $1, which is $2 now. */
	const char *condition = psprintf(
		"$1 = ANY (columns::text[] || person::text || %s) AND " OWN_TABLE_RENAMED("r.relation"),
		release_options_columns());

	declaration_rename_in_models("release_state", condition, old_name, new_name);
	own_table_do(
		psprintf("UPDATE @release_state r SET columns = array_replace(columns, $1::name, $2::name),"
				 " quasi_identifiers = array_replace(quasi_identifiers, $1::name, $2::name),"
				 " person = CASE WHEN person = $1 THEN $2::name ELSE person END,"
				 " parameters = %s WHERE %s",
				 release_options_renamed("$1", "$2"), condition),
		"tt", old_name, new_name);
	own_table_do("UPDATE @release_state SET parameters = " RELEASE_PARAMETERS
				 " WHERE parameters <> (" RELEASE_PARAMETERS ")",
				 "");
}

static int64
count_rows(const Description *relation)
{
	query_run_with(class_query_of_rows(relation), QUERY_IN_SNAPSHOT, "");
	return query_int8(0, 1);
}

/* What the tally tells; of more classes than it could hold, the contents are read. */
static void
take_contents(const ReleaseEntry *entry, Oid contents, ContentTally *tally, ReleaseFigures *figures)
{
	ClassTally classes;

	figures->rows = content_tally_rows(tally);
	figures->digest = content_tally_digest(tally);
	if (!entry->recoding->has_classes)
		return;
	if (!content_tally_classes(tally, 0, &classes))
	{
		Description *release = description_load_columns(contents);

		description_choose(release, release_catalog_quasi(entry));
		classes = class_query_tally_runs(release, 0, false);
	}
	figures->classes = classes.classes;
	figures->smallest = classes.smallest;
}

/*
 * The person is not published, so only the recoding that filled the release can count people.  It
 * may have more classes than a reader can distinguish, never fewer.
 */
static void
take_people(const ReleaseEntry *entry, const RecodingFigures *filled, ReleaseFigures *figures)
{
	if (entry->demand.person && figures->classes > 0 && filled->rows == figures->rows &&
		filled->classes >= figures->classes)
		figures->people = filled->people;
}

/*
 * The loss of the last refresh; unknown if a column of the source was renamed.  Full-domain levels
 * keep the loss at the time they were chosen.
 */
void
release_catalog_figures_weigh(const ReleaseEntry *entry, const RecodingFigures *filled,
							  ReleaseFigures *figures)
{
	double mean[RECORD_ROLES_MOST];
	double weight[RECORD_ROLES_MOST];
	int count =
		ArrayGetNItems(ARR_NDIM(entry->quasi_identifiers), ARR_DIMS(entry->quasi_identifiers));

	if (entry->levels || figures->rows <= 0 ||
		!(entry->recoding->losses ? entry->recoding->losses(entry, mean)
								  : recoding_figures_loss(filled, count, mean)) ||
		!load_weights(entry, weight, count))
		return;
	figures->loss = recoding_figures_weigh(mean, weight, count);
}

void
release_catalog_figures_lack(const ReleaseEntry *entry, int64 missing, ReleaseFigures *figures)
{
	figures->missing = missing;
	/* Rows that wait or are withheld are missing only for a while, or on purpose. */
	figures->satisfied =
		entry->recoding->advance ||
		(figures->rows > 0 &&
		 figures->missing <=
			 limits_suppressible(entry->suppression, figures->rows + figures->missing));
}

static void
count_missing(const ReleaseEntry *entry, ReleaseFigures *figures)
{
	int64 rows = count_rows(description_load_columns(entry->relation));

	release_catalog_figures_lack(entry, Max(rows - figures->rows, 0), figures);
}

/* May the current user read all of this relation or, otherwise, count its rows? */
static bool
is_readable(Oid relation, bool all)
{
	Oid user = GetUserId();

	if (compat_schema_aclcheck(get_rel_namespace(relation), user, ACL_USAGE) != ACLCHECK_OK)
		return false;
	return pg_class_aclcheck(relation, user, ACL_SELECT) == ACLCHECK_OK ||
		   (!all &&
			pg_attribute_aclcheck_all(relation, user, ACL_SELECT, ACLMASK_ANY) == ACLCHECK_OK);
}

/* A recoding hands its classes out one after the other, unless means are between their cells. */
ContentTally *
release_catalog_tally(const ReleaseEntry *entry, bool filled)
{
	List *quasi = array_strings(entry->quasi_identifiers);
	int *column = palloc(sizeof(int) * Max(list_length(quasi), 1));
	int columns = 0;

	foreach_ptr (const char, name, quasi)
		column[columns++] = name_array_find(entry->columns, name);
	return content_tally_create((ContentQuestion){.digest = true,
												  .classes = entry->recoding->has_classes,
												  .column = column,
												  .columns = columns,
												  .beside = filled,
												  .runs = filled && entry->recoding->recode &&
														  !ARR_HASNULL(entry->columns)});
}

ContentTally *
release_catalog_read(const ReleaseEntry *entry, bool required)
{
	Relation relation = relation_name_open(entry->release);
	bool populated = RelationIsPopulated(relation);
	ContentTally *tally = NULL;
	QueryRights rights;

	relation_close(relation, NoLock);
	if (!populated)
		return NULL;
	rights = rights_enter(entry->release, RIGHTS_CHECKED, AccessShareLock);
	if (required || is_readable(entry->release, true))
	{
		tally = release_catalog_tally(entry, false);
		query_stream_in_snapshot(psprintf("SELECT * FROM %s", relation_name(entry->release)),
								 content_tally_receiver(tally));
	}
	rights_leave(&rights);
	return tally;
}

/*
 * Counts as the release's owner, as whom the refresh read, too, and with the same restrictions:
 * views and operators are the owner's, not ours.  What the owner may no longer read stays unknown;
 * the refresh itself did not need that privilege.
 */
ReleaseFigures
release_catalog_figures_measure(const ReleaseEntry *entry, Oid contents, ContentTally *tally,
								bool required)
{
	RecodingFigures filled = recoding_figures_take();
	ReleaseFigures figures = RELEASE_FIGURES_UNKNOWN;
	QueryRights rights;

	if (tally == NULL)
		return figures;
	rights = rights_enter(contents, RIGHTS_CHECKED, AccessShareLock);
	take_contents(entry, contents, tally, &figures);
	if (required || is_readable(entry->relation, false))
		count_missing(entry, &figures);
	rights_leave(&rights);
	take_people(entry, &filled, &figures);
	release_catalog_figures_weigh(entry, &filled, &figures);
	return figures;
}

void
release_catalog_figures_exceeded(const char *relation, int k, int64 rows)
{
	ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					errmsg_plural("k = %d exceeds the " INT64_FORMAT " row of relation %s",
								  "k = %d exceeds the " INT64_FORMAT " rows of relation %s",
								  (unsigned long) rows, k, rows, relation)));
}

int
release_catalog_figures_too_few(int64 rows, int k)
{
	return errdetail_plural("Its relation has " INT64_FORMAT " row, fewer than k = %d.",
							"Its relation has " INT64_FORMAT " rows, fewer than k = %d.",
							(unsigned long) rows, rows, k);
}

#define EXAMPLES 3

ReleaseOthers
release_catalog_others(Oid release)
{
	const ReleaseEntry *entry = release_catalog_get(release, relation_name(release));
	/* Releases that share this one's state reveal nothing more together. */
	const char *shared = entry->recoding->advance ? entry->recoding->name : "";
	ReleaseOthers others = {.relation = entry->relation,
							.classes = entry->recoding->has_classes,
							.rows = entry->source_rows};
	StringInfoData names;
	Datum *all;

	own_table_read("SELECT format('%I.%I', n.nspname, c.relname), r.release, r.recoding"
				   " FROM @release_state r JOIN pg_class c ON c.oid = r.release"
				   " JOIN pg_namespace n ON n.oid = c.relnamespace"
				   " WHERE r.relation = $1 AND r.release <> $2 AND r.recoding <> $3"
				   " ORDER BY n.nspname, c.relname",
				   "oot", entry->relation, release, shared);
	others.count = (int) query_rows();
	all = palloc(sizeof(Datum) * (others.count + 1));
	all[others.count] = ObjectIdGetDatum(release);
	initStringInfo(&names);
	for (int row = 0; row < others.count; row++)
	{
		if (row < EXAMPLES)
			appendStringInfo(&names, "%s%s", row > 0 ? ", " : "", query_text(row, 1));
		all[row] = ObjectIdGetDatum((Oid) query_int8(row, 2));
		others.classes = others.classes && release_recoding_find(query_text(row, 3))->has_classes;
	}
	if (others.count > EXAMPLES)
		appendStringInfoString(&names, ", ..");
	others.names = names.data;
	others.releases = array_of(REGCLASSOID, all, NULL, others.count + 1);
	return others;
}

/* ---- the history */

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
		" definition = encode(sha256(textsend(pg_get_viewdef(coalesce(query, release)))), 'hex')"
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

/* SQL: the end of to_char(time .. */
#define IN_UTC " AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI')"

ReleaseStory
release_history_story(Oid release)
{
	ReleaseStory story = {.filled = false};

	own_table_do("SELECT c.relispopulated, to_char(r.created" IN_UTC ", r.created_by,"
				 " to_char(r.refreshed" IN_UTC ", r.refreshed_by,"
				 " to_char(statement_timestamp()" IN_UTC ", coalesce(h.kanon, e.extversion),"
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
		.now = query_text(0, 6),
		.kanon = query_text(0, 7),
		.postgresql = query_text(0, 8),
		.people = query_int8(0, 9),
	};
	/* Not what is told elsewhere, nor what a recoding does anyway. */
	own_table_do(
		"SELECT p.key, p.value #>> '{}'"
		" FROM @release_state r, jsonb_each(r.parameters) p WHERE r.release = $1"
		" AND p.key <> ALL ('{recoding,rest,k,levels,quasi_identifiers,models,person,"
		"memory_limit}')"
		" AND p.value NOT IN ('null', to_jsonb(p.key = 'randomize'))"
		" AND (p.key, p.value) NOT IN (('suppression', '0'), ('storage', '\"view\"'))"
		" AND ((p.key, p.value) <> ('split', '\"median\"')"
		" OR coalesce((r.parameters ->> 'rest')::bool, false)) ORDER BY p.key COLLATE \"C\"",
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

int
release_history_chapters(Oid release, int most, ReleaseChapter **chapter)
{
	int count;

	own_table_do("SELECT to_char(h.filled" IN_UTC ", h.filled_by, h.how,"
				 " coalesce(h.source_rows, -1), coalesce(h.rows, -1), coalesce(h.missing, -1),"
				 " coalesce(h.smallest, -1), coalesce(h.loss, 'NaN'),"
				 " (extract(epoch FROM h.filled) / 86400)::float8"
				 " FROM (SELECT h.* FROM @release_history_state h, @release_state r"
				 " WHERE r.release = $1 AND h.release = $1 ORDER BY h.number DESC LIMIT $2) h"
				 " ORDER BY h.number",
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
			.source_rows = query_int8(i, 4),
			.rows = query_int8(i, 5),
			.missing = query_int8(i, 6),
			.smallest = query_int8(i, 7),
			.loss = query_double(i, 8),
		};
	}
	return count;
}
