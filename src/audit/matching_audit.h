/*
 * matching_audit.h
 *		Could each released row be any of k rows of the original?
 */
#ifndef KANON_MATCHING_AUDIT_H
#define KANON_MATCHING_AUDIT_H

#include "postgres.h"

#include "proof/matching_check.h"
#include "utils/array.h"

typedef struct MatchingAudit
{
	Oid release;                  /* any table or view */
	int32 k;                      /* 0: from the catalog */
	Oid relation;                 /* the original; InvalidOid: from the catalog */
	ArrayType *quasi_identifiers; /* name[], or NULL: those of the release, otherwise the
								   * original's declared ones */
} MatchingAudit;

typedef struct MatchingReport
{
	MatchingVerdict verdict;
	int64 rows;         /* of the original */
	int64 released;     /* of the release */
	int columns;        /* quasi-identifiers */
	char **singled_out; /* [columns]: values of the row singled out, NULL for NULL; or NULL */
	char *detail;       /* explains the verdict, or NULL */
} MatchingReport;

/*
 * See cover_query.h for what cells cover, and matching_check.h for the verdict.  Reads everything
 * as the current user, once for the rows and once for each column.  In the current context, within
 * a query scope; bounded by kanon.memory_limit.  Errors: those of known_release_open and
 * cover_query_run.
 */
extern MatchingReport matching_audit_run(const MatchingAudit *request);

#endif /* KANON_MATCHING_AUDIT_H */
