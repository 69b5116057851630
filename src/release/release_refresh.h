/*
 * release_refresh.h
 *		What goes before a REFRESH MATERIALIZED VIEW and follows it, and kanon's own refresh.
 *
 * The guard in a release's text keeps k under any refresh; here its dimensions are looked at
 * before, and the figures in kanon_release are kept true afterwards.  All within a query scope.
 */
#ifndef KANON_RELEASE_REFRESH_H
#define KANON_RELEASE_REFRESH_H

#include "postgres.h"

#include "release/release_history.h"

/*
 * Called before "relation" is refreshed: if it is a release, what its text reads besides
 * the source must still count as dimensions for its owner, as it did when the release was
 * made, and it must call nobody's functions but PostgreSQL's and kanon's: one that was
 * restored may have found a cast of others.  The text of a full-domain release cannot ask for
 * itself.  Locks these relations.  The refresh has the memory that the release was made with, until
 * release_parameters_return_memory.  Errors: those of dimension_source_check, and
 * ERRCODE_INVALID_OBJECT_DEFINITION.
 */
extern void release_refreshing(Oid catalog, Oid relation);

/* Called before it is refreshed WITH NO DATA. */
extern void release_emptying(Oid catalog, Oid relation);

/*
 * Called after "relation" was refreshed, within the refreshing statement and
 * its snapshot: counts the classes, if it is a release, and records them.
 * Reads as the release's owner, as the refresh did.  Cost: one GROUP BY of
 * the release and a count of the source's rows.  What may not be dealt anew is an
 * error, or left without data where it came from a dump (release_dealt_check).
 */
extern void release_refreshed(Oid catalog, Oid relation);

typedef struct RefreshOptions
{
	bool search;       /* levels that were chosen once and for all are chosen anew */
	bool concurrently; /* it can be read meanwhile: see matview/successor.h */
	bool strict;       /* what it lacks too much is an error */
} RefreshOptions;

/*
 * Refreshes a release; a WARNING if it is empty now, or drops more rows than
 * it was made for, and with "strict" an error (ERRCODE_CHECK_VIOLATION), also where that cannot be
 * told (ERRCODE_INSUFFICIENT_PRIVILEGE).  Other errors: not a release (ERRCODE_WRONG_OBJECT_TYPE),
 * and those of REFRESH MATERIALIZED VIEW; concurrently those of patient_lock, too.  The memory
 * limit is that of release_parameters.h.
 */
extern ReleaseFilling release_refresh(Oid release, const RefreshOptions *options);

/*
 * Locks a release against all but readers, for who may refresh it, or for its owner alone
 * (ERRCODE_INSUFFICIENT_PRIVILEGE); its row of the catalog, and its name, qualified and quoted.
 */
extern ReleaseEntry *release_refresh_lock(Oid catalog, Oid release, bool as_owner,
										  const char **name);

/* Drops a release.  Errors: as above, and those of DROP MATERIALIZED VIEW. */
extern void release_drop(Oid release);

#endif /* KANON_RELEASE_REFRESH_H */
