/*
 * query_jobs.c
 *		See query_jobs.h.
 *
 * A job is a subtransaction.  If it fails, its rollback also restores SPI's stack and the settings.
 * Then the surrounding transaction is committed.
 */
#include "postgres.h"

#include "sql/query_jobs.h"

#include "access/xact.h"
#include "executor/spi.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "nodes/parsenodes.h"
#include "sql/query.h"
#include "tcop/pquery.h"
#include "utils/resowner.h"

ErrorData *
query_undo(void (*run)(void *state), void *state)
{
	MemoryContext context = CurrentMemoryContext;
	ResourceOwner owner = CurrentResourceOwner;
	ErrorData *volatile error = NULL;

	BeginInternalSubTransaction(NULL);
	MemoryContextSwitchTo(context);
	PG_TRY();
	{
		run(state);
		ReleaseCurrentSubTransaction();
	}
	PG_CATCH();
	{
		MemoryContextSwitchTo(context);
		error = CopyErrorData();
		FlushErrorState();
		RollbackAndReleaseCurrentSubTransaction();
	}
	PG_END_TRY();
	MemoryContextSwitchTo(context);
	CurrentResourceOwner = owner;
	return error;
}

/* What runs within a query scope. */
typedef struct ScopedRun
{
	void (*run)(void *state);
	void *state;
} ScopedRun;

static void
run_in_scope(void *scoped)
{
	const ScopedRun *run = scoped;
	QueryScope scope = query_begin();

	run->run(run->state);
	query_end(scope);
}

/* Code of a relation's owner can raise errors with the same SQLSTATE as a cancel, but not here. */
ErrorData *
query_attempt(void (*run)(void *state), void *state)
{
	ErrorData *error = query_undo(run_in_scope, &(ScopedRun){.run = run, .state = state});

	if (error && error->sqlerrcode == ERRCODE_QUERY_CANCELED && error->funcname &&
		strcmp(error->funcname, "ProcessInterrupts") == 0)
		ReThrowError(error);
	return error;
}

void
query_jobs_begin(FunctionCallInfo fcinfo)
{
	if (fcinfo->context == NULL || !IsA(fcinfo->context, CallContext) ||
		((CallContext *) fcinfo->context)->atomic)
		ereport(ERROR, (errcode(ERRCODE_INVALID_TRANSACTION_TERMINATION),
						errmsg("refreshing many releases cannot be part of a transaction"),
						errdetail("It commits after each release.")));
	if (SPI_connect_ext(SPI_OPT_NONATOMIC) != SPI_OK_CONNECT)
		elog(ERROR, "SPI_connect failed");
}

void
query_jobs_end(void)
{
	SPI_finish();
}

/* Bytes of a failure's texts that are told: an owner's code may write any number. */
#define TOLD 2000

static void
cut(char *text)
{
	if (text && strlen(text) > TOLD)
		text[pg_mbcliplen(text, (int) strlen(text), TOLD)] = '\0';
}

/* A job that failed, to be told in a subtransaction of its own. */
typedef struct FailedJob
{
	void *job;
	const ErrorData *error;
	void (*failed)(void *job, const ErrorData *error);
} FailedJob;

static void
tell(void *state)
{
	const FailedJob *failed = state;

	failed->failed(failed->job, failed->error);
}

/* If even that fails, the other jobs go on. */
static void
tell_failure(FailedJob *failed)
{
	ErrorData *error = query_attempt(tell, failed);

	if (error == NULL)
		return;
	cut(error->message);
	ereport(WARNING, (errcode(error->sqlerrcode), errmsg("a failure could not be recorded: %s",
														 error->message ? error->message : "")));
	FreeErrorData(error);
}

void
query_jobs_run(List *jobs, void (*run)(void *job),
			   void (*failed)(void *job, const ErrorData *error))
{
	ListCell *cell;

	foreach (cell, jobs)
	{
		ErrorData *error;

		CHECK_FOR_INTERRUPTS();
		EnsurePortalSnapshotExists();
		error = query_attempt(run, lfirst(cell));
		if (error)
		{
			cut(error->message);
			cut(error->detail);
			cut(error->hint);
			tell_failure(&(FailedJob){.job = lfirst(cell), .error = error, .failed = failed});
			FreeErrorData(error);
		}
		SPI_commit();
	}
}
