/*
 * release_refresh.h
 *		What follows a REFRESH MATERIALIZED VIEW, and kanon's own refresh.
 *
 * The guard in a release's text keeps it safe under any refresh; here only
 * the figures in kanon_release are kept true.  All within a query scope.
 */
#ifndef KANON_RELEASE_REFRESH_H
#define KANON_RELEASE_REFRESH_H

#include "postgres.h"

/*
 * Called after "relation" was refreshed, within the refreshing statement and
 * its snapshot: counts the classes, if it is a release, and records them.
 * Reads as the release's owner, as the refresh did.  Cost: one GROUP BY of
 * the release and a count of the source's rows.
 */
extern void release_refreshed(Oid catalog, Oid relation);

/*
 * Refreshes a release; a WARNING if it is empty now, or drops more rows than
 * it was made for.  Errors: not a release (ERRCODE_WRONG_OBJECT_TYPE), and
 * those of REFRESH MATERIALIZED VIEW.
 */
extern void release_refresh(Oid release);

/* Drops a release.  Errors: as above, and those of DROP MATERIALIZED VIEW. */
extern void release_drop(Oid release);

#endif /* KANON_RELEASE_REFRESH_H */
