/*
 * matching_flow.h
 *		The most disjoint matchings of released records with rows, as a maximum flow
 *		(Murakami, Uno 2017, section 2.2; Dinic 1970).
 *
 * From the source a capacity of k for each released record, to the sink k for each row,
 * and 1 for each record and row that it covers.  For vertices that stand for several the
 * capacities are multiplied: a flow in the small graph can be dealt evenly to the edges of the
 * large one, and whole capacities have a whole flow.
 */
#ifndef KANON_MATCHING_FLOW_H
#define KANON_MATCHING_FLOW_H

#include "postgres.h"

#include "proof/anonymity_graph.h"

typedef struct MatchingFlow
{
	const AnonymityGraph *graph;
	int32 k;
	int64 total;
	int64 *flow;        /* [edge] */
	int64 *record_left; /* [record]: what could come from the source still */
	int64 *row_left;    /* [row]: what could go to the sink still */
	int64 *in_first;    /* [row]: of its edges in in_edge; [rows]: behind the last */
	int32 *in_edge;
	int32 *record;       /* [edge] */
	int32 *record_level; /* [record], [row]: distance from the records that have something left, */
	int32 *row_level;    /* -1: no way leads there.  Of a maximum flow: the side of a least cut. */
	int64 *record_cursor;
	int64 *row_cursor;
	int32 *path; /* edges */
} MatchingFlow;

/* Nothing flows yet; palloc'd in the current context against the graph's budget: 16 bytes an edge.
 */
extern MatchingFlow *matching_flow_create(const AnonymityGraph *graph);

/*
 * Makes the flow a maximum one for this k, from nothing.  O(edges * square root of the vertices)
 * where capacities are 1, far less in practice; answers interrupts.
 */
extern void matching_flow_run(MatchingFlow *flow, int32 k);

/* What each record and row, the whole release, would need. */
extern int64 matching_flow_needed(const MatchingFlow *flow);

static inline int64
matching_flow_capacity(const MatchingFlow *flow, int32 record, int32 row)
{
	return flow->graph->record_size[record] * flow->graph->row_size[row];
}

#endif /* KANON_MATCHING_FLOW_H */
