/*
 * aside_audit.c
 *		See aside_audit.h.
 *
 * The rows of all releases arrive sorted by person.  A person is added when the next one begins.
 */
#include "postgres.h"

#include "audit/aside_audit.h"

#include "base/context.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "release/release_catalog.h"
#include "release/release_members.h"
#include "sql/query.h"
#include "sql/query_jobs.h"
#include "sql/relation_name.h"
#include "sql/rights.h"
#include "sql/row_query.h"
#include "utils/builtins.h"
#include "utils/elog.h"
#include "utils/memutils.h"

/* Where the people go: first all to be judged, then again, if the names of some are wanted. */
typedef struct AsideReader
{
	MemoryContext of_person;
	int releases;
	char *person; /* current person; NULL: none */
	int64 number; /* number of the current person, from 0 */
	int32 **who;  /* [release] */
	int *count;
	SideBySide *people;    /* first pass: collects the people; NULL on the second */
	AsideReport *nameless; /* second pass: gets the names of the weakest; NULL on the first */
	MemoryContext context; /* of the names */
} AsideReader;

static void
end_person(AsideReader *reader)
{
	AsideReport *report = reader->nameless;

	if (reader->person == NULL)
		return;
	if (reader->people)
		side_by_side_add(reader->people, (const int32 *const *) reader->who, reader->count);
	for (int i = 0; report && i < report->people.weakest_count; i++)
		if (report->people.weakest[i] == reader->number)
			lfirst(list_nth_cell(report->weakest, i)) =
				MemoryContextStrdup(reader->context, reader->person);
	reader->number++;
	reader->person = NULL;
	memset(reader->count, 0, sizeof(int) * reader->releases);
	MemoryContextReset(reader->of_person);
}

static void
take_candidates(AsideReader *reader, int release, Datum candidates)
{
	ArrayType *array = DatumGetArrayTypePCopy(candidates);

	if (reader->count[release] > 0)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("several rows of a release have the key \"%s\"", reader->person),
						errhint("Name a column that is different for each row.")));
	reader->count[release] = ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array));
	reader->who[release] = (int32 *) ARR_DATA_PTR(array);
}

/* A RowConsumer of a person, a release and the person's candidates there. */
static void
take_row(void *state, const Datum *values, const bool *nulls, int64 count)
{
	AsideReader *reader = state;
	MemoryContext previous;
	char *person;

	(void) count;
	CHECK_FOR_INTERRUPTS();
	if (nulls[0])
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("the key of a row of a release is NULL"),
						errhint("Name a column that is different for each row.")));
	previous = MemoryContextSwitchTo(reader->of_person);
	person = TextDatumGetCString(values[0]);
	if (reader->person && strcmp(person, reader->person) != 0)
	{
		end_person(reader);
		person = TextDatumGetCString(values[0]);
	}
	reader->person = person;
	take_candidates(reader, DatumGetInt32(values[1]), values[2]);
	MemoryContextSwitchTo(previous);
}

static void
read_people(const ReleasesAside *aside, AsideReader reader)
{
	const Oid types[] = {TEXTOID, INT4OID, INT4ARRAYOID};
	RowSource *rows = row_query_create(aside->select, types, lengthof(types), false);
	Datum secret = aside->secret ? CStringGetTextDatum(aside->secret) : 0;

	row_query_bind(rows, aside->secret ? 1 : 0, types, &secret);
	reader.context = CurrentMemoryContext;
	reader.of_person =
		AllocSetContextCreate(CurrentMemoryContext, "kanon person", CONTEXT_SMALL_SIZES);
	reader.releases = aside->count;
	reader.who = palloc0(sizeof(int32 *) * aside->count);
	reader.count = palloc0(sizeof(int) * aside->count);
	rows->scan(rows, take_row, &reader);
	end_person(&reader);
	MemoryContextDelete(reader.of_person);
}

AsideReport
aside_audit_run(Oid relation, ArrayType *releases, int k, const char *key)
{
	/* releases_aside raises the memory limit to that of the releases; this budget keeps the
	 * caller's. */
	Budget budget = budget_begin();
	ReleasesAside aside = releases_aside(relation, releases, key);
	AsideReport report = {.k = k > 0 ? k : aside.k};
	SideBySide *people = side_by_side_create(aside.count, &budget);

	read_people(&aside, (AsideReader){.people = people});
	report.people = side_by_side_judge(people, report.k);
	if (report.people.below == 0)
		report.people.weakest_count = 0;
	for (int i = 0; i < report.people.weakest_count; i++)
		report.weakest = lappend(report.weakest, NULL);
	if (report.weakest)
		read_people(&aside, (AsideReader){.nameless = &report});
	return report;
}

/* ---- the notice */

/* Most rows to recode for the figure, over all releases: some tenths of a second. */
#define MOST_ROWS 20000

typedef struct NoticedAside
{
	Oid release;
	const ReleaseOthers *others;
	AsideReport report; /* without people: unknown */
} NoticedAside;

/*
 * Runs as the owner, as whom the release was made: otherwise a caller with more rights might run
 * others' code.
 */
static void
put_aside(void *state)
{
	NoticedAside *aside = state;
	QueryRights rights = rights_enter(aside->release, RIGHTS_CHECKED, AccessShareLock);

	aside->report = aside_audit_run(aside->others->relation, aside->others->releases, 0, NULL);
	rights_leave(&rights);
}

/* Each release is recoded over the current rows, however few it had when it was made. */
static bool
is_cheap(const ReleaseOthers *others)
{
	return others->classes && others->rows >= 0 && others->rows <= MOST_ROWS / (others->count + 1);
}

void
aside_audit_notice(Oid release)
{
	ReleaseOthers others;
	NoticedAside aside = {.release = release, .others = &others};
	const SideBySideReport *people = &aside.report.people;

	if (!message_level_is_interesting(NOTICE))
		return;
	/* The new snapshot has the release that replaced an old one, and not that. */
	query_snapshot_begin();
	others = release_catalog_others(release);
	/* No failure stops the release, which is already made. */
	if (others.count > 0 && is_cheap(&others))
		(void) query_attempt(put_aside, &aside);
	query_snapshot_end();
	if (others.count == 0)
		return;
	ereport(
		NOTICE,
		(errmsg_plural("relation %s has another release: %s", "relation %s has other releases: %s",
					   (unsigned long) others.count, relation_name(others.relation), others.names),
		 people->people > 0
			 ? errdetail("By dimensions and " INT64_FORMAT
						 " rows of today, a reader of all of them finds " INT64_FORMAT
						 " among fewer than k = %d, and " INT64_FORMAT " alone.",
						 people->people, people->below, aside.report.k, people->alone)
			 : errdetail(
				   "A reader of several can compare them, and learns more than from each of them."),
		 errhint("Give each reader only one of them; kanon_check_releases shows what several "
				 "reveal.")));
}
