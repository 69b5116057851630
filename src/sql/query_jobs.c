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
#include "miscadmin.h"
#include "nodes/parsenodes.h"
#include "sql/query.h"
#include "tcop/pquery.h"
#include "utils/resowner.h"

ErrorData *
query_attempt(void (*run)(void *state), void *state)
{
	MemoryContext context = CurrentMemoryContext;
	ResourceOwner owner = CurrentResourceOwner;
	ErrorData *volatile error = NULL;

	BeginInternalSubTransaction(NULL);
	MemoryContextSwitchTo(context);
	PG_TRY();
	{
		QueryScope scope = query_begin();

		run(state);
		query_end(scope);
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

bool
query_is_cancel(const ErrorData *error)
{
	return error->sqlerrcode == ERRCODE_QUERY_CANCELED && error->funcname &&
		   strcmp(error->funcname, "ProcessInterrupts") == 0;
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
		if (error && query_is_cancel(error))
			ReThrowError(error);
		if (error)
		{
			QueryScope scope = query_begin();

			failed(lfirst(cell), error);
			query_end(scope);
			FreeErrorData(error);
		}
		SPI_commit();
	}
}
