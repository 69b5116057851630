/*
 * matching_flow.h
 *		The largest number of disjoint matchings of released records with rows, as a maximum flow
 *		(Murakami, Uno 2017, section 2.2; Dinic 1970).
 *
 * The source has an edge of capacity k to each released record, each row one of capacity k to the
 * sink, and each record one of capacity 1 to each row that it covers.  For vertices that stand for
 * several, the capacities are multiplied: a flow in the small graph can be spread evenly over the
 * edges of the large one, and integral capacities have an integral maximum flow.
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
	int64 *record_left; /* [record]: unused capacity from the source */
	int64 *row_left;    /* [row]: unused capacity to the sink */
	int64 *in_first;    /* [row]: its first edge in in_edge; [rows]: the end */
	int32 *in_edge;
	int32 *in_record; /* [in_first]: of that edge */
	int32 *record;    /* [edge] */
	int32
		*record_level; /* [record], [row]: distance to the rows with room, -1: unreachable.  In a */
	int32 *row_level;  /* maximum flow -1: the sink's side of the least minimum cut. */
	int64 *record_cursor;
	int64 *row_cursor;
	int32 *path; /* edges */
} MatchingFlow;

/* A flow of zero; palloc'd in the current context against the graph's budget: 20 bytes an edge. */
extern MatchingFlow *matching_flow_create(const AnonymityGraph *graph);

/*
 * Computes a maximum flow for this k, from zero.  O(edges * sqrt(vertices)) if capacities are 1;
 * far less in practice.  Answers cancels.
 */
extern void matching_flow_run(MatchingFlow *flow, int32 k);

/* The flow that satisfies all records: k times the members. */
extern int64 matching_flow_needed(const MatchingFlow *flow);

static inline int64
matching_flow_capacity(const MatchingFlow *flow, int32 record, int32 row)
{
	return flow->graph->record_size[record] * flow->graph->row_size[row];
}

#endif /* KANON_MATCHING_FLOW_H */
