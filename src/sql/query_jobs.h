/*
 * query_jobs.h
 *		Work that may fail by itself: a single attempt, and the jobs of a procedure, each in its own
 *		transaction.
 */
#ifndef KANON_QUERY_JOBS_H
#define KANON_QUERY_JOBS_H

#include "postgres.h"

#include "fmgr.h"
#include "nodes/pg_list.h"

/*
 * Runs a function within a subtransaction; _attempt, also within a query scope.  Returns NULL, or
 * the error after everything was undone, in the current context.  _attempt raises a cancel or a
 * timeout of the statement again, and not what looks like one: code of a relation's owner must not
 * stop other owners' jobs.
 */
extern ErrorData *query_undo(void (*run)(void *state), void *state);
extern ErrorData *query_attempt(void (*run)(void *state), void *state);

/*
 * The bracket of a procedure that commits; call it outside query scopes.  Memory allocated between
 * the two outlives transactions.  Raises ERRCODE_INVALID_TRANSACTION_TERMINATION if the call is
 * part of a transaction.
 */
extern void query_jobs_begin(FunctionCallInfo fcinfo);
extern void query_jobs_end(void);

/*
 * Runs each job of a list within a query scope and the latest snapshot, then commits.  If a job
 * fails, it is undone, and "failed" runs instead, with the beginnings of the error's texts, in a
 * scope of its own, and is committed.  A cancel ends everything.
 */
extern void query_jobs_run(List *jobs, void (*run)(void *job),
						   void (*failed)(void *job, const ErrorData *error));

#endif /* KANON_QUERY_JOBS_H */
