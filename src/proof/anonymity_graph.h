/*
 * anonymity_graph.h
 *		Which rows could be behind which released records (Murakami, Uno 2017, section 2):
 *		each cell of a record covers the row's value.
 *
 * Equal rows are one vertex, and so are equal records; a vertex says how many it stands for.
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
	int64 members; /* of the records */
	const int64 *record_size;
	const int64 *row_size;
	int64 edges;
	int64 *first; /* [record]: of its edges; [records]: behind the last */
	int32 *row;   /* [edge] */
	int64 capacity;
	Budget *budget;
} AnonymityGraph;

/*
 * Of groups of rows, and of records, whose codes are those of cells; palloc'd in the current
 * context, against the budget, which must hold all edges.  cover: [attribute]. Cost: see
 * cover_tree.h.  Error: more than PG_INT32_MAX edges (ERRCODE_PROGRAM_LIMIT_EXCEEDED).
 */
extern AnonymityGraph *anonymity_graph_create(const Dataset *rows, const Dataset *records,
											  const CellCover *const *cover, Budget *budget);

#endif /* KANON_ANONYMITY_GRAPH_H */
