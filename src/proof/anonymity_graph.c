/*
 * anonymity_graph.c
 *		See anonymity_graph.h.
 */
#include "postgres.h"

#include "proof/anonymity_graph.h"

#include "base/interrupt.h"
#include "proof/cover_tree.h"

#define PURPOSE "anonymity graph"

/* A CoverConsumer. */
static void
add_edges(void *state, const int32 *rows, int32 count)
{
	AnonymityGraph *graph = state;
	int64 edges = graph->edges + count;
	int64 capacity = graph->capacity;

	if (edges > PG_INT32_MAX)
		ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
						errmsg("anonymity graph has more than %d edges", PG_INT32_MAX),
						errdetail("The released records cover too many different rows each.")));
	while (capacity < edges)
		capacity = Max(1024, capacity + capacity / 2);
	if (capacity > graph->capacity)
		graph->row = budget_enlarge(graph->budget, graph->row, graph->capacity, capacity,
									sizeof(int32), PURPOSE);
	graph->capacity = capacity;
	memcpy(graph->row + graph->edges, rows, sizeof(int32) * count);
	graph->edges = edges;
}

/* [row]: the members of each group. */
static int64 *
group_sizes(const Dataset *groups, Budget *budget)
{
	int64 *size = budget_allocate(budget, groups->rows, sizeof(int64), PURPOSE);

	for (int64 row = 0; row < groups->rows; row++)
	{
		interrupt_check(row);
		size[row] = dataset_members(groups, dataset_record(groups, row));
	}
	return size;
}

AnonymityGraph *
anonymity_graph_create(const Dataset *rows, const Dataset *records, const CellCover *const *cover,
					   Budget *budget)
{
	AnonymityGraph *graph = palloc0(sizeof(AnonymityGraph));
	CoverTree *tree = cover_tree_create(rows, budget);

	graph->records = (int32) records->rows;
	graph->rows = (int32) rows->rows;
	graph->members = records->members;
	graph->record_size = group_sizes(records, budget);
	graph->row_size = group_sizes(rows, budget);
	graph->budget = budget;
	graph->first = budget_allocate(budget, records->rows + 1, sizeof(int64), PURPOSE);
	for (int32 record = 0; record < graph->records; record++)
	{
		CHECK_FOR_INTERRUPTS();
		graph->first[record] = graph->edges;
		cover_tree_search(tree, cover, dataset_record(records, record), add_edges, graph);
	}
	graph->first[graph->records] = graph->edges;
	cover_tree_free(tree);
	return graph;
}
