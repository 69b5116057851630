/*
 * release_jobs.h
 *		Refreshes many releases, one by one.
 */
#ifndef KANON_RELEASE_JOBS_H
#define KANON_RELEASE_JOBS_H

#include "postgres.h"

#include "release/release_refresh.h"

/*
 * Refreshes all releases that the current user may refresh and whose name or qualified name matches
 * the pattern, oldest first, because one may be made from another.  Each gets its own transaction;
 * a recoding with RecodingOps.advance refreshes all releases of a table at once.  A failure gives a
 * WARNING and a history entry and, at the end, an error with the number of failures and the
 * SQLSTATE of the first.  Skips releases dropped meanwhile.  Call within the bracket of
 * query_jobs.h.
 */
extern void release_jobs_refresh(const char *pattern, const RefreshOptions *options);

#endif /* KANON_RELEASE_JOBS_H */
