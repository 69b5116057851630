/*
 * aside_notice.c
 *		See aside_notice.h.
 */
#include "postgres.h"

#include "audit/aside_notice.h"

#include "audit/aside_audit.h"
#include "miscadmin.h"
#include "release/release_notice.h"
#include "sql/query.h"
#include "sql/query_jobs.h"
#include "sql/relation_name.h"
#include "sql/rights.h"
#include "utils/elog.h"

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
aside_notice(Oid release)
{
	ReleaseOthers others;
	NoticedAside aside = {.release = release, .others = &others};
	const SideBySideReport *people = &aside.report.people;

	if (!message_level_is_interesting(NOTICE))
		return;
	/* Sees a release that took another's place, and not the old one. */
	query_snapshot_begin();
	others = release_notice_others(release);
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
