/*
 * anonymity_graph.h
 *		Which rows could be behind which released records: each cell of a record covers the row's
 *		value (Murakami, Uno 2017, section 2).
 *
 * Equal rows are one vertex, and so are equal records.  A vertex has the number of rows or records
 * that it stands for.
 */
#ifndef KANON_ANONYMITY_GRAPH_H
#define KANON_ANONYMITY_GRAPH_H

#include "postgres.h"

#include "base/budget.h"
#include "data/dataset.h"

/*
 * Which values of one attribute the cells of a released column cover.  Values and cells have the
 * codes of a dataset.  A cell that covers all values also covers NULL and anything after the last
 * code; so does the cell that is NULL.
 */
#define CELL_COVER_ALL PG_INT32_MAX

typedef struct CodeSpan
{
	int32 from;
	int32 to; /* the code after the last one */
} CodeSpan;

typedef struct CellCover
{
	int32 cells;    /* without NULL */
	int32 *first;   /* [cell, from DATASET_NULL on]: its first span; [cells]: the end */
	CodeSpan *span; /* spans of a cell ascend, do not touch and are not empty */
} CellCover;

typedef enum CoverPart
{
	COVER_NONE,
	COVER_SOME,
	COVER_EACH
} CoverPart;

#define CODE_SPAN_ALL ((CodeSpan){.from = DATASET_NULL, .to = CELL_COVER_ALL})

static inline bool
cell_cover_is_all(const CellCover *cover, int32 cell)
{
	int32 first = cover->first[cell];

	return cover->first[cell + 1] == first + 1 && cover->span[first].from == DATASET_NULL &&
		   cover->span[first].to == CELL_COVER_ALL;
}

/* Does a cell cover none, some or each of the codes from least to greatest?  O(log spans). */
static inline CoverPart
cell_cover_part(const CellCover *cover, int32 cell, int32 least, int32 greatest)
{
	int32 low = cover->first[cell];
	int32 high = cover->first[cell + 1];
	int32 end = high;

	/* Finds the first span that does not end before the least code. */
	while (low < high)
	{
		int32 middle = low + (high - low) / 2;

		if (cover->span[middle].to <= least)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == end || cover->span[low].from > greatest)
		return COVER_NONE;
	return cover->span[low].from <= least && cover->span[low].to > greatest ? COVER_EACH
																			: COVER_SOME;
}

/* An edge is a link of its record, with the same number, and a link of its row. */
typedef struct AnonymityGraph
{
	int32 records;
	int32 vertices; /* the records, then the rows */
	int64 members;  /* records that they stand for */
	int64 rows;     /* rows that they stand for */
	int64 *size;    /* [vertex]: rows or records that it stands for */
	int64 edges;
	int64 *first; /* [vertex]: its first link; [vertices]: the end */
	int32 *end;   /* [link]: the vertex that it leads to; those of a row ascend */
	int32 *edge;  /* [link of a row - edges] */
	int64 capacity;
	Budget *budget;
} AnonymityGraph;

static inline int64
anonymity_graph_edge(const AnonymityGraph *graph, int64 link)
{
	return link < graph->edges ? link : graph->edge[link - graph->edges];
}

/*
 * The graph of groups of rows and groups of records, whose codes are those of cells. cover:
 * [attribute].  Palloc'd in the current context, against the budget, which must hold all edges, 12
 * bytes each.  Cost: that of finding each record's rows, O(rows found + rows^(h/a)) with h of a
 * attributes hidden. Raises ERRCODE_PROGRAM_LIMIT_EXCEEDED for more than PG_INT32_MAX edges.
 */
extern AnonymityGraph *anonymity_graph_create(const Dataset *rows, const Dataset *records,
											  const CellCover *const *cover, Budget *budget);

/*
 * ---- Is a release k-anonymous, and if not, who is singled out?  (Murakami, Uno 2017, definition 1
 * and section 2.2)
 *
 * A reader who knows all original rows and sees the release knows this: each released record stands
 * for a different row, one that it covers.  The release is k-anonymous if k such assignments exist
 * that have no pair in common.  With as many records as rows, these are k disjoint perfect
 * matchings.  If rows were suppressed, each assignment gives every record a row and leaves some
 * rows without a record.
 */

typedef enum MatchingReason
{
	MATCHING_SATISFIED,
	MATCHING_TOO_MANY,    /* more records than rows, for callers, who need no graph then */
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

#endif /* KANON_ANONYMITY_GRAPH_H */
