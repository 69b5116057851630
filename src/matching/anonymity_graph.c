/*
 * anonymity_graph.c
 *		See anonymity_graph.h.
 */
#include "postgres.h"

#include "matching/anonymity_graph.h"

#include "matching/cover_tree.h"
#include "miscadmin.h"

#define PURPOSE "anonymity graph"

static void
reserve_edges(AnonymityGraph *graph, int64 edges)
{
	int64 capacity = graph->capacity;

	if (edges > PG_INT32_MAX)
		ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
						errmsg("anonymity graph has more than %d edges", PG_INT32_MAX),
						errdetail("The released records cover too many different rows each.")));
	while (capacity < edges)
		capacity = Max(1024, capacity + capacity / 2);
	if (capacity == graph->capacity)
		return;
	budget_take(graph->budget, mul_size(sizeof(int32), capacity - graph->capacity), PURPOSE);
	graph->row = graph->row ? repalloc_huge(graph->row, mul_size(sizeof(int32), capacity))
							: palloc_extended(mul_size(sizeof(int32), capacity), MCXT_ALLOC_HUGE);
	graph->capacity = capacity;
}

static void
add_edges(void *state, const int32 *rows, int32 count)
{
	AnonymityGraph *graph = state;

	if (graph->edges + count > graph->capacity)
		reserve_edges(graph, graph->edges + count);
	memcpy(graph->row + graph->edges, rows, sizeof(int32) * count);
	graph->edges += count;
}

AnonymityGraph *
anonymity_graph_create(const CoverGroups *rows, const CoverGroups *records, int attributes,
					   const CellCover *const *cover, Budget *budget)
{
	AnonymityGraph *graph = palloc0(sizeof(AnonymityGraph));
	CoverTree *tree = cover_tree_create(rows->code, rows->groups, attributes, budget);

	graph->records = records->groups;
	graph->rows = rows->groups;
	graph->members = records->members;
	graph->record_size = records->size;
	graph->row_size = rows->size;
	graph->budget = budget;
	budget_take(budget, mul_size(sizeof(int64), records->groups + 1), PURPOSE);
	graph->first = palloc_extended(mul_size(sizeof(int64), records->groups + 1), MCXT_ALLOC_HUGE);
	for (int32 record = 0; record < records->groups; record++)
	{
		CHECK_FOR_INTERRUPTS();
		graph->first[record] = graph->edges;
		cover_tree_search(tree, cover, records->code + (int64) record * attributes, add_edges,
						  graph);
	}
	graph->first[records->groups] = graph->edges;
	cover_tree_free(tree);
	return graph;
}
