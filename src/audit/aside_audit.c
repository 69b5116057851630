/*
 * aside_audit.c
 *		See aside_audit.h.
 *
 * The rows of all releases arrive sorted by person.  A person is added when the next one begins.
 */
#include "postgres.h"

#include "audit/aside_audit.h"

#include "catalog/pg_type.h"
#include "executor/tuptable.h"
#include "miscadmin.h"
#include "release/release_catalog.h"
#include "release/release_members.h"
#include "sql/query.h"
#include "sql/query_jobs.h"
#include "sql/relation_name.h"
#include "sql/rights.h"
#include "utils/builtins.h"
#include "utils/elog.h"
#include "utils/memutils.h"

typedef struct AsideReceiver
{
	DestReceiver receiver; /* first */
	MemoryContext of_person;
	int releases;
	char *person; /* current person; NULL: none */
	int64 number; /* number of the current person, from 0 */
	int32 **who;  /* [release] */
	int *count;
	SideBySide *people;  /* collects the people; NULL on the second pass .. */
	const int32 *wanted; /* .. which finds the names of these */
	char **name;         /* [of those wanted] */
	int wanted_count;
	MemoryContext context; /* of the names */
} AsideReceiver;

static void
aside_startup(DestReceiver *self, int operation, TupleDesc fields)
{
	(void) self;
	(void) operation;
	(void) fields;
}

static void
end_person(AsideReceiver *receiver)
{
	if (receiver->person == NULL)
		return;
	if (receiver->people)
		side_by_side_add(receiver->people, (const int32 *const *) receiver->who, receiver->count);
	for (int i = 0; i < receiver->wanted_count; i++)
		if (receiver->wanted[i] == receiver->number)
			receiver->name[i] = MemoryContextStrdup(receiver->context, receiver->person);
	receiver->number++;
	receiver->person = NULL;
	memset(receiver->count, 0, sizeof(int) * receiver->releases);
	MemoryContextReset(receiver->of_person);
}

static void
take_candidates(AsideReceiver *receiver, int release, Datum candidates)
{
	ArrayType *array = DatumGetArrayTypePCopy(candidates);

	if (receiver->count[release] > 0)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("several rows of a release have the key \"%s\"", receiver->person),
						errhint("Name a column that is different for each row.")));
	receiver->count[release] = ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array));
	receiver->who[release] = (int32 *) ARR_DATA_PTR(array);
}

static bool
aside_receive(TupleTableSlot *slot, DestReceiver *self)
{
	AsideReceiver *receiver = (AsideReceiver *) self;
	MemoryContext previous;
	char *person;

	CHECK_FOR_INTERRUPTS();
	slot_getallattrs(slot);
	if (slot->tts_isnull[0])
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("the key of a row of a release is NULL"),
						errhint("Name a column that is different for each row.")));
	previous = MemoryContextSwitchTo(receiver->of_person);
	person = TextDatumGetCString(slot->tts_values[0]);
	if (receiver->person && strcmp(person, receiver->person) != 0)
	{
		end_person(receiver);
		person = TextDatumGetCString(slot->tts_values[0]);
	}
	receiver->person = person;
	take_candidates(receiver, DatumGetInt32(slot->tts_values[1]), slot->tts_values[2]);
	MemoryContextSwitchTo(previous);
	return true;
}

static void
read_people(const ReleasesAside *aside, AsideReceiver *receiver)
{

	receiver->receiver = query_receiver(aside_receive, aside_startup);
	receiver->of_person =
		AllocSetContextCreate(CurrentMemoryContext, "kanon person", ALLOCSET_SMALL_SIZES);
	receiver->releases = aside->count;
	receiver->who = palloc0(sizeof(int32 *) * aside->count);
	receiver->count = palloc0(sizeof(int) * aside->count);
	query_stream_with(aside->select, &receiver->receiver, "t", aside->secret);
	end_person(receiver);
	MemoryContextDelete(receiver->of_person);
}

static void *
copied(const void *array, Size bytes)
{
	return memcpy(palloc(bytes), array, bytes);
}

AsideReport
aside_audit_run(const AsideAudit *audit)
{
	AsideReport report = {0};
	ReleasesAside aside;
	MemoryContext caller = CurrentMemoryContext;
	MemoryContext context =
		AllocSetContextCreate(caller, "kanon side by side", ALLOCSET_DEFAULT_SIZES);
	AsideReceiver reading = {0};
	AsideReceiver naming = {0};
	Budget budget;

	MemoryContextSwitchTo(context);
	/* Before the limit becomes that of the releases. */
	budget = budget_begin();
	MemoryContextSwitchTo(caller);
	aside = releases_aside(audit->relation, audit->releases, audit->key);
	report.k = audit->k > 0 ? audit->k : aside.k;
	MemoryContextSwitchTo(context);
	reading.people = side_by_side_create(aside.count, &budget);
	read_people(&aside, &reading);
	report.people = side_by_side_judge(reading.people, report.k);
	MemoryContextSwitchTo(caller);
	report.people.sizes = copied(report.people.sizes, sizeof(int64) * report.people.size_end);
	report.people.weakest = copied(report.people.weakest, sizeof(int32) * SIDE_BY_SIDE_WEAKEST);
	MemoryContextDelete(context);
	report.weakest = palloc0(sizeof(char *) * Max(report.people.weakest_count, 1));
	if (report.people.below == 0)
		report.people.weakest_count = 0;
	if (report.people.weakest_count == 0)
		return report;
	naming.wanted = report.people.weakest;
	naming.wanted_count = report.people.weakest_count;
	naming.name = report.weakest;
	naming.context = caller;
	read_people(&aside, &naming);
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

	aside->report = aside_audit_run(
		&(AsideAudit){.relation = aside->others->relation, .releases = aside->others->releases});
	rights_leave(&rights);
}

/* Each release is recoded over the current rows, however few it had when it was made. */
static bool
is_cheap(const ReleaseOthers *others)
{
	return others->classes && others->rows_known && others->rows <= MOST_ROWS / (others->count + 1);
}

/* Except for a cancel, no failure stops the release, which is already made. */
static void
measure(NoticedAside *aside)
{
	ErrorData *error = query_attempt(put_aside, aside);

	if (error && query_is_cancel(error))
		ReThrowError(error);
}

void
aside_audit_notice(Oid release)
{
	ReleaseOthers others;
	NoticedAside aside = {.release = release, .others = &others};
	const SideBySideReport *people = &aside.report.people;

	if (!message_level_is_interesting(NOTICE))
		return;
	/* Sees a release that took another's place, and not the old one. */
	query_snapshot_begin();
	others = release_catalog_others(release);
	if (others.count > 0 && is_cheap(&others))
		measure(&aside);
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
