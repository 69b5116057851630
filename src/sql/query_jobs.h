/*
 * query_jobs.h
 *		What may fail without the rest: an attempt, and jobs that a procedure does one by one,
 *		each in a transaction of its own.
 */
#ifndef KANON_QUERY_JOBS_H
#define KANON_QUERY_JOBS_H

#include "postgres.h"

#include "fmgr.h"
#include "nodes/pg_list.h"

/*
 * Does something within a query scope and a subtransaction: NULL, or why it failed, and was undone;
 * in the current context.
 */
extern ErrorData *query_attempt(void (*run)(void *state), void *state);

/*
 * The bracket of a procedure that commits: around it no query scope.  What is allocated between
 * the two outlives transactions.  ERRCODE_INVALID_TRANSACTION_TERMINATION: the call is part of a
 * transaction.
 */
extern void query_jobs_begin(FunctionCallInfo fcinfo);
extern void query_jobs_end(void);

/*
 * Does each of a list, within a query scope and the latest snapshot, and commits; a job that fails
 * is undone, and "failed" is told in its stead, likewise in a scope and committed.  A cancel ends
 * it all.
 */
extern void query_jobs_run(List *jobs, void (*run)(void *job),
						   void (*failed)(void *job, const ErrorData *error));

#endif /* KANON_QUERY_JOBS_H */
