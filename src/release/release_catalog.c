/*
 * release_catalog.c
 *		See release_catalog.h.
 */
#include "postgres.h"

#include "release/release_catalog.h"

#include "miscadmin.h"
#include "model/model.h"
#include "release/release_request.h"
#include "sql/own_table.h"
#include "sql/own_view.h"
#include "sql/query.h"
#include "sql/relation_name.h"
#include "sql/rights.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

ReleaseEntry *
release_catalog_find(Oid release)
{
	ReleaseEntry *entry;

	own_table_do("SELECT relation, recoding, k, columns, quasi_identifiers, suppression, models,"
				 " person, levels FROM @release_state WHERE release = $1",
				 "o", release);
	if (query_rows() == 0)
		return NULL;
	entry = palloc0(sizeof(ReleaseEntry));
	*entry = (ReleaseEntry){
		.release = release,
		.relation = (Oid) query_int8(0, 1),
		.recoding = release_recoding_find(query_text(0, 2)),
		.demand = {.k = (int) query_int8(0, 3),
				   .models = model_text_read_list(query_text(0, 7)),
				   .person = query_text(0, 8)},
		.columns = query_array(0, 4),
		.quasi_identifiers = query_array(0, 5),
		.suppression = query_double(0, 6),
		.levels = query_array(0, 9),
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
				 errhint("The table kanon_release lists the releases.")));
	return entry;
}

ReleaseEntry *
release_catalog_own(Oid release)
{
	ReleaseEntry *entry = release_catalog_get(release, relation_name(release));

	if (!own_view_owns(release))
		aclcheck_error(ACLCHECK_NOT_OWNER, OBJECT_MATVIEW, get_rel_name(release));
	return entry;
}

/* 0 for NULL. */
static Datum *
names_of(ArrayType *array, int *count)
{
	Datum *names;
	bool *nulls;

	deconstruct_array(array, NAMEOID, NAMEDATALEN, false, TYPALIGN_CHAR, &names, &nulls, count);
	return names;
}

const char *
release_catalog_column(const ReleaseEntry *entry, const char *name)
{
	int count;
	Datum *columns = names_of(entry->columns, &count);

	/* Locks it: another session might drop it between two lookups. */
	(void) relation_name(entry->release);
	for (int i = 0; i < count; i++)
		if (columns[i] && strcmp(NameStr(*DatumGetName(columns[i])), name) == 0)
			return get_attname(entry->release, (AttrNumber) (i + 1), false);
	return NULL;
}

ArrayType *
release_catalog_quasi(const ReleaseEntry *entry)
{
	int count;
	Datum *names = names_of(entry->quasi_identifiers, &count);

	for (int i = 0; i < count; i++)
	{
		const char *name = release_catalog_column(entry, NameStr(*DatumGetName(names[i])));

		if (name)
			names[i] = DirectFunctionCall1(namein, CStringGetDatum(name));
	}
	return construct_array(names, count, NAMEOID, NAMEDATALEN, false, TYPALIGN_CHAR);
}

const char *
release_catalog_origin(const ReleaseEntry *entry, AttrNumber number)
{
	int count;
	Datum *columns = names_of(entry->columns, &count);

	return number <= count && columns[number - 1]
			   ? pstrdup(NameStr(*DatumGetName(columns[number - 1])))
			   : NULL;
}

bool
release_catalog_weights(const ReleaseEntry *entry, double *weight, int count)
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

ReleaseFigures
release_catalog_figures(Oid release)
{
	own_table_do("SELECT rows, classes, smallest, missing, loss, satisfied FROM @release_state"
				 " WHERE release = $1",
				 "o", release);
	if (query_rows() == 0)
		return (ReleaseFigures){.known = false};
	return (ReleaseFigures){
		.known = !query_null(0, 1),
		.rows = query_int8(0, 1),
		.classes_known = !query_null(0, 2),
		.classes = query_int8(0, 2),
		.smallest = query_int8(0, 3),
		.missing_known = !query_null(0, 4),
		.missing = query_int8(0, 4),
		.satisfied = query_int8(0, 6),
		.loss_known = !query_null(0, 5),
		.loss = query_double(0, 5),
	};
}

void
release_catalog_write(const ReleaseEntry *entry, Datum parameters)
{
	own_table_do(
		"INSERT INTO @release_state (release, relation, recoding, k, columns, quasi_identifiers,"
		" levels, suppression, created_by, refreshed_by, created, refreshed, models,"
		" person, parameters)"
		" VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, now(), now(), $11, $12, $10)"
		" ON CONFLICT (release) DO UPDATE SET (recoding, k, columns, quasi_identifiers,"
		" levels, suppression, models, person, parameters, loss) = (excluded.recoding,"
		" excluded.k, excluded.columns, excluded.quasi_identifiers, excluded.levels,"
		" excluded.suppression, excluded.models, excluded.person, excluded.parameters, NULL)",
		"ootiNNIdtjtt", entry->release, entry->relation, entry->recoding->name, entry->demand.k,
		entry->columns, entry->quasi_identifiers, entry->levels, entry->suppression,
		rights_caller(), DatumGetPointer(parameters), model_text_write_list(entry->demand.models),
		entry->demand.person);
	own_table_do("UPDATE @release_state SET parameters = " RELEASE_PARAMETERS " WHERE release = $1",
				 "o", entry->release);
}

void
release_catalog_update(Oid release, const ReleaseFigures *figures)
{
	bool classes = figures->classes_known;
	bool missing = figures->missing_known;

	own_table_do("UPDATE @release_state SET rows = $1, classes = $2, smallest = $3,"
				 " people = $4, missing = $5, refreshed_by = $6, refreshed = now(), loss ="
				 " CASE WHEN levels IS NULL OR loss IS NULL THEN $7 ELSE loss END, satisfied = $8,"
				 " definition = encode(sha256(textsend(pg_get_viewdef($9))), 'hex')"
				 " WHERE release = $9",
				 "?l?l?l?l?lt?d?bo", figures->known, figures->rows, classes, figures->classes,
				 classes && figures->classes > 0, figures->smallest, figures->people > 0,
				 figures->people, missing, figures->missing, rights_caller(), figures->loss_known,
				 figures->loss, missing, figures->satisfied, release);
}

/* Declarations about the release itself go with its columns. */
void
release_catalog_hand_over(Oid release, Oid heir)
{
	own_table_do("UPDATE @release_state SET release = $2 WHERE release = $1", "oo", release, heir);
	own_table_do("UPDATE @attribute SET relation = $2 WHERE relation = $1 AND EXISTS"
				 " (SELECT 1 FROM pg_attribute a WHERE a.attrelid = $2 AND a.attname = attribute)",
				 "oo", release, heir);
}

void
release_catalog_delete(Oid release)
{
	own_table_do("DELETE FROM @release_state WHERE release = $1", "o", release);
}

/* Renames the column in the models of the releases for which the condition holds. */
static void
rename_in_models(const char *old_name, const char *new_name, const char *condition)
{
	List *releases = NIL;
	List *texts = NIL;

	own_table_do(psprintf("SELECT release, models FROM @release_state r WHERE %s", condition), "tt",
				 old_name, new_name);
	for (uint64 row = 0; row < query_rows(); row++)
	{
		releases = lappend_oid(releases, (Oid) query_int8(row, 1));
		texts = lappend(texts, model_text_rename(query_text(row, 2), old_name, new_name));
	}
	for (int i = 0; i < list_length(texts); i++)
		own_table_do("UPDATE @release_state SET models = $2 WHERE release = $1", "ot",
					 list_nth_oid(releases, i), list_nth(texts, i));
}

/* Covers renames of parents and composite types: see declaration_follow_rename. */
void
release_catalog_follow_rename(const char *old_name, const char *new_name)
{
	/* SQL: a release r of a table that had column $1, which is $2 now. */
	const char *condition = psprintf(
		"$1 = ANY (columns::text[] || person::text || %s) AND " OWN_TABLE_RENAMED("r.relation"),
		release_options_columns());

	rename_in_models(old_name, new_name, condition);
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

void
release_catalog_delete_dropped(void)
{
	own_table_do("DELETE FROM @release_state r USING " OWN_TABLE_DROPPED "r.release", "");
}
