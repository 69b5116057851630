/*
 * release_members.h
 *		Who is where in a release, and in a copy that was kept of it.
 *
 * A copy is a table of two columns: whose row it is, as a digest of a key column, keyed by a secret
 * that all copies of releases of one relation share, and what kanon_view_candidates says of it.  It
 * holds nobody's values.  The table kanon_copy lists copies, with that secret, for their owners
 * alone.
 */
#ifndef KANON_RELEASE_MEMBERS_H
#define KANON_RELEASE_MEMBERS_H

#include "postgres.h"

#include "nodes/pg_list.h"
#include "release/release_request.h"

/* Within a sql_drop event trigger: forgets the copies just dropped; the table may be gone. */
extern void release_copies_delete_dropped(Oid schema);

/*
 * Keeps a copy of a release in a new table, which belongs to the release's owner and is readable by
 * nobody else, of rows that the column "key" tells apart; returns its OID.  Everything is read in
 * the snapshot of the calling statement.  Within a query scope.
 *
 * Errors: not a release (ERRCODE_WRONG_OBJECT_TYPE); the caller has not the privileges of its owner
 * (ERRCODE_INSUFFICIENT_PRIVILEGE); it does not hold what its relation says now
 * (ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE); no such column (ERRCODE_UNDEFINED_COLUMN), or one
 * that is no key of the rows released (ERRCODE_INVALID_PARAMETER_VALUE).
 */
extern Oid release_copy(Oid release, ReleaseName table, const char *key);

/* Releases of a relation, and copies of such, to be put side by side. */
typedef struct ReleasesAside
{
	int count;
	int k;              /* the least of theirs */
	const char *select; /* person, a text, the release's number from 0, candidates: by person */
} ReleasesAside;

/*
 * releases: a regclass[] without NULLs.  key: the column that tells people apart, or NULL: that of
 * the copies, else each row is one.  Within a query scope, current context.
 *
 * Errors: not a release nor a copy (ERRCODE_WRONG_OBJECT_TYPE); not of this relation, no key where
 * rows cannot be told apart, copies by different keys (ERRCODE_INVALID_PARAMETER_VALUE); a copy of
 * somebody else's (ERRCODE_INSUFFICIENT_PRIVILEGE).
 */
extern ReleasesAside releases_aside(Oid relation, ArrayType *releases, const char *key);

#endif /* KANON_RELEASE_MEMBERS_H */
