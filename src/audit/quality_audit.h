/*
 * quality_audit.h
 *		How much a release says still of what its source says.
 */
#ifndef KANON_QUALITY_AUDIT_H
#define KANON_QUALITY_AUDIT_H

#include "postgres.h"

#include "cell/quality_query.h"

typedef struct QualityAudit
{
	Oid release;                  /* any table or view */
	Oid relation;                 /* what it was made from; InvalidOid: as the catalog has it */
	ArrayType *quasi_identifiers; /* name[], or NULL: those the release was made with, else those
								   * declared of the source that are columns of the release */
	List *predicates;             /* of Predicate, parsed */
} QualityAudit;

typedef struct QualityReport
{
	QualityTally tally;
	int k;                  /* the release was made with, 0 if kanon did not make it */
	QualityAnswer *answers; /* one for each predicate, in order; current context */
} QualityReport;

/*
 * Quasi-identifiers go by the source's names.  Everything is read as the caller.  Within a query
 * scope.  Errors: those of known_release_open, predicate_bind and quality_query_run.
 */
extern QualityReport quality_audit_run(const QualityAudit *audit);

#endif /* KANON_QUALITY_AUDIT_H */
