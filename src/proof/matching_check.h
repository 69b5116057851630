/*
 * matching_check.h
 *		Is a release k-anonymous, and if not, who is singled out?  (Murakami, Uno 2017, definition 1
 *		and section 2.2)
 *
 * A reader who knows all original rows and sees the release knows this: each released record stands
 * for a different row, one that it covers.  The release is k-anonymous if k such assignments exist
 * that have no pair in common.  With as many records as rows, these are k disjoint perfect
 * matchings.  If rows were suppressed, each assignment gives every record a row and leaves some
 * rows without a record.
 */
#ifndef KANON_MATCHING_CHECK_H
#define KANON_MATCHING_CHECK_H

#include "postgres.h"

#include "proof/anonymity_graph.h"

typedef enum MatchingReason
{
	MATCHING_SATISFIED,
	MATCHING_TOO_MANY,    /* more records than rows; nothing else was checked */
	MATCHING_MISFIT,      /* "of" records, with "record" among them, fit only "links" rows */
	MATCHING_FEW_RECORDS, /* the row can be behind only "links" records */
	MATCHING_FEW_ROWS,    /* the record can stand for only "links" rows, with "row" among them */
	MATCHING_TRUE_LINKS   /* of "of" links at least "links" are true; one of them is that of row
						   * and record */
} MatchingReason;

typedef struct MatchingVerdict
{
	MatchingReason reason;
	int64 flow;
	int64 needed;
	int32 row;    /* the group of rows that is singled out, or -1 */
	int32 record; /* the group of records, or -1 */
	int64 links;
	int64 of;
} MatchingVerdict;

/*
 * Checks the release.  Allocates in the current context against the graph's budget.  Cost:
 * that of a maximum flow.  The verdict names the row or record with the fewest links
 * that can be true.  If all have at least k, it names one of the links that cannot all be false.
 * Ties go to the lowest number, so the verdict does not depend on which flow was found.
 */
extern MatchingVerdict matching_check(const AnonymityGraph *graph, int32 k);

/* The verdict for more records than rows, which needs no graph. */
extern MatchingVerdict matching_check_too_many(int64 records, int32 k);

#endif /* KANON_MATCHING_CHECK_H */
