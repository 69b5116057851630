/*
 * release_refresh.c
 *		See release_refresh.h.
 */
#include "postgres.h"

#include "release/release_refresh.h"

#include "access/relation.h"
#include "base/limits.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "io/class_query.h"
#include "io/query.h"
#include "miscadmin.h"
#include "release/release_catalog.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

static const char *
qualified_name(Oid relation)
{
	char *name = get_rel_name(relation);

	if (name == NULL)
		ereport(ERROR, (errcode(ERRCODE_UNDEFINED_TABLE),
						errmsg("relation with OID %u does not exist", relation)));
	return quote_qualified_identifier(get_namespace_name(get_rel_namespace(relation)), name);
}

/* The columns of a release that hold its quasi-identifiers, quoted. */
static List *
quasi_columns(const ReleaseEntry *entry)
{
	List *columns = NIL;
	Datum *names;
	int count;

	deconstruct_array(release_catalog_columns(entry), NAMEOID, NAMEDATALEN, false, TYPALIGN_CHAR,
					  &names, NULL, &count);
	for (int i = 0; i < count; i++)
		columns = lappend(columns, pstrdup(quote_identifier(NameStr(*DatumGetName(names[i])))));
	return columns;
}

/* May the present user count this relation's rows? */
static bool
is_readable(Oid relation)
{
	Oid types[] = {OIDOID};
	Datum values[] = {ObjectIdGetDatum(relation)};

	query_run_with("SELECT (has_schema_privilege(relnamespace, 'USAGE')"
				   " AND has_any_column_privilege(oid, 'SELECT'))::int::int8"
				   " FROM pg_class WHERE oid = $1",
				   1, types, values, NULL, true);
	return SPI_processed == 1 && query_int8(0, 1) == 1;
}

static void
count_release(const ReleaseEntry *entry, ReleaseFigures *figures)
{
	ClassTally tally;

	query_run_in_snapshot(
		class_query_text(qualified_name(entry->release), quasi_columns(entry), NULL, entry->k), 0,
		NULL, NULL, NULL);
	tally = class_query_tally();
	figures->known = true;
	figures->rows = tally.rows;
	figures->classes = tally.classes;
	figures->smallest = tally.smallest;
}

static void
count_suppressed(const ReleaseEntry *entry, ReleaseFigures *figures)
{
	query_run_in_snapshot(psprintf("SELECT count(*) FROM %s", qualified_name(entry->source)), 0,
						  NULL, NULL, NULL);
	figures->suppressed_known = true;
	figures->suppressed = Max(query_int8(0, 1) - figures->rows, 0);
}

/*
 * Counts as the release's owner, in whose name the refresh read as well, and
 * restricted as it was: views and operators are the owner's, not ours.  What
 * the owner may no longer read stays unknown, since the refresh itself did
 * not need the right to name it.
 */
static ReleaseFigures
measure(const ReleaseEntry *entry)
{
	ReleaseFigures figures = {.known = false};
	Relation relation = relation_open(entry->release, AccessShareLock);
	bool populated = RelationIsPopulated(relation);
	Oid owner = relation->rd_rel->relowner;
	QueryRole caller;

	relation_close(relation, NoLock);
	if (!populated)
		return figures;
	caller = query_role_begin(owner, SECURITY_RESTRICTED_OPERATION);
	if (is_readable(entry->release))
	{
		count_release(entry, &figures);
		if (is_readable(entry->source))
			count_suppressed(entry, &figures);
	}
	query_role_end(caller);
	return figures;
}

void
release_refreshed(Oid catalog, Oid relation)
{
	ReleaseEntry *entry = release_catalog_find(catalog, relation);
	ReleaseFigures figures;

	if (entry == NULL)
		return;
	figures = measure(entry);
	release_catalog_update(catalog, relation, &figures);
}

/* Rows dropped are a cost the owner agreed to, up to a limit. */
static void
warn_of_losses(const char *name, const ReleaseEntry *entry, const ReleaseFigures *figures)
{
	int64 rows = figures->rows + figures->suppressed;
	int64 allowed = limits_suppressible(entry->suppression, rows);

	if (!figures->known || !figures->suppressed_known)
		return;
	if (rows == 0)
		ereport(WARNING,
				(errmsg("release %s is empty", name), errdetail("Its source has no rows.")));
	else if (figures->rows == 0)
		ereport(WARNING,
				(errmsg("release %s is empty", name),
				 errdetail("Its source has no class of k = %d rows or more, among " INT64_FORMAT
						   " in all.",
						   entry->k, rows)));
	else if (figures->suppressed > allowed)
		ereport(WARNING,
				(errmsg("release %s lacks " INT64_FORMAT " of " INT64_FORMAT " rows", name,
						figures->suppressed, rows),
				 errdetail("They lie in classes below k = %d; it was made to lack at most"
						   " " INT64_FORMAT ".",
						   entry->k, allowed),
				 errhint("Find other levels with kanon_incognito and make the release anew.")));
}

static ReleaseEntry *
find_or_fail(Oid catalog, Oid release, const char *name)
{
	ReleaseEntry *entry = release_catalog_find(catalog, release);

	if (entry == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE), errmsg("%s is not a release of kanon", name),
				 errhint("The table kanon_release lists the releases.")));
	return entry;
}

void
release_refresh(Oid release)
{
	Oid catalog = release_catalog();
	const char *name = qualified_name(release);
	ReleaseEntry *entry = find_or_fail(catalog, release, name);
	ReleaseFigures figures;

	query_run(psprintf("REFRESH MATERIALIZED VIEW %s", name), false);
	figures = release_catalog_figures(catalog, release);
	warn_of_losses(name, entry, &figures);
}

void
release_drop(Oid release)
{
	Oid catalog = release_catalog();
	const char *name = qualified_name(release);

	(void) find_or_fail(catalog, release, name);
	query_run(psprintf("DROP MATERIALIZED VIEW %s", name), false);
	release_catalog_delete(catalog, release);
}
