/*
 * release_members.h
 *		Which candidates each person has in a release, or in a copy kept of it.
 *
 * A copy is a table of two columns: the person, as a keyed digest of a key column, and the result
 * of kanon_view_candidates.  It holds no original values.  The key is a secret shared by all copies
 * of one relation's releases.  The table kanon_copy lists copies, with the secret, for their owners
 * alone.
 */
#ifndef KANON_RELEASE_MEMBERS_H
#define KANON_RELEASE_MEMBERS_H

#include "postgres.h"

#include "release/release_request.h"

/*
 * Keeps a copy of a release in a new table that belongs to the release's owner and is readable by
 * nobody else.  The column "key" identifies people.  Returns the table's OID.  Reads everything in
 * the snapshot of the calling statement.  Call within a query scope.
 *
 * Errors: not a release (ERRCODE_WRONG_OBJECT_TYPE); the caller lacks the privileges of its owner
 * (ERRCODE_INSUFFICIENT_PRIVILEGE); its contents are outdated
 * (ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE); no such column (ERRCODE_UNDEFINED_COLUMN), or it is
 * not unique in the released rows (ERRCODE_INVALID_PARAMETER_VALUE).
 */
extern Oid release_copy(Oid release, ReleaseName table, const char *key);

/* Releases of a relation, and copies of them, to be compared. */
typedef struct ReleasesAside
{
	int count;
	int k;              /* the least of theirs */
	const char *select; /* person (text), number of the release from 0, candidates; sorted by
						 * person */
	const char *secret; /* its parameter $1, a text; NULL: it has none */
} ReleasesAside;

/*
 * releases: a regclass[] without NULLs. key: the column that identifies people; NULL: that of the
 * copies or, without copies, each row is a person.  Within a query scope; in the current context.
 *
 * Errors: neither a release nor a copy (ERRCODE_WRONG_OBJECT_TYPE); of another relation, no key
 * although rows are not unique, copies with different keys (ERRCODE_INVALID_PARAMETER_VALUE); a
 * copy that belongs to somebody else (ERRCODE_INSUFFICIENT_PRIVILEGE).
 */
extern ReleasesAside releases_aside(Oid relation, ArrayType *releases, const char *key);

#endif /* KANON_RELEASE_MEMBERS_H */
