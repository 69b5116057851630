/*
 * aside_audit.h
 *		How many people do several releases of one relation, put side by side, leave among fewer
 *		than k?
 */
#ifndef KANON_ASIDE_AUDIT_H
#define KANON_ASIDE_AUDIT_H

#include "postgres.h"

#include "proof/side_by_side.h"
#include "utils/array.h"

typedef struct AsideAudit
{
	Oid relation;
	ArrayType *releases; /* regclass[] without NULLs, at least one */
	int k;               /* 0: the least of theirs */
	const char *key;     /* or NULL */
} AsideAudit;

typedef struct AsideReport
{
	int k;
	SideBySideReport people;
	char **weakest; /* [people.weakest_count]: who they are; in their order */
} AsideReport;

/*
 * Releases are recoded anew over the rows of the relation as they are, copies are as they were
 * (release_members.h).  Read as the caller, in the snapshot of the calling statement.  In the
 * current context, against a budget over it; within a query scope.  Twice over the rows where
 * somebody has fewer than k.
 *
 * Errors: those of releases_aside; a key that two rows of a release share
 * (ERRCODE_INVALID_PARAMETER_VALUE); the memory limit.
 */
extern AsideReport aside_audit_run(const AsideAudit *audit);

#endif /* KANON_ASIDE_AUDIT_H */
