/*
 * matching_check.c
 *		See matching_check.h.
 *
 * If the flow falls short for k, a maximum flow for 1 is one assignment.  A link can be true if it
 * is part of some assignment: if it has flow, or could have some without reducing the total.  That
 * is the case if record and row lie on a common cycle of the residual graph, in one strongly
 * connected component (Regin 1994).  A record or row with fewer than k links that can be true
 * cannot have a different one in each of k disjoint assignments.
 *
 * Example: rows a, b, c, and records that cover a and b, a and b, and all three.  Each has at least
 * two links, but the third record must take c, because a and b are taken.  Only one of c's links
 * can be true: c is singled out.
 *
 * If all have at least k, look at a minimum cut: records X and rows Y on the source's side, and the
 * links from X to rows outside Y, e of them.  At least |X| - |Y| of the e links are true, and e is
 * less than k times that.  So some link is more likely than 1 in k.
 */
#include "postgres.h"

#include "proof/matching_check.h"

#include "base/interrupt.h"

#include "proof/matching_flow.h"

#define PURPOSE "anonymity graph"
#define NOT_SEEN (-1)

/*
 * Strongly connected components of the residual graph (Tarjan 1972).  Vertices: the records, then
 * the rows, then the sink.
 */
typedef struct Components
{
	const MatchingFlow *flow;
	int32 sink;
	int32 *number;    /* [vertex]: in search order */
	int32 *low;       /* [vertex]: the least number known to lie on a common cycle */
	int32 *component; /* [vertex] */
	int64 *cursor;    /* [vertex]: how many edges out were tried */
	int32 *open;      /* stack of vertices without a component */
	int32 *walk;      /* the current path */
	int32 opened;
	int32 walked;
	int32 seen;
	int32 components;
} Components;

static int32 *
take_numbers(const AnonymityGraph *graph, int64 count)
{
	return memset(budget_allocate(graph->budget, count, sizeof(int32), PURPOSE), 0xFF,
				  sizeof(int32) * count);
}

static void
enter(Components *search, int32 vertex)
{
	search->number[vertex] = search->low[vertex] = search->seen++;
	search->open[search->opened++] = vertex;
	search->walk[search->walked++] = vertex;
}

/*
 * The head of residual edge number "at" out of a vertex; -1 if it has no capacity, -2 if there are
 * no more.
 */
static int32
way_out(const Components *search, int32 vertex, int64 at)
{
	const MatchingFlow *flow = search->flow;
	const AnonymityGraph *graph = flow->graph;
	int32 row = vertex - graph->records;
	int64 edge;

	if (vertex == search->sink)
	{
		if (at == graph->rows)
			return -2;
		return flow->row_left[at] < flow->k * graph->row_size[at] ? graph->records + (int32) at
																  : -1;
	}
	if (vertex < graph->records)
	{
		edge = graph->first[vertex] + at;
		if (edge == graph->first[vertex + 1])
			return -2;
		return flow->flow[edge] < matching_flow_capacity(flow, vertex, graph->row[edge])
				   ? graph->records + graph->row[edge]
				   : -1;
	}
	if (at == flow->in_first[row + 1] - flow->in_first[row])
		return flow->row_left[row] > 0 ? search->sink : -1;
	if (at > flow->in_first[row + 1] - flow->in_first[row])
		return -2;
	edge = flow->in_edge[flow->in_first[row] + at];
	return flow->flow[edge] > 0 ? flow->record[edge] : -1;
}

/* Leaves the last vertex of the path: all its edges were tried. */
static void
leave(Components *search)
{
	int32 vertex = search->walk[--search->walked];

	if (search->low[vertex] == search->number[vertex])
	{
		int32 member;

		do
		{
			member = search->open[--search->opened];
			search->component[member] = search->components;
		} while (member != vertex);
		search->components++;
	}
	if (search->walked > 0)
	{
		int32 before = search->walk[search->walked - 1];

		search->low[before] = Min(search->low[before], search->low[vertex]);
	}
}

/* The component of each vertex, [vertex], palloc'd. */
static const int32 *
find_components(const MatchingFlow *flow)
{
	const AnonymityGraph *graph = flow->graph;
	int64 vertices = (int64) graph->records + graph->rows + 1;
	Components search = {.flow = flow, .sink = graph->records + graph->rows};

	search.number = take_numbers(graph, vertices);
	search.low = take_numbers(graph, vertices);
	search.component = take_numbers(graph, vertices);
	search.open = take_numbers(graph, vertices);
	search.walk = take_numbers(graph, vertices);
	search.cursor = budget_allocate(graph->budget, vertices, sizeof(int64), PURPOSE);
	for (int32 start = 0; start < search.sink; start++)
	{
		if (search.number[start] != NOT_SEEN)
			continue;
		enter(&search, start);
		/* Depth-first search; each round goes one step forward or back. */
		for (int64 round = 0; search.walked > 0; round++)
		{
			int32 vertex = search.walk[search.walked - 1];
			int32 next = way_out(&search, vertex, search.cursor[vertex]++);

			interrupt_check(round);
			if (next == -2)
				leave(&search);
			else if (next >= 0 && search.number[next] == NOT_SEEN)
				enter(&search, next);
			else if (next >= 0 && search.component[next] == NOT_SEEN)
				search.low[vertex] = Min(search.low[vertex], search.number[next]);
		}
	}
	return search.component;
}

/* Can the record stand for the row?  The flow is a maximum one for 1. */
static inline bool
can_be_true(const MatchingFlow *flow, const int32 *component, int32 record, int64 edge)
{
	return flow->flow[edge] > 0 ||
		   component[record] == component[flow->graph->records + flow->graph->row[edge]];
}

/* Counts the links of each record and row that can be true. */
static void
count_links(const MatchingFlow *flow, const int32 *component, int64 *of_record, int64 *of_row)
{
	const AnonymityGraph *graph = flow->graph;

	memset(of_record, 0, sizeof(int64) * graph->records);
	memset(of_row, 0, sizeof(int64) * graph->rows);
	for (int32 record = 0; record < graph->records; record++)
		for (int64 edge = graph->first[record]; edge < graph->first[record + 1]; edge++)
		{
			int32 row = graph->row[edge];

			interrupt_check(edge);
			if (!can_be_true(flow, component, record, edge))
				continue;
			of_record[record] += graph->row_size[row];
			of_row[row] += graph->record_size[record];
		}
}

/*
 * row_of: the first row that the record can stand for; record_of: the first record that can stand
 * for the row.
 */
static int32
row_of(const MatchingFlow *flow, const int32 *component, int32 record)
{
	const AnonymityGraph *graph = flow->graph;
	int32 first = graph->rows;

	for (int64 edge = graph->first[record]; edge < graph->first[record + 1]; edge++)
		if (graph->row[edge] < first && can_be_true(flow, component, record, edge))
			first = graph->row[edge];
	return first < graph->rows ? first : -1;
}

static int32
record_of(const MatchingFlow *flow, const int32 *component, int32 row)
{
	int32 first = flow->graph->records;

	for (int64 at = flow->in_first[row]; at < flow->in_first[row + 1]; at++)
	{
		int32 record = flow->record[flow->in_edge[at]];

		if (record < first && can_be_true(flow, component, record, flow->in_edge[at]))
			first = record;
	}
	return first < flow->graph->records ? first : -1;
}

/*
 * Finds the row or record with the fewest links that can be true, if there are fewer than k.  If
 * rows were suppressed, a row may have fewer.
 */
static bool
find_few_links(const MatchingFlow *flow, int32 k, bool suppressed, MatchingVerdict *verdict)
{
	const AnonymityGraph *graph = flow->graph;
	int64 *of_record = flow->record_cursor; /* the flow no longer needs these */
	int64 *of_row = flow->row_cursor;
	const int32 *component = find_components(flow);
	int64 least = k;

	count_links(flow, component, of_record, of_row);
	for (int32 row = 0; row < graph->rows && !suppressed; row++)
		if (of_row[row] < least)
		{
			least = of_row[row];
			verdict->reason = MATCHING_FEW_RECORDS;
			verdict->row = row;
			verdict->record = record_of(flow, component, row);
		}
	for (int32 record = 0; record < graph->records; record++)
		if (of_record[record] < least)
		{
			least = of_record[record];
			verdict->reason = MATCHING_FEW_ROWS;
			verdict->record = record;
			verdict->row = row_of(flow, component, record);
		}
	verdict->links = least;
	return least < k;
}

/*
 * The minimum cut: members on the source's side, and the links that it cuts.  All maximum flows
 * give the same reachable side.
 */
typedef struct Cut
{
	int64 records;
	int64 rows;
	int64 links;
	int32 record; /* the first record of X with a link outside Y, or the first of X, */
	int32 row;    /* and the row of that link, or -1 */
} Cut;

static Cut
find_cut(const MatchingFlow *flow)
{
	const AnonymityGraph *graph = flow->graph;
	Cut cut = {.record = -1, .row = -1};

	for (int32 record = 0; record < graph->records; record++)
	{
		if (flow->record_level[record] < 0)
			continue;
		cut.records += graph->record_size[record];
		cut.record = cut.record < 0 ? record : cut.record;
		/* The links to rows on the other side are cut. */
		for (int64 edge = graph->first[record]; edge < graph->first[record + 1]; edge++)
		{
			int32 row = graph->row[edge];

			interrupt_check(edge);
			if (flow->row_level[row] >= 0)
				continue;
			cut.links += matching_flow_capacity(flow, record, row);
			if (cut.row < 0 || (cut.record == record && row < cut.row))
			{
				cut.record = record;
				cut.row = row;
			}
		}
	}
	for (int32 row = 0; row < graph->rows; row++)
		if (flow->row_level[row] >= 0)
			cut.rows += graph->row_size[row];
	return cut;
}

MatchingVerdict
matching_check(const AnonymityGraph *graph, int32 k)
{
	MatchingFlow *flow = matching_flow_create(graph);
	MatchingVerdict verdict = {.reason = MATCHING_SATISFIED, .row = -1, .record = -1};
	int64 rows = 0;
	Cut cut;

	matching_flow_run(flow, k);
	verdict.flow = flow->total;
	verdict.needed = matching_flow_needed(flow);
	if (verdict.flow == verdict.needed)
		return verdict;
	cut = find_cut(flow);
	for (int32 row = 0; row < graph->rows; row++)
		rows += graph->row_size[row];
	matching_flow_run(flow, 1);
	if (flow->total < matching_flow_needed(flow))
	{
		/* These rows cannot be the source of the release. */
		cut = find_cut(flow);
		verdict.reason = MATCHING_MISFIT;
		verdict.record = cut.record;
		verdict.of = cut.records;
		verdict.links = cut.rows + cut.links;
	}
	else if (!find_few_links(flow, k, rows > graph->members, &verdict))
	{
		/* Everyone has k links that can be true, but the links of the cut cannot all be false. */
		verdict.reason = MATCHING_TRUE_LINKS;
		verdict.record = cut.record;
		verdict.row = cut.row;
		verdict.links = cut.records - cut.rows;
		verdict.of = cut.links;
	}
	return verdict;
}

MatchingVerdict
matching_check_too_many(int64 records, int32 k)
{
	return (MatchingVerdict){
		.reason = MATCHING_TOO_MANY, .needed = k * records, .row = -1, .record = -1};
}
