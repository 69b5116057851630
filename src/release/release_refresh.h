/*
 * release_refresh.h
 *		What kanon does before and after a REFRESH MATERIALIZED VIEW, and its own refresh, of one
 *		release or of many.
 *
 * The guard in a release's text ensures k at any refresh.  This checks its dimensions before, and
 * updates the figures in kanon_release afterwards.  Call all of these within a query scope.
 */
#ifndef KANON_RELEASE_REFRESH_H
#define KANON_RELEASE_REFRESH_H

#include "postgres.h"

#include "release/release_catalog.h"

/*
 * Call it before "relation" is refreshed.  If it is a release, checks that what its text reads
 * besides the source still counts as dimensions for its owner, and that it calls no functions but
 * PostgreSQL's and kanon's: a restored text may have found somebody's cast.  The text of a
 * full-domain release cannot check this itself.  Locks these relations.  Gives the refresh the
 * memory limit with which the release was made, until release_request_return_memory.  Errors:
 * those of dimension_source_check, and ERRCODE_INVALID_OBJECT_DEFINITION.
 */
extern void release_refreshing(Oid relation);

/* Call it before a REFRESH ..  WITH NO DATA. */
extern void release_emptying(Oid relation);

/*
 * Call it after "relation" was refreshed, within that statement and its snapshot.  If it is a
 * release, counts its classes and records them.  Reads as the release's owner, as the refresh did.
 * Cost: one scan of the release (class_query_tally_runs) and a count of the source's rows.  A
 * release that may not be dealt anew raises an error or, restored from a dump, is left without data
 * (release_seed_check_dealt).
 */
extern void release_refreshed(Oid relation);

typedef struct RefreshOptions
{
	bool search;       /* choose levels or a rule anew that were chosen once and for all */
	bool concurrently; /* keep it readable meanwhile: see matview/successor.h */
	bool strict;       /* raise an error if it misses too much */
} RefreshOptions;

/*
 * Refreshes a release, as its owner, for a caller who may refresh it; one by cohorts advances
 * first, as the owner of its relation.  Call it as the caller.  Raises a WARNING, or with "strict"
 * ERRCODE_CHECK_VIOLATION, if it is empty now or drops more rows than it may; with "strict" also
 * ERRCODE_INSUFFICIENT_PRIVILEGE if that is unknown.  What
 * only the owner may see is unknown to a caller without the owner's rights (MAINTAIN).  Other
 * errors: not a release (ERRCODE_WRONG_OBJECT_TYPE); those of rights_enter and of REFRESH
 * MATERIALIZED VIEW; concurrently, also those of successor_lock.  The memory limit is that of
 * release_request.h.
 */
extern ReleaseFilling release_refresh(Oid release, const RefreshOptions *options);

/*
 * Drops a release.  Call it as the release's owner (rights_enter).  Errors: as above, and those of
 * DROP MATERIALIZED VIEW.
 */
extern void release_drop(Oid release);

/*
 * Refreshes all releases that the current user may refresh and whose name or qualified name matches
 * the pattern, oldest first, because one may be made from another.  Each gets its own transaction;
 * a recoding with RecodingOps.advance refreshes all releases of a table at once.  A failure gives a
 * WARNING and a history entry and, at the end, an error with the number of failures and the
 * SQLSTATE of the first.  Skips releases dropped meanwhile.  Call within the bracket of
 * query_jobs.h.
 */
extern void release_refresh_all(const char *pattern, const RefreshOptions *options);

#endif /* KANON_RELEASE_REFRESH_H */
