/*
 * release_jobs.c
 *		See release_jobs.h.
 */
#include "postgres.h"

#include "release/release_jobs.h"

#include "base/compat.h"
#include "catalog/pg_type.h"
#include "release/release_catalog.h"
#include "release/release_history.h"
#include "sql/own_table.h"
#include "sql/query.h"
#include "sql/query_jobs.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

/* State shared by all jobs of a call. */
typedef struct ReleaseJobs
{
	const RefreshOptions *options;
	MemoryContext context; /* of the list */
	List *advanced;        /* relations (OIDs) that were advanced: one release takes along all
							* others of its relation */
	int failed;
	int sqlstate; /* of the first failure */
} ReleaseJobs;

typedef struct ReleaseJob
{
	Oid release;
	const char *name;
	ReleaseJobs *all;
} ReleaseJob;

/* In the current context, which outlives the query scope. */
static List *
find_jobs(const char *pattern, ReleaseJobs *all)
{
	MemoryContext caller = CurrentMemoryContext;
	QueryScope scope = query_begin();
	List *jobs = NIL;

	own_table_read("SELECT c.oid, format('%I.%I', n.nspname, c.relname)"
				   " FROM @release_state r JOIN pg_class c ON c.oid = r.release"
				   " JOIN pg_namespace n ON n.oid = c.relnamespace"
				   " WHERE c.relname::text LIKE $1"
				   " OR format('%s.%s', n.nspname, c.relname) LIKE $1"
				   " ORDER BY r.created, n.nspname, c.relname",
				   "t", pattern);
	MemoryContextSwitchTo(caller);
	for (uint64 row = 0; row < query_rows(); row++)
	{
		ReleaseJob *job = palloc(sizeof(ReleaseJob));

		*job = (ReleaseJob){
			.release = (Oid) query_int8(row, 1), .name = pstrdup(query_text(row, 2)), .all = all};
		if (compat_maintains_relation(job->release, GetUserId()))
			jobs = lappend(jobs, job);
	}
	query_end(scope);
	MemoryContextSwitchTo(caller);
	return jobs;
}

static void
refresh(void *state)
{
	const ReleaseJob *job = state;
	ReleaseJobs *all = job->all;
	const ReleaseEntry *entry = release_catalog_find(job->release);
	MemoryContext context;

	if (entry == NULL ||
		(entry->recoding->advance && list_member_oid(all->advanced, entry->relation)))
		return;
	(void) release_refresh(job->release, all->options);
	if (entry->recoding->advance == NULL)
		return;
	context = MemoryContextSwitchTo(all->context);
	all->advanced = lappend_oid(all->advanced, entry->relation);
	MemoryContextSwitchTo(context);
}

static void
tell_failure(void *state, const ErrorData *error)
{
	const ReleaseJob *job = state;

	if (release_catalog_find(job->release) == NULL)
		return;
	if (job->all->failed++ == 0)
		job->all->sqlstate = error->sqlerrcode;
	release_history_fail(job->release, job->name, error->message);
	ereport(WARNING, (errcode(error->sqlerrcode),
					  errmsg("release %s was not refreshed: %s", job->name, error->message),
					  error->detail ? errdetail_internal("%s", error->detail) : 0,
					  error->hint ? errhint("%s", error->hint) : 0));
}

void
release_jobs_refresh(const char *pattern, const RefreshOptions *options)
{
	ReleaseJobs all = {.options = options, .context = CurrentMemoryContext};
	List *jobs = find_jobs(pattern, &all);

	if (jobs == NIL)
		ereport(WARNING, (errmsg("no release to refresh matches \"%s\"", pattern)));
	query_jobs_run(jobs, refresh, tell_failure);
	if (all.failed > 0)
		ereport(
			ERROR,
			(errcode(all.sqlstate),
			 errmsg("%d of %d releases were not refreshed", all.failed, list_length(jobs)),
			 errdetail("All others were refreshed."),
			 errhint("A warning and an entry in kanon_release_history describe each failure.")));
}
