/*
 * matching_flow.c
 *		See matching_flow.h.
 *
 * First each record greedily takes what it can, those that cover few rows first.  Then Dinic's
 * rounds: levels are the distances to rows with room, over edges with room from record to row and
 * edges with flow from row to record.  Along paths on which the level falls by one, flow is pushed
 * from records with unused capacity until no such path is left.  The paths of each round are
 * longer than those of the last.  Levels are found backwards, from the rows, so that every step
 * down leads to one of them, and hardly any path is a dead end.
 *
 * In the end levels say on which side of the minimum cut each vertex is.
 */
#include "postgres.h"

#include "proof/matching_flow.h"

#include "base/progress.h"
#include "miscadmin.h"

#define PURPOSE "anonymity graph"

static void *
take(const AnonymityGraph *graph, int64 count, Size size)
{
	return budget_allocate(graph->budget, count, size, PURPOSE);
}

/* Indexes the edges by row. */
static void
index_rows(MatchingFlow *flow)
{
	const AnonymityGraph *graph = flow->graph;

	for (int64 edge = 0; edge < graph->edges; edge++)
	{
		interrupt_check(edge);
		flow->in_first[graph->row[edge] + 1]++;
	}
	for (int32 row = 0; row < graph->rows; row++)
	{
		flow->in_first[row + 1] += flow->in_first[row];
		flow->row_cursor[row] = flow->in_first[row];
	}
	for (int32 record = 0; record < graph->records; record++)
		for (int64 edge = graph->first[record]; edge < graph->first[record + 1]; edge++)
		{
			int64 at = flow->row_cursor[graph->row[edge]]++;

			interrupt_check(edge);
			flow->record[edge] = record;
			flow->in_record[at] = record;
			flow->in_edge[at] = (int32) edge;
		}
}

MatchingFlow *
matching_flow_create(const AnonymityGraph *graph)
{
	MatchingFlow *flow = palloc0(sizeof(MatchingFlow));

	flow->graph = graph;
	flow->flow = take(graph, graph->edges, sizeof(int64));
	flow->in_edge = take(graph, graph->edges, sizeof(int32));
	flow->in_record = take(graph, graph->edges, sizeof(int32));
	flow->record = take(graph, graph->edges, sizeof(int32));
	flow->record_left = take(graph, graph->records, sizeof(int64));
	flow->row_left = take(graph, graph->rows, sizeof(int64));
	flow->in_first = take(graph, (int64) graph->rows + 1, sizeof(int64));
	flow->record_level = take(graph, graph->records, sizeof(int32));
	flow->row_level = take(graph, graph->rows, sizeof(int32));
	flow->record_cursor = take(graph, graph->records, sizeof(int64));
	flow->row_cursor = take(graph, graph->rows, sizeof(int64));
	flow->path = take(graph, (int64) graph->records + graph->rows, sizeof(int32));
	index_rows(flow);
	return flow;
}

int64
matching_flow_needed(const MatchingFlow *flow)
{
	return flow->k * flow->graph->members;
}

static inline int64
room(const MatchingFlow *flow, int64 edge)
{
	return matching_flow_capacity(flow, flow->record[edge], flow->graph->row[edge]) -
		   flow->flow[edge];
}

static void
take_greedily(MatchingFlow *flow, int32 record)
{
	const AnonymityGraph *graph = flow->graph;

	for (int64 edge = graph->first[record];
		 edge < graph->first[record + 1] && flow->record_left[record] > 0; edge++)
	{
		int32 row = graph->row[edge];
		int64 amount = Min(Min(flow->record_left[record], flow->row_left[row]), room(flow, edge));

		interrupt_check(edge);
		flow->flow[edge] += amount;
		flow->record_left[record] -= amount;
		flow->row_left[row] -= amount;
		flow->total += amount;
	}
}

/* Goes through the records by the power of two of their number of edges. */
static void
begin_greedily(MatchingFlow *flow)
{
	const AnonymityGraph *graph = flow->graph;
	int64 least = 0;

	for (int64 most = 1; least <= graph->rows; least = most, most *= 2)
		for (int32 record = 0; record < graph->records; record++)
		{
			int64 edges = graph->first[record + 1] - graph->first[record];

			interrupt_check(record);
			if (edges >= least && edges < most)
				take_greedily(flow, record);
		}
}

/* Does an edge have room for more flow or, if none is to be added, flow to be taken back? */
static inline bool
is_open(const MatchingFlow *flow, int64 edge, bool adds)
{
	return adds ? room(flow, edge) > 0 : flow->flow[edge] > 0;
}

/* Adds the rows without a level that open edges lead to to the queue; returns its length. */
static inline int32
reach_rows(MatchingFlow *flow, int32 record, bool adds, int32 *queue, int32 length)
{
	const AnonymityGraph *graph = flow->graph;

	for (int64 edge = graph->first[record]; edge < graph->first[record + 1]; edge++)
	{
		int32 row = graph->row[edge];

		interrupt_check(edge);
		if (flow->row_level[row] >= 0 || !is_open(flow, edge, adds))
			continue;
		flow->row_level[row] = flow->record_level[record] + 1;
		queue[length++] = graph->records + row;
	}
	return length;
}

/* Adds the records that open edges lead to from a row likewise. */
static inline int32
reach_records(MatchingFlow *flow, int32 row, bool adds, int32 *queue, int32 length)
{
	for (int64 at = flow->in_first[row]; at < flow->in_first[row + 1]; at++)
	{
		int32 record = flow->in_record[at];

		interrupt_check(at);
		if (flow->record_level[record] >= 0 || !is_open(flow, flow->in_edge[at], adds))
			continue;
		flow->record_level[record] = flow->row_level[row] + 1;
		queue[length++] = record;
	}
	return length;
}

/* Levels of the source's side: distances from the records that have something left. */
static void
find_cut_side(MatchingFlow *flow)
{
	int32 records = flow->graph->records;
	int32 *queue = flow->path;
	int32 length = 0;

	memset(flow->row_level, 0xFF, sizeof(int32) * flow->graph->rows);
	for (int32 record = 0; record < records; record++)
	{
		flow->record_level[record] = flow->record_left[record] > 0 ? 0 : -1;
		if (flow->record_left[record] > 0)
			queue[length++] = record;
	}
	for (int32 at = 0; at < length; at++)
	{
		CHECK_FOR_INTERRUPTS();
		/* Rows that a record could send more to, and records that a row could send back to. */
		length = queue[at] < records
					 ? reach_rows(flow, queue[at], true, queue, length)
					 : reach_records(flow, queue[at] - records, false, queue, length);
	}
}

/*
 * The level of the nearest records with something left, or -1; beyond it there are no levels.
 * Backwards: from rows to records that could send them more, and on to rows that could send back
 * what they have of a record.
 */
static int32
find_levels(MatchingFlow *flow)
{
	int32 records = flow->graph->records;
	int32 *queue = flow->path;
	int32 length = 0;
	int32 nearest = -1;

	/* Level 1: the rows with room.  All others have none yet. */
	memset(flow->record_level, 0xFF, sizeof(int32) * records);
	for (int32 row = 0; row < flow->graph->rows; row++)
	{
		flow->row_level[row] = flow->row_left[row] > 0 ? 1 : -1;
		if (flow->row_left[row] > 0)
			queue[length++] = records + row;
	}

	for (int32 at = 0; at < length; at++)
	{
		int32 vertex = queue[at];

		CHECK_FOR_INTERRUPTS();
		if (vertex >= records)
		{
			if (nearest >= 0 && flow->row_level[vertex - records] >= nearest)
				break;
			length = reach_records(flow, vertex - records, true, queue, length);
		}
		else if (flow->record_left[vertex] > 0)
			nearest = flow->record_level[vertex];
		else if (nearest < 0)
			length = reach_rows(flow, vertex, false, queue, length);
	}
	return nearest;
}

/* The next edge on which the level falls from a record, or -1. */
static int64
step_to_row(MatchingFlow *flow, int32 record)
{
	for (; flow->record_cursor[record] < flow->graph->first[record + 1];
		 flow->record_cursor[record]++)
	{
		int64 edge = flow->record_cursor[record];

		interrupt_check(edge);
		if (flow->row_level[flow->graph->row[edge]] == flow->record_level[record] - 1 &&
			room(flow, edge) > 0)
			return edge;
	}
	return -1;
}

/* The next edge, to be gone backwards, on which the level falls from a row, or -1. */
static int64
step_to_record(MatchingFlow *flow, int32 row)
{
	for (; flow->row_cursor[row] < flow->in_first[row + 1]; flow->row_cursor[row]++)
	{
		int64 at = flow->row_cursor[row];

		interrupt_check(at);
		if (flow->record_level[flow->in_record[at]] == flow->row_level[row] - 1 &&
			flow->flow[flow->in_edge[at]] > 0)
			return flow->in_edge[at];
	}
	return -1;
}

/* Pushes as much as fits along the path, whose edges alternately lead to a row and back. */
static void
push_along(MatchingFlow *flow, int32 record, int32 row, int32 length)
{
	int64 amount = Min(flow->record_left[record], flow->row_left[row]);

	for (int32 i = 0; i < length; i++)
		amount = Min(amount, i % 2 == 0 ? room(flow, flow->path[i]) : flow->flow[flow->path[i]]);
	for (int32 i = 0; i < length; i++)
		flow->flow[flow->path[i]] += i % 2 == 0 ? amount : -amount;
	flow->record_left[record] -= amount;
	flow->row_left[row] -= amount;
	flow->total += amount;
}

/*
 * Pushes all that can leave a record on paths of this round.  Cursors move past dead ends for good.
 */
static void
drain(MatchingFlow *flow, int32 source)
{
	const AnonymityGraph *graph = flow->graph;
	int32 length = 0;

	while (flow->record_left[source] > 0)
	{
		bool at_record = length % 2 == 0;
		int32 record = length == 0 ? source : flow->record[flow->path[length - 1]];
		int32 row = at_record ? -1 : graph->row[flow->path[length - 1]];
		int64 edge;

		if (!at_record && flow->row_left[row] > 0)
		{
			push_along(flow, source, row, length);
			length = 0;
			continue;
		}
		edge = at_record ? step_to_row(flow, record) : step_to_record(flow, row);
		if (edge >= 0)
			flow->path[length++] = (int32) edge;
		else if (length == 0)
			return;
		else if (at_record)
		{
			length--;
			flow->row_cursor[graph->row[flow->path[length]]]++;
		}
		else
		{
			length--;
			flow->record_cursor[flow->record[flow->path[length]]]++;
		}
	}
}

void
matching_flow_run(MatchingFlow *flow, int32 k)
{
	const AnonymityGraph *graph = flow->graph;

	flow->k = k;
	flow->total = 0;
	memset(flow->flow, 0, sizeof(int64) * graph->edges);
	for (int32 record = 0; record < graph->records; record++)
		flow->record_left[record] = k * graph->record_size[record];
	for (int32 row = 0; row < graph->rows; row++)
		flow->row_left[row] = k * graph->row_size[row];
	progress_phase("matching rows", graph->records);
	begin_greedily(flow);
	/* One round for each length of the shortest paths. */
	while (find_levels(flow) >= 0)
	{
		memcpy(flow->record_cursor, graph->first, sizeof(int64) * graph->records);
		memcpy(flow->row_cursor, flow->in_first, sizeof(int64) * graph->rows);
		for (int32 record = 0; record < graph->records; record++)
		{
			progress_check(record);
			if (flow->record_level[record] >= 0)
				drain(flow, record);
		}
	}
	find_cut_side(flow);
}
