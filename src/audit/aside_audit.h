/*
 * aside_audit.h
 *		Releases of one relation side by side (kanon_check_releases): for how many people does a
 *		reader of all of them find fewer than k candidates, records that may be theirs
 *		(proof/side_by_side.h)?
 */
#ifndef KANON_ASIDE_AUDIT_H
#define KANON_ASIDE_AUDIT_H

#include "postgres.h"

#include "proof/side_by_side.h"
#include "utils/array.h"

typedef struct AsideReport
{
	int k;
	SideBySideReport people;
	List *weakest; /* people.weakest_count C strings: the keys of people with the fewest
					* candidates, if some have fewer than k */
} AsideReport;

/*
 * Recodes releases over the relation's current rows; copies are as they were kept
 * (release_members.h).  Reads as the current user, in the snapshot of the calling statement.  In
 * the current context, against a budget over it; within a query scope.  Reads the rows twice if
 * somebody has fewer than k.
 *
 * releases: regclass[] without NULLs, at least one; releases or kept copies.  k: 0 for the least k
 * of the releases.  key: the column that identifies people; NULL: see releases_aside.
 *
 * Errors: those of releases_aside; a key shared by two rows of a release
 * (ERRCODE_INVALID_PARAMETER_VALUE); the memory limit.
 */
extern AsideReport aside_audit_run(Oid relation, ArrayType *releases, int k, const char *key);

/*
 * Raises a NOTICE if the relation of a new release has others: how many of its rows a reader of all
 * releases finds among fewer than k.  The figure is counted as the release's owner, whose
 * privileges the caller has, in a subtransaction.  It is omitted if that fails, if a recoding has
 * no classes, or if more than 20,000 rows would have to be recoded.  Call within a query scope.
 */
extern void aside_audit_notice(Oid release);

#endif /* KANON_ASIDE_AUDIT_H */
