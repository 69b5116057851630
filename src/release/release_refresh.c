/*
 * release_refresh.c
 *		See release_refresh.h.
 */
#include "postgres.h"

#include "release/release_refresh.h"

#include <math.h>

#include "base/compat.h"
#include "base/limits.h"
#include "cell/recoding_cells.h"
#include "relation/dimension_source.h"
#include "release/release_catalog.h"
#include "release/release_cohort.h"
#include "release/release_create.h"
#include "release/release_fill.h"
#include "release/release_request.h"
#include "release/release_seed.h"
#include "release/release_table.h"
#include "release/release_text.h"
#include "sql/own_table.h"
#include "sql/query.h"
#include "sql/query_jobs.h"
#include "sql/relation_name.h"
#include "sql/rights.h"
#include "utils/acl.h"
#include "utils/lsyscache.h"
#include "utils/snapmgr.h"
#include "utils/timestamp.h"

/*
 * Queries the dependencies of a release's text: the dependencies are d, and $3 is the owner of
 * kanon's tables, since the extension's owner may add members to it.  In the latest snapshot, like
 * the release itself.
 */
static void
query_dependencies(const ReleaseEntry *entry, const char *what, const char *condition)
{
	query_run_with(psprintf("SELECT DISTINCT %s FROM pg_class o"
							" JOIN pg_rewrite r ON r.ev_class = o.oid"
							" JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass"
							" AND d.objid = r.oid"
							" WHERE o.oid = $1 AND d.refobjid NOT IN ($1, $2) AND %s ORDER BY 1",
							what, condition),
				   QUERY_LATEST, "ooo", entry->query, entry->relation,
				   relation_name_owner(own_table_find("kanon_release_state")));
}

/*
 * PostgreSQL's own functions are not among the dependencies.  When the release was made, its text
 * called only those and kanon's; a dump keeps only their names.
 */
static void
check_functions(const ReleaseEntry *entry)
{
	query_dependencies(
		entry, "d.refobjid::regprocedure::text",
		"d.refclassid = 'pg_proc'::regclass AND NOT EXISTS (SELECT 1 FROM pg_depend m"
		" JOIN pg_extension e ON e.oid = m.refobjid AND e.extname = 'kanon'"
		" JOIN pg_proc p ON p.oid = m.objid AND pg_has_role(p.proowner, $3, 'USAGE')"
		" WHERE m.classid = 'pg_proc'::regclass AND m.objid = d.refobjid"
		" AND m.refclassid = 'pg_extension'::regclass AND m.deptype = 'e')");
	if (query_rows() > 0)
		ereport(ERROR, (errcode(ERRCODE_INVALID_OBJECT_DEFINITION),
						errmsg("release %s calls function %s", relation_name_shown(entry->release),
							   query_text(0, 1)),
						errdetail("It is neither PostgreSQL's nor kanon's.  A restored release may "
								  "find casts that did not exist when it was made."),
						errhint("Drop the release and make it anew.")));
}

/* What the text reads beside its relation: dimensions, but not kanon's own relations. */
static void
check_dimensions(const ReleaseEntry *entry)
{
	List *dimensions = NIL;
	QueryRights rights;
	ListCell *cell;

	query_dependencies(entry, "d.refobjid",
					   "d.refclassid = 'pg_class'::regclass AND NOT EXISTS"
					   " (SELECT 1 FROM pg_depend m JOIN pg_extension e ON e.oid = m.refobjid"
					   " AND e.extname = 'kanon' JOIN pg_class k ON k.oid = m.objid"
					   " AND pg_has_role(k.relowner, $3, 'USAGE')"
					   " WHERE m.classid = 'pg_class'::regclass"
					   " AND m.objid = d.refobjid AND m.refclassid = 'pg_extension'::regclass"
					   " AND m.deptype = 'e')");
	for (uint64 row = 0; row < query_rows(); row++)
		dimensions = lappend_oid(dimensions, atooid(query_text(row, 1)));
	/* As whoever fills it will read them. */
	rights = rights_enter(entry->release, RIGHTS_CHECKED, AccessShareLock);
	foreach (cell, dimensions)
		dimension_source_check(lfirst_oid(cell), entry->relation, NULL);
	rights_leave(&rights);
}

static void
begin_filling(const ReleaseEntry *entry)
{
	release_table_prepare(entry);
	check_functions(entry);
	check_dimensions(entry);
	if (entry->recoding->advance)
		release_cohort_check(entry);
	release_history_begin(entry->release, FILLED_BY_REFRESH, GetCurrentTimestamp());
}

void
release_refreshing(Oid relation)
{
	ReleaseEntry *entry = release_catalog_find(relation);

	release_table_refuse_refresh(relation);
	if (entry == NULL || entry->table)
		return;
	begin_filling(entry);
	/* Those of earlier recodings: parallel workers may fill this one and leave none. */
	(void) recoding_figures_take();
	release_request_lend_memory(entry);
}

void
release_emptying(Oid relation)
{
	release_history_begin(relation, FILLED_BY_REFRESH, GetCurrentTimestamp());
}

void
release_refreshed(Oid relation)
{
	ReleaseEntry *entry = release_catalog_find(relation);
	ReleaseFigures figures;
	ContentTally *tally;

	if (entry == NULL)
		return;
	tally = release_catalog_read(entry, entry->recoding->takes & RECODING_DRAW);
	/* A restore continues: the dump lacks the dealt contents, which stay unknown. */
	if (!release_seed_check_dealt(entry, tally,
								  release_history_restores(relation) ? WARNING : ERROR))
	{
		QueryRights rights = rights_enter(relation, RIGHTS_CHECKED, AccessShareLock);

		content_tally_free(tally);
		query_run(psprintf("REFRESH MATERIALIZED VIEW %s WITH NO DATA", relation_name(relation)),
				  false);
		rights_leave(&rights);
		return;
	}
	figures = release_catalog_figures_measure(entry, relation, tally, false);
	content_tally_free(tally);
	release_history_end(relation, &figures);
}

/* Did a search choose its levels or its rule? */
static bool
is_searched(const ReleaseEntry *entry)
{
	return (entry->recoding->takes & (RECODING_LEVELS | RECODING_RULE)) != 0;
}

/*
 * The owner accepted dropped rows up to a limit.  Beyond it, raises a WARNING or, if strict, an
 * ERROR.  How many they are, and of how many, is for callers who have the owner's rights.
 */
static void
tell_of_losses(const char *name, const ReleaseEntry *entry, const ReleaseFigures *figures,
			   bool strict, bool owned)
{
	int64 rows = figures->rows + figures->missing;
	int64 allowed = limits_suppressible(entry->suppression, rows);
	int level = strict ? ERROR : WARNING;
	int code = strict ? ERRCODE_CHECK_VIOLATION : ERRCODE_WARNING;

	if (figures->rows < 0 || figures->missing < 0)
	{
		if (strict)
			ereport(ERROR, (errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
							errmsg("cannot tell which rows release %s lacks", name),
							errdetail("Its owner may not read both it and its relation.")));
		return;
	}
	if (figures->satisfied)
		return;
	if (!owned)
		ereport(level, (errcode(code), errmsg("release %s lacks more rows than it may", name),
						errdetail("Its owner sees how many.")));
	else if (rows == 0)
		ereport(level, (errcode(code), errmsg("release %s is empty", name),
						errdetail("Its relation has no rows.")));
	else if (figures->rows == 0)
		ereport(
			level,
			(errcode(code), errmsg("release %s is empty", name),
			 rows < entry->demand.k ? release_catalog_figures_too_few(rows, entry->demand.k)
			 : release_models_any(&entry->demand)
				 ? errdetail("Its relation has " INT64_FORMAT
							 " rows; no class of them satisfies %s.",
							 rows, release_models_names(&entry->demand))
				 : errdetail("Its relation has no class of k = %d rows or more, among " INT64_FORMAT
							 " in all.",
							 entry->demand.k, rows)));
	else
		ereport(level,
				(errcode(code),
				 errmsg("release %s lacks " INT64_FORMAT " of " INT64_FORMAT " rows", name,
						figures->missing, rows),
				 release_models_any(&entry->demand)
					 ? errdetail("They lie in classes that fail %s; it was made to lack at most"
								 " " INT64_FORMAT ".",
								 release_models_names(&entry->demand), allowed)
					 : errdetail("They lie in classes below k = %d; it was made to lack at most"
								 " " INT64_FORMAT ".",
								 entry->demand.k, allowed),
				 is_searched(entry)
					 ? errhint("Call kanon_refresh_release with search => true to find %s.",
							   entry->levels ? "other levels" : "another rule")
					 : 0));
}

/*
 * Does what REFRESH MATERIALIZED VIEW and its event triggers do, but counts before readers have to
 * wait.  All in one snapshot, taken when no other refresh is running.
 */
static void
refill(const char *name, const ReleaseEntry *entry)
{
	Oid release = entry->release;
	ReleaseFill fill;

	PushCopiedSnapshot(GetTransactionSnapshot());
	begin_filling(entry);
	fill = release_fill(entry, NULL, false);
	PopActiveSnapshot();
	release_fill_show(entry, name, &fill);
	release_history_end(release, &fill.figures);
}

typedef struct LevelSearch
{
	Oid release;
	bool owned; /* the caller has its owner's rights */
} LevelSearch;

/* Remakes the release with the levels or the rule of least total loss.  Not for those who may only
 * refresh. */
static void
search_levels(void *state)
{
	LevelSearch *search = state;

	if (!search->owned)
		aclcheck_error(ACLCHECK_NOT_OWNER, get_relkind_objtype(get_rel_relkind(search->release)),
					   get_rel_name(search->release));
	release_replace(search->release, &(ReleaseArguments){.suppression = NAN});
}

/* If a search fails, the release is refreshed all the same, unless strict. */
static bool
refresh_with_search(LevelSearch *search, const ReleaseEntry *entry, const char *name, bool strict)
{
	ErrorData *error;

	if (strict)
	{
		search_levels(search);
		return true;
	}
	error = query_attempt(search_levels, search);
	if (error == NULL)
		return true;
	ereport(WARNING, (errcode(error->sqlerrcode),
					  errmsg("release %s keeps its %s: %s", name, entry->levels ? "levels" : "rule",
							 error->message),
					  error->detail ? errdetail_internal("%s", error->detail) : 0,
					  error->hint ? errhint("%s", error->hint) : 0));
	return false;
}

/* Works as the release's owner. */
static ReleaseFilling
fill(Oid release, TimestampTz start, bool owned, const RefreshOptions *options)
{
	LevelSearch levels = {.release = release, .owned = owned};
	const char *name = relation_name(release);
	const ReleaseEntry *entry = release_catalog_get(release, name);
	bool search = options->search && is_searched(entry);
	ReleaseFilling filling;

	release_request_pin_memory(entry);
	release_history_begin(release, FILLED_BY_KANON, start);
	if (!search || !refresh_with_search(&levels, entry, name, options->strict))
		refill(name, entry);
	filling = release_history_last(release);
	tell_of_losses(name, entry, &filling.figures, options->strict, owned);
	return filling;
}

/* Readers wait for new contents to be filled, unless they can go on reading the old ones. */
static LOCKMODE
lock_of(Oid release, const RefreshOptions *options)
{
	const ReleaseEntry *entry = release_catalog_find(release);

	return options->concurrently || options->search || (entry && release_table_keeps_rows(entry))
			   ? ExclusiveLock
			   : AccessExclusiveLock;
}

static ReleaseFilling
refresh(Oid release, RightsNeeded needed, const RefreshOptions *options)
{
	TimestampTz start = GetCurrentTimestamp();
	bool owned = rights_has(release, RIGHTS_OF_OWNER);
	QueryRights rights = rights_enter(release, needed, lock_of(release, options));
	ReleaseFilling filling = fill(release, start, owned, options);

	rights_leave(&rights);
	/* MAINTAIN is no right to see anything. */
	if (!owned)
	{
		filling.changed_known = false;
		filling.figures.missing = -1;
		filling.figures.loss = NAN;
		if (pg_class_aclcheck(filling.release, GetUserId(), ACL_SELECT) != ACLCHECK_OK)
			filling.figures.rows = filling.figures.classes = -1;
	}
	return filling;
}

/*
 * Cohorts advance as the owner of the relation, and lock it before the releases, of which there may
 * be several: a release that was locked before would be a deadlock of two sessions.  So the
 * caller's right to this one is asked again below, under its lock, and all is undone if it is gone.
 * All of them are filled, since one night has passed for all.
 */
ReleaseFilling
release_refresh(Oid release, const RefreshOptions *options)
{
	const ReleaseEntry *entry = release_catalog_find(release);
	List *releases = list_make1_oid(release);
	ReleaseFilling filling = {0};
	ListCell *cell;

	if (entry == NULL)
		entry = release_catalog_get(release, relation_name(release));
	rights_check(release, RIGHTS_TO_REFRESH);
	release_table_check_query(entry);
	if (entry->recoding->advance)
	{
		release_request_pin_memory(entry);
		releases = entry->recoding->advance(entry);
	}
	foreach (cell, releases)
	{
		bool own = lfirst_oid(cell) == release;
		ReleaseFilling one =
			refresh(lfirst_oid(cell), own ? RIGHTS_TO_REFRESH : RIGHTS_CHECKED, options);

		if (own)
			filling = one;
	}
	return filling;
}

void
release_drop(Oid release)
{
	const char *name = relation_name(release);
	const ReleaseEntry *entry = release_catalog_get(release, name);

	/* Deletes the row first, so that the release is not kept as lost. */
	own_table_do("DELETE FROM @release_state WHERE release = $1", "o", release);
	if (entry->table)
		release_table_drop(entry);
	else
		query_run(psprintf("DROP MATERIALIZED VIEW %s", name), false);
}

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
refresh_job(void *state)
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
release_refresh_all(const char *pattern, const RefreshOptions *options)
{
	ReleaseJobs all = {.options = options, .context = CurrentMemoryContext};
	List *jobs = find_jobs(pattern, &all);

	if (jobs == NIL)
		ereport(WARNING, (errmsg("no release to refresh matches \"%s\"", pattern)));
	query_jobs_run(jobs, refresh_job, tell_failure);
	if (all.failed > 0)
		ereport(
			ERROR,
			(errcode(all.sqlstate),
			 errmsg("%d of %d releases were not refreshed", all.failed, list_length(jobs)),
			 errdetail("All others were refreshed."),
			 errhint("A warning and an entry in kanon_release_history describe each failure.")));
}
