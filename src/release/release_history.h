/*
 * release_history.h
 *		The table kanon_release_history: an entry for each time that a release was filled.
 *
 * An entry is begun before the release is filled and ended after it, in one transaction, so that
 * an interruption leaves none.  Entries outlive their release.  Row security shows them to whoever
 * may read the release, and those of one that is gone to the roles of who owned it.
 *
 * All but release_history_is_shown within a query scope; "catalog" is kanon_release, beside which
 * the table lies.
 */
#ifndef KANON_RELEASE_HISTORY_H
#define KANON_RELEASE_HISTORY_H

#include "postgres.h"

#include "datatype/timestamp.h"
#include "release/release_catalog.h"

/* The column "how". */
#define FILLED_BY_CREATION "created"
#define FILLED_BY_KANON "refreshed"
#define FILLED_BY_REPLACEMENT "replaced"
#define FILLED_BY_ADOPTION "adopted" /* it was filled by whoever made it anew */
#define FILLED_BY_REFRESH "REFRESH"  /* a plain one; of a release just restored it is "restored" */

/* The table's OID, given the schema kanon lives in, or InvalidOid. */
extern Oid release_history_in(Oid schema);

/*
 * Begins an entry for a release that is in the catalog, by the present role, as begun at that
 * time; nothing if this transaction has begun one that has not ended: who comes first says
 * how.
 */
extern void release_history_begin(Oid catalog, Oid release, const char *how, TimestampTz start);

/* Is the one under way of a release that came from a dump? */
extern bool release_history_restores(Oid catalog, Oid release);

/*
 * Ends it: with the figures that the catalog has by now, and this digest of the contents, NULL
 * if nobody could read them.  Without an entry begun it does nothing.
 */
extern void release_history_end(Oid catalog, Oid release, const char *digest);

/* The last filling of a release. */
typedef struct ReleaseFilling
{
	Oid release;
	ReleaseFigures figures; /* but people and digest */
	bool changed_known;
	bool changed; /* other contents than when they were known last */
	double seconds;
} ReleaseFilling;

extern ReleaseFilling release_history_last(Oid catalog, Oid release);

/* An entry for a filling that failed; release: its qualified name, should it be gone by now. */
extern void release_history_fail(Oid catalog, Oid release, const char *name, const char *message);

/*
 * A release that was dropped and is adopted under the same name has its entries again: the last of
 * that name and its owner since one was created.
 */
extern void release_history_adopt(Oid catalog, Oid release, const char *name);

/* The entries of a release are those of another object from now on. */
extern void release_history_hand_over(Oid catalog, Oid release, Oid heir);

/* Within a sql_drop event trigger: entries of the releases just dropped belong to none. */
extern void release_history_follow_drop(Oid history);

/*
 * May the current user read an entry of a release, or of one that is gone (InvalidOid) and
 * belonged to "owner"?  "owns": has the privileges of its owner; else SELECT on it will do.
 */
extern bool release_history_is_shown(Oid release, const char *owner, bool owns);

#endif /* KANON_RELEASE_HISTORY_H */
