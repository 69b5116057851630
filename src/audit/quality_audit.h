/*
 * quality_audit.h
 *		How much of the information in its source a release keeps, and how well it answers count
 *		queries (kanon_quality, kanon_query_errors).
 */
#ifndef KANON_QUALITY_AUDIT_H
#define KANON_QUALITY_AUDIT_H

#include "postgres.h"

#include "cell/quality_query.h"

typedef struct QualityAudit
{
	Oid release;                  /* any table or view */
	Oid relation;                 /* its source; InvalidOid: from the catalog */
	ArrayType *quasi_identifiers; /* name[], or NULL: those of the release, otherwise the
								   * source's declared ones that are columns of the release */
	List *predicates;             /* of Predicate, parsed */
} QualityAudit;

typedef struct QualityReport
{
	QualityTally tally;
	int k;                  /* of the release; 0 if kanon did not make it */
	QualityAnswer *answers; /* one for each predicate, in order; current context */
} QualityReport;

/*
 * Quasi-identifiers have the source's names.  Reads everything as the current user.  Within a query
 * scope.  Errors: those of known_release_open, predicate_bind and quality_query_run.
 */
extern QualityReport quality_audit_run(const QualityAudit *audit);

#endif /* KANON_QUALITY_AUDIT_H */
