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
#include "proof/cell_cover.h"

typedef struct AnonymityGraph
{
	int32 records;
	int32 rows;
	int64 members; /* sum of record_size */
	const int64 *record_size;
	const int64 *row_size;
	int64 edges;
	int64 *first; /* [record]: its first edge; [records]: the end */
	int32 *row;   /* [edge] */
	int64 capacity;
	Budget *budget;
} AnonymityGraph;

/*
 * The graph of groups of rows and groups of records, whose codes are those of cells. cover:
 * [attribute].  Palloc'd in the current context, against the budget, which must hold all edges.
 * Cost: see cover_tree.h.  Raises ERRCODE_PROGRAM_LIMIT_EXCEEDED for more than PG_INT32_MAX edges.
 */
extern AnonymityGraph *anonymity_graph_create(const Dataset *rows, const Dataset *records,
											  const CellCover *const *cover, Budget *budget);

#endif /* KANON_ANONYMITY_GRAPH_H */
