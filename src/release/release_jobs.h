/*
 * release_jobs.h
 *		Many releases, refreshed one by one.
 */
#ifndef KANON_RELEASE_JOBS_H
#define KANON_RELEASE_JOBS_H

#include "postgres.h"

#include "release/release_refresh.h"

/*
 * Refreshes those that the current user may refresh and whose name, or qualified name, is like the
 * pattern, the oldest first, for one may be made of another; each in a transaction of its own; one
 * that takes others along (RecodingOps.advance) once for all of them.  For one that fails: a
 * WARNING, an entry in its history, and when all are done an error that counts them, with the code
 * of the first.  One that is gone by then is left out.  Within the bracket of query_jobs.h.
 */
extern void release_jobs_refresh(const char *pattern, const RefreshOptions *options);

#endif /* KANON_RELEASE_JOBS_H */
