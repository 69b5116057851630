/*
 * matching_audit.h
 *		Could each released row be any of k rows of the relation that it was made from
 *		(kanon_check_matchings)?
 */
#ifndef KANON_MATCHING_AUDIT_H
#define KANON_MATCHING_AUDIT_H

#include "postgres.h"

#include "audit/known_release.h"
#include "count/group_query.h"
#include "proof/anonymity_graph.h"

typedef struct MatchingReport
{
	MatchingVerdict verdict;
	int64 rows;        /* of the original */
	int64 released;    /* of the release */
	List *singled_out; /* values of the row singled out, NULL for NULL (C strings); NIL: none is */
	char *detail;      /* explains the verdict, or NULL */
} MatchingReport;

/*
 * k: 0 for that of the catalog. rows: those of the original, grouped by the quasi-identifiers;
 * NULL: they are read here.
 *
 * See column_cover (cell/cell_reader.h) for what cells cover, and anonymity_graph.h for the
 * verdict.  Reads everything as the current user, once for the rows and once for each column.  In
 * the current context, within a query scope; bounded by kanon.memory_limit.  Errors: those of
 * known_release_k and column_cover.
 */
extern MatchingReport matching_audit_run(const KnownRelease *known, int k, const GroupRows *rows);

#endif /* KANON_MATCHING_AUDIT_H */
