/*
 * release_node_rows.h
 *		The rows of a release that is made node by node, as SQL, of its text (release_node_text.h).
 *
 * - Rows are copied, the same person's to the same shard: SELECT s.age AS c1, .., (..)::int4 AS
 *   node FROM patients s. Then such a copy takes the place of patients.
 * - Rows are set apart in a table with such columns and the node of each (release_nodes.c).
 * - Rows of the release: the whole text, with the table of rows set apart in place of patients, a
 *   window for each node, whose number is one more column, and whole => ...
 * - Or they are not set apart: the whole text once for each node, WHERE kanon_view_node(..)[1] is
 *   that node, with whole => .. and one more column for its figures, and UNION ALL between.
 *
 * All in the current context.
 */
#ifndef KANON_RELEASE_NODE_ROWS_H
#define KANON_RELEASE_NODE_ROWS_H

#include "postgres.h"

#include "release/release_node_text.h"

/*
 * A SELECT of the columns that the text uses, called c1, c2, .., and a number, "node", as SQL of
 * columns of s.
 */
extern const char *node_rows_stage(const NodesText *text, const char *number);

/*
 * The release's rows, made of a table with such columns, and the node of each, as SQL; if people
 * count, then also the figures of the node, in its last row.
 */
extern const char *node_rows_release(NodesText *text, Oid stage, const Jsonb *whole);

/* What takes the relation apart if no such table is made. */
typedef struct NodeParts
{
	const Jsonb *whole;
	ArrayType *tree;     /* of node_text_call */
	const int32 *number; /* [part]: the node's */
	int count;
} NodeParts;

/* The release's rows, and what all of a part hold in its last one (api/tally.c), as SQL. */
extern const char *node_rows_parts(const NodesText *text, const NodeParts *parts);

#endif /* KANON_RELEASE_NODE_ROWS_H */
