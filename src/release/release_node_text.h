/*
 * release_node_text.h
 *		The text of a release by rows, taken apart for workers that make it node by node.
 *
 * All statements are made of the release's text (release_cells.c), of which this is the inner part:
 *
 *	SELECT kanon_view_cell(kanon_view_cells('mondrian', 5, quasi.*, ..) OVER cells, 'age', ..), ..
 *	FROM patients s, LATERAL (SELECT s.age, ..) quasi WINDOW cells AS ()
 *
 * Here are those that count; release_node_rows.h has those that make the release's rows.
 *
 * - Counts, once for each level: SELECT kanon_view_counts(kanon_view_node('mondrian', 5, quasi.*,
 *   .., tree => ..)) FROM the same.
 *   If people count, who must each have all rows in one shard: SELECT kanon_view_counts(places)
 *   FROM (SELECT kanon_view_person(places, 2, s.person IS DISTINCT FROM NULL) AS places FROM
 *   (SELECT kanon_view_node(..) AS places, s.person FROM the same) s GROUP BY s.person) s.  Of a
 *   copy the key by which it is distributed is in that GROUP BY, too.
 * - A sample: SELECT places FROM (SELECT kanon_view_node(..) AS places, s.age AS c1, .. FROM the
 *   same) s WHERE hash_record_extended(ROW(c1, ..), 0) < .. LIMIT ..
 *
 * What is known of the whole, a long constant, is a subquery's column.
 *
 * All in the current context.
 */
#ifndef KANON_RELEASE_NODE_TEXT_H
#define KANON_RELEASE_NODE_TEXT_H

#include "postgres.h"

#include "nodes/bitmapset.h"
#include "nodes/parsenodes.h"
#include "release/release_catalog.h"
#include "utils/jsonb.h"

/*
 * "judged": with models_after, finished classes are judged above the inner part, by
 * kanon_view_satisfies(..) OVER ().
 */
typedef struct NodesText
{
	const ReleaseEntry *entry;
	Query *query;
	Query *rows;               /* the inner part of it, .. */
	Index relation;            /* .. its relation, as number in the range table, .. */
	Oid table;                 /* .. which is this one, or what takes its place, .. */
	WindowFunc *cells;         /* .. and a call for a row's cells */
	Query *judged;             /* the query above it that judges finished classes, or NULL, .. */
	WindowFunc *verdict;       /* .. and its call */
	Query *walked;             /* the query that is being read */
	int windows;               /* queries with windows */
	bool odd;                  /* it looks otherwise */
	Bitmapset *used;           /* attribute numbers of the table */
	const Description *source; /* the relation's columns, as the release has them */
	AttrNumber *place;         /* [attribute number]: in the table that takes another's place */
	int depth;                 /* of the walk, below the inner part */
	List *calls;               /* the calls for cells */
	const char *person;        /* a column; or NULL: rows count */
	AttrNumber person_number;  /* its number in the table */
	AttrNumber person_key;     /* that of the column which brings the rows of each person together;
								* 0: they are */
} NodesText;

/*
 * Notes the relations that a query names; for query_tree_walker and the like, without a context.
 */
extern bool node_text_note(Node *node, void *unused);

/*
 * Reads a copy of the release's query.  False if it is not the text of a recoding of rows, or has
 * other windows, or if columns of the relation were renamed since: it then still has their names.
 */
extern bool node_text_read(NodesText *text, const ReleaseEntry *entry, const Query *query);

/* An argument of the call for cells, evaluated; false if it is NULL or not there. */
extern bool node_text_argument(const NodesText *text, const char *name, Datum *value);

/*
 * Takes the dimensions from the text: what is known of the whole has their labels.  Of columns
 * without one it still tells which are plain.
 */
extern void node_text_drop_dimensions(NodesText *text);

/* The call that leads a row down the tree, in a copy of the inner part. */
extern FuncExpr *node_text_call(const NodesText *text, Query *rows, const Jsonb *whole,
								ArrayType *tree);

/* A column of the table, as it stands there. */
extern Var *node_text_column(const NodesText *text, AttrNumber number);

/* Can rows be told apart by such a column: have its values a hash that no setting changes? */
extern bool node_text_is_hashed(const NodesText *text, AttrNumber number);

/*
 * Such columns, of those that the text uses and the one that distributes the table, if any: by all
 * of them hardly any rows are equal.
 */
extern Bitmapset *node_text_hashed(const NodesText *text, const char *distribution);

/* The query that adds up what such a call says, by so many quasi-identifiers; changes the copy. */
extern const char *node_text_counts(const NodesText *text, Query *rows, FuncExpr *call,
									int attributes);

/*
 * The query for what such a call says of a share of the rows, at most so many: those with the least
 * hashes of these columns; changes the copy.
 */
extern const char *node_text_sample(const NodesText *text, Query *rows, FuncExpr *call,
									const Bitmapset *columns, double share, int64 most);

/* A copy of the inner part with these expressions instead of its own, as SQL. */
extern const char *node_text_select(Query *rows, List *targets);

/* ---- for statements made of the text itself, in place */

/* Lets a table with the columns of node_rows_stage take the place of the relation, or of another.
 */
extern void node_text_replace_relation(NodesText *text, Oid stage);

/* What is known of the whole as a column of a subquery, which it adds to an inner part. */
extern Expr *node_text_add_whole(Query *rows, const Jsonb *whole);

/* As node_text_call, with a column that has the whole, and no memory lent. */
extern FuncExpr *node_text_own_call(const NodesText *text, Expr *whole, ArrayType *tree);

/* The names (String) of the fields that stand beside the cells. */
extern List *node_text_beside(const NodesText *text);

/* A named argument; the one for the memory limit by which nodes are small enough; an array. */
extern NamedArgExpr *node_text_named(const char *name, int number, Expr *value);
extern NamedArgExpr *node_text_memory(int number);
extern Expr *node_text_array(Oid type, const ArrayType *array);

/* A function of kanon's. */
extern Oid node_text_function(const char *name);

#endif /* KANON_RELEASE_NODE_TEXT_H */
