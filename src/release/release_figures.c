/*
 * release_figures.c
 *		See release_figures.h.
 */
#include "postgres.h"

#include "release/release_figures.h"

#include "access/relation.h"
#include "base/limits.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "cell/recoding_figures.h"
#include "count/class_query.h"
#include "count/class_runs.h"
#include "count/content_digest.h"
#include "miscadmin.h"
#include "sql/query.h"
#include "sql/relation_name.h"
#include "sql/rights.h"
#include "utils/builtins.h"
#include "utils/rel.h"

/* The release's columns that hold its quasi-identifiers, quoted. */
static List *
quasi_columns(const ReleaseEntry *entry)
{
	List *columns = NIL;
	Datum *names;
	int count;

	deconstruct_array(release_catalog_quasi(entry), NAMEOID, NAMEDATALEN, false, TYPALIGN_CHAR,
					  &names, NULL, &count);
	for (int i = 0; i < count; i++)
		columns = lappend(columns, pstrdup(quote_identifier(NameStr(*DatumGetName(names[i])))));
	return columns;
}

static int64
count_rows(Oid relation)
{
	query_run_with(class_query_of_rows(description_load_columns(relation)), QUERY_IN_SNAPSHOT, "");
	return query_int8(0, 1);
}

static void
count_release(const ReleaseEntry *entry, ReleaseFigures *figures)
{
	ClassTally tally;

	figures->known = true;
	figures->digest = content_digest(relation_name(entry->release));
	if (!entry->recoding->has_classes)
	{
		figures->rows = count_rows(entry->release);
		return;
	}
	tally = class_runs_tally(relation_name(entry->release), quasi_columns(entry), 0, false);
	figures->rows = tally.rows;
	figures->classes_known = true;
	figures->classes = tally.classes;
	figures->smallest = tally.smallest;
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
static void
weigh_loss(const ReleaseEntry *entry, const RecodingFigures *filled, ReleaseFigures *figures)
{
	double mean[RECORD_ROLES_MOST];
	double weight[RECORD_ROLES_MOST];
	int count =
		ArrayGetNItems(ARR_NDIM(entry->quasi_identifiers), ARR_DIMS(entry->quasi_identifiers));

	if (entry->levels || figures->rows == 0 ||
		!(entry->recoding->losses ? entry->recoding->losses(entry, mean)
								  : recoding_figures_loss(filled, count, mean)) ||
		!release_catalog_weights(entry, weight, count))
		return;
	figures->loss = recoding_figures_weigh(mean, weight, count);
	figures->loss_known = true;
}

static void
count_missing(const ReleaseEntry *entry, ReleaseFigures *figures)
{
	figures->missing_known = true;
	figures->missing = Max(count_rows(entry->relation) - figures->rows, 0);
	/* Rows that wait or are withheld are missing only for a while, or on purpose. */
	figures->satisfied =
		entry->recoding->advance ||
		(figures->rows > 0 &&
		 figures->missing <=
			 limits_suppressible(entry->suppression, figures->rows + figures->missing));
}

void
release_figures_begin(void)
{
	(void) recoding_figures_take();
}

ReleaseFigures
release_figures_count(const ReleaseEntry *entry)
{
	RecodingFigures filled = recoding_figures_take();
	ReleaseFigures figures = {.known = false};

	count_release(entry, &figures);
	count_missing(entry, &figures);
	take_people(entry, &filled, &figures);
	weigh_loss(entry, &filled, &figures);
	return figures;
}

/* May the current user count this relation's rows or, by has_table_privilege, read all of it? */
static bool
is_readable(Oid relation, const char *privilege)
{
	query_run_with(psprintf("SELECT has_schema_privilege(relnamespace, 'USAGE')"
							" AND %s(oid, 'SELECT') FROM pg_class WHERE oid = $1",
							privilege),
				   QUERY_READ, "o", relation);
	return query_rows() == 1 && query_int8(0, 1);
}

/*
 * Counts as the release's owner, as whom the refresh read, too, and with the same restrictions:
 * views and operators are the owner's, not ours.  What the owner may no longer read stays unknown;
 * the refresh itself did not need that privilege.
 */
ReleaseFigures
release_figures_measure(const ReleaseEntry *entry)
{
	RecodingFigures filled = recoding_figures_take();
	ReleaseFigures figures = {.known = false};
	Relation relation = relation_name_open(entry->release);
	bool populated = RelationIsPopulated(relation);
	QueryRights rights;

	relation_close(relation, NoLock);
	if (!populated)
		return figures;
	rights = rights_enter(entry->release, RIGHTS_CHECKED, AccessShareLock);
	if (is_readable(entry->release, "has_table_privilege"))
	{
		count_release(entry, &figures);
		if (is_readable(entry->relation, "has_any_column_privilege"))
			count_missing(entry, &figures);
	}
	rights_leave(&rights);
	take_people(entry, &filled, &figures);
	weigh_loss(entry, &filled, &figures);
	return figures;
}

void
release_figures_exceeded(const char *relation, int k, int64 rows)
{
	ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					errmsg_plural("k = %d exceeds the " INT64_FORMAT " row of relation %s",
								  "k = %d exceeds the " INT64_FORMAT " rows of relation %s",
								  (unsigned long) rows, k, rows, relation)));
}

int
release_figures_too_few(int64 rows, int k)
{
	return errdetail_plural("Its relation has " INT64_FORMAT " row, fewer than k = %d.",
							"Its relation has " INT64_FORMAT " rows, fewer than k = %d.",
							(unsigned long) rows, rows, k);
}
