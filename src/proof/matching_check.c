/*
 * matching_check.c
 *		Is a release k-anonymous?  See anonymity_graph.h.
 *
 * The disjoint assignments are a maximum flow (Murakami, Uno 2017, section 2.2; Dinic 1970).  The
 * source has an edge of capacity k to each released record, each row one of capacity k to the sink,
 * and each record one of capacity 1 to each row that it covers.  For vertices that stand for
 * several, the capacities are multiplied: a flow in the small graph can be spread evenly over the
 * edges of the large one, and integral capacities have an integral maximum flow.
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

#include "proof/anonymity_graph.h"

#include "base/interrupt.h"
#include "base/progress.h"

#define PURPOSE "anonymity graph"
#define NOT_SEEN (-1)

static int32 *
take_numbers(const AnonymityGraph *graph, int64 count)
{
	return memset(budget_allocate(graph->budget, count, sizeof(int32), PURPOSE), 0xFF,
				  sizeof(int32) * count);
}

/* ----------------------------------------------------------------
 * A maximum flow
 *
 * First each record greedily takes what it can.  Then Dinic's rounds: levels are the distances from
 * records with unused capacity, over edges with room from record to row and edges with flow from
 * row to record.  Along paths on which the level falls by one, flow is pushed to rows with room
 * until no such path is left.  The paths of each round are longer than those of the last.  Paths
 * are found backwards, from the rows, so that every step down leads to one of the records, and
 * hardly any path is a dead end.
 *
 * In the end levels say on which side of the minimum cut each vertex is.
 * ----------------------------------------------------------------
 */

typedef struct MatchingFlow
{
	const AnonymityGraph *graph;
	int32 k;
	int64 total;
	int64 *flow; /* [edge] */
	int64 *left; /* [vertex]: unused capacity from the source or to the sink */
	int32
		*level;    /* [vertex]: distance from the records with something left, from 1 on; -1:
					* unreachable.  In a maximum flow -1: the sink's side of the least minimum cut. */
	int64 *cursor; /* [vertex]: the link by which its path goes on */
	int32 *path;   /* vertices; or the queue of a search for levels */
} MatchingFlow;

/* A flow of zero, in the current context against the graph's budget: 8 bytes an edge. */
static MatchingFlow *
flow_create(const AnonymityGraph *graph)
{
	MatchingFlow *flow = palloc0(sizeof(MatchingFlow));

	flow->graph = graph;
	flow->flow = budget_allocate(graph->budget, graph->edges, sizeof(int64), PURPOSE);
	flow->left = budget_allocate(graph->budget, graph->vertices, sizeof(int64), PURPOSE);
	flow->level = take_numbers(graph, graph->vertices);
	flow->cursor = budget_allocate(graph->budget, graph->vertices, sizeof(int64), PURPOSE);
	flow->path = take_numbers(graph, graph->vertices);
	return flow;
}

/* The flow that satisfies all records. */
static int64
flow_needed(const MatchingFlow *flow)
{
	return flow->k * flow->graph->members;
}

static inline int64
capacity(const AnonymityGraph *graph, int32 vertex, int64 link)
{
	return graph->size[vertex] * graph->size[graph->end[link]];
}

/*
 * How much more can flow along a link of the vertex or, backwards, towards the vertex: a record can
 * send its row more, and a row can send back what it has.
 */
static inline int64
room(const MatchingFlow *flow, int32 vertex, int64 link, bool backwards)
{
	int64 here = flow->flow[anonymity_graph_edge(flow->graph, link)];

	return (vertex < flow->graph->records) == backwards
			   ? here
			   : capacity(flow->graph, vertex, link) - here;
}

static void
take_greedily(MatchingFlow *flow, int32 record)
{
	const AnonymityGraph *graph = flow->graph;

	for (int64 edge = graph->first[record];
		 edge < graph->first[record + 1] && flow->left[record] > 0; edge++)
	{
		int64 *left = &flow->left[graph->end[edge]];
		int64 amount = Min(Min(flow->left[record], *left), room(flow, record, edge, false));

		interrupt_check(edge);
		flow->flow[edge] += amount;
		flow->left[record] -= amount;
		*left -= amount;
		flow->total += amount;
	}
}

/*
 * Can rows with room be reached from the records with something left?  Levels go up to the nearest
 * ones.
 */
static bool
find_levels(MatchingFlow *flow)
{
	const AnonymityGraph *graph = flow->graph;
	int32 queued = 0;
	bool found = false;

	memset(flow->level, 0xFF, sizeof(int32) * graph->vertices);
	for (int32 record = 0; record < graph->records; record++)
		if (flow->left[record] > 0)
		{
			flow->level[record] = 1;
			flow->path[queued++] = record;
		}
	for (int32 at = 0; at < queued; at++)
	{
		int32 vertex = flow->path[at];

		CHECK_FOR_INTERRUPTS();
		found = found || (vertex >= graph->records && flow->left[vertex] > 0);
		for (int64 link = graph->first[vertex]; !found && link < graph->first[vertex + 1]; link++)
		{
			int32 end = graph->end[link];

			interrupt_check(link);
			if (flow->level[end] >= 0 || room(flow, vertex, link, false) == 0)
				continue;
			flow->level[end] = flow->level[vertex] + 1;
			flow->path[queued++] = end;
		}
	}
	return found;
}

/* The vertex behind the next link on which the level falls, or -1. */
static int32
step_down(MatchingFlow *flow, int32 vertex)
{
	const AnonymityGraph *graph = flow->graph;

	for (; flow->cursor[vertex] < graph->first[vertex + 1]; flow->cursor[vertex]++)
	{
		int64 link = flow->cursor[vertex];

		interrupt_check(link);
		if (flow->level[graph->end[link]] == flow->level[vertex] - 1 &&
			room(flow, vertex, link, true) > 0)
			return graph->end[link];
	}
	return -1;
}

/* Pushes as much as fits along the path, which leads back from a row to a record. */
static void
push_along(MatchingFlow *flow, int32 length)
{
	int32 *path = flow->path;
	int64 *from = &flow->left[path[0]];
	int64 *to = &flow->left[path[length - 1]];
	int64 amount = Min(*from, *to);

	for (int32 i = 0; i < length - 1; i++)
		amount = Min(amount, room(flow, path[i], flow->cursor[path[i]], true));
	for (int32 i = 0; i < length - 1; i++)
		flow->flow[anonymity_graph_edge(flow->graph, flow->cursor[path[i]])] +=
			i % 2 == 0 ? amount : -amount;
	*from -= amount;
	*to -= amount;
	flow->total += amount;
}

/*
 * Pushes all that can get to a row on paths of this round.  Cursors move past dead ends for good.
 */
static void
fill(MatchingFlow *flow, int32 row)
{
	int32 length = 1;

	flow->path[0] = row;
	while (flow->left[row] > 0)
	{
		int32 vertex = flow->path[length - 1];
		int32 next;

		if (vertex < flow->graph->records && flow->left[vertex] > 0)
		{
			push_along(flow, length);
			length = 1;
			continue;
		}
		next = step_down(flow, vertex);
		if (next >= 0)
			flow->path[length++] = next;
		else if (length == 1)
			return;
		else
			flow->cursor[flow->path[--length - 1]]++;
	}
}

/*
 * Computes a maximum flow for this k, from zero.  O(edges * sqrt(vertices)) if capacities are 1;
 * far less in practice.
 */
static void
flow_run(MatchingFlow *flow, int32 k)
{
	const AnonymityGraph *graph = flow->graph;

	flow->k = k;
	flow->total = 0;
	memset(flow->flow, 0, sizeof(int64) * graph->edges);
	for (int32 vertex = 0; vertex < graph->vertices; vertex++)
		flow->left[vertex] = k * graph->size[vertex];
	progress_phase("matching rows", graph->vertices - graph->records);
	for (int32 record = 0; record < graph->records; record++)
		take_greedily(flow, record);
	/* One round for each length of the shortest paths. */
	while (find_levels(flow))
	{
		memcpy(flow->cursor, graph->first, sizeof(int64) * graph->vertices);
		for (int32 row = graph->records; row < graph->vertices; row++)
		{
			progress_check(row - graph->records);
			if (flow->level[row] >= 0)
				fill(flow, row);
		}
	}
}

/* ----------------------------------------------------------------
 * Links that can be true
 * ----------------------------------------------------------------
 */

/*
 * Strongly connected components of the residual graph (Tarjan 1972).  Vertices: those of the
 * graph, then the sink.
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
	int64 link;

	if (vertex == search->sink)
	{
		int32 row = graph->records + (int32) at;

		if (row == graph->vertices)
			return -2;
		return flow->left[row] < flow->k * graph->size[row] ? row : -1;
	}
	link = graph->first[vertex] + at;
	if (link < graph->first[vertex + 1])
		return room(flow, vertex, link, false) > 0 ? graph->end[link] : -1;
	/* The last one of a row leads to the sink. */
	if (vertex < graph->records || link > graph->first[vertex + 1])
		return -2;
	return flow->left[vertex] > 0 ? search->sink : -1;
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
	int64 vertices = (int64) graph->vertices + 1;
	Components search = {.flow = flow, .sink = graph->vertices};

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

/* Can the two vertices of a link stand for each other?  The flow is a maximum one for 1. */
static inline bool
can_be_true(const MatchingFlow *flow, const int32 *component, int32 vertex, int64 link)
{
	return flow->flow[anonymity_graph_edge(flow->graph, link)] > 0 ||
		   component[vertex] == component[flow->graph->end[link]];
}

/* Counts the links of a vertex that can be true; first: the first vertex that they lead to, or -1.
 */
static int64
count_links(const MatchingFlow *flow, const int32 *component, int32 vertex, int32 *first)
{
	const AnonymityGraph *graph = flow->graph;
	int64 links = 0;

	*first = -1;
	for (int64 link = graph->first[vertex]; link < graph->first[vertex + 1]; link++)
	{
		int32 end = graph->end[link];

		interrupt_check(link);
		if (!can_be_true(flow, component, vertex, link))
			continue;
		links += graph->size[end];
		if (*first < 0 || end < *first)
			*first = end;
	}
	return links;
}

/* Names a record and a row, or -1. */
static void
name_pair(const AnonymityGraph *graph, int32 record, int32 row, MatchingVerdict *verdict)
{
	verdict->record = record;
	verdict->row = row < 0 ? -1 : row - graph->records;
}

/*
 * Finds the row or record with the fewest links that can be true, if there are fewer than k.  If
 * rows were suppressed, a row may have fewer.
 */
static bool
find_few_links(const MatchingFlow *flow, int32 k, MatchingVerdict *verdict)
{
	const AnonymityGraph *graph = flow->graph;
	const int32 *component = find_components(flow);
	bool suppressed = graph->rows > graph->members;

	verdict->links = k;
	for (int32 i = suppressed ? graph->vertices - graph->records : 0; i < graph->vertices; i++)
	{
		/* The rows first. */
		int32 vertex = (int32) (((int64) graph->records + i) % graph->vertices);
		int32 other;
		int64 links = count_links(flow, component, vertex, &other);

		CHECK_FOR_INTERRUPTS();
		if (links >= verdict->links)
			continue;
		verdict->links = links;
		verdict->reason = vertex < graph->records ? MATCHING_FEW_ROWS : MATCHING_FEW_RECORDS;
		if (vertex < graph->records)
			name_pair(graph, vertex, other, verdict);
		else
			name_pair(graph, other, vertex, verdict);
	}
	return verdict->links < k;
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
		if (flow->level[record] < 0)
			continue;
		cut.records += graph->size[record];
		cut.record = cut.record < 0 ? record : cut.record;
		/* The links to rows on the other side are cut. */
		for (int64 edge = graph->first[record]; edge < graph->first[record + 1]; edge++)
		{
			int32 row = graph->end[edge];

			interrupt_check(edge);
			if (flow->level[row] >= 0)
				continue;
			cut.links += capacity(graph, record, edge);
			if (cut.row < 0 || (cut.record == record && row < cut.row))
			{
				cut.record = record;
				cut.row = row;
			}
		}
	}
	for (int32 row = graph->records; row < graph->vertices; row++)
		if (flow->level[row] >= 0)
			cut.rows += graph->size[row];
	return cut;
}

MatchingVerdict
matching_check(const AnonymityGraph *graph, int32 k)
{
	MatchingFlow *flow = flow_create(graph);
	MatchingVerdict verdict = {.reason = MATCHING_SATISFIED, .row = -1, .record = -1};
	Cut cut;

	flow_run(flow, k);
	verdict.flow = flow->total;
	verdict.needed = flow_needed(flow);
	if (verdict.flow == verdict.needed)
		return verdict;
	cut = find_cut(flow);
	flow_run(flow, 1);
	if (flow->total < flow_needed(flow))
	{
		/* These rows cannot be the source of the release. */
		cut = find_cut(flow);
		verdict.reason = MATCHING_MISFIT;
		verdict.record = cut.record;
		verdict.of = cut.records;
		verdict.links = cut.rows + cut.links;
	}
	else if (!find_few_links(flow, k, &verdict))
	{
		/* Everyone has k links that can be true, but the links of the cut cannot all be false. */
		verdict.reason = MATCHING_TRUE_LINKS;
		name_pair(graph, cut.record, cut.row, &verdict);
		verdict.links = cut.records - cut.rows;
		verdict.of = cut.links;
	}
	return verdict;
}
