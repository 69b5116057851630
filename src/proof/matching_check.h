/*
 * matching_check.h
 *		Is a release k-anonymous, and if not, who is singled out?  (Murakami, Uno
 *		2017, definition 1 and section 2.2.)
 *
 * Who knows all rows of the original and sees the release knows this much: each
 * released record stands for another row, one that it covers.  The release is
 * k-anonymous if there are k such assignments that have no pair in common.  With as
 * many records as rows these are k disjoint perfect matchings; where rows were
 * suppressed, each assigns a row to every record, and some rows to none.
 */
#ifndef KANON_MATCHING_CHECK_H
#define KANON_MATCHING_CHECK_H

#include "postgres.h"

#include "proof/anonymity_graph.h"

typedef enum MatchingReason
{
	MATCHING_SATISFIED,
	MATCHING_TOO_MANY,    /* more records than rows; nothing else was looked at */
	MATCHING_MISFIT,      /* "of" records, "record" among them, fit "links" rows only */
	MATCHING_FEW_RECORDS, /* the row can be behind "links" records only */
	MATCHING_FEW_ROWS,    /* the record can stand for "links" rows only, the row among them */
	MATCHING_TRUE_LINKS /* of "of" links at least "links" are true; one is that of row and record */
} MatchingReason;

typedef struct MatchingVerdict
{
	MatchingReason reason;
	int64 flow;
	int64 needed;
	int32 row;    /* the group of rows that can be singled out, or -1 */
	int32 record; /* the group of records, or -1 */
	int64 links;
	int64 of;
} MatchingVerdict;

/*
 * What it takes of the graph's budget stays in the current context.  Named is the one with the
 * fewest links that can be true at all; only where everyone has k of these, one of the links that
 * cannot all be false.  Of several the first by number: which flow was found does not matter.
 */
extern MatchingVerdict matching_check(const AnonymityGraph *graph, int32 k);

/* More records than rows: no graph is needed. */
extern MatchingVerdict matching_check_too_many(int64 records, int32 k);

#endif /* KANON_MATCHING_CHECK_H */
