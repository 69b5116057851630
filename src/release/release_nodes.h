/*
 * release_nodes.h
 *		Releases by Mondrian and local recoding that are made node by node: by the workers of Citus,
 *		or by parallel workers of this machine.
 *
 * The upper part of the partition tree grows from counts (release_node_tree.h).  Then Citus'
 * workers set their rows apart by node, and each node is finished where it lies; or each parallel
 * worker reads all rows and finishes those of its nodes.  Both by the release's own text, which is
 * handed what is known of the whole.  If nobody writes meanwhile, the release is that of one
 * process.  Otherwise some of its cuts are those of rows a little earlier; its classes are those of
 * the rows that were read then, and each satisfies, whatever they are.
 *
 * Call these within a query scope, as the release's owner.
 */
#ifndef KANON_RELEASE_NODES_H
#define KANON_RELEASE_NODES_H

#include "postgres.h"

#include "nodes/parsenodes.h"
#include "release/release_catalog.h"

/* Makes a table of the columns of a SELECT, without rows; "by": the one that distributes it. */
typedef Oid (*StageMaker)(const ReleaseEntry *entry, const char *select, const char *by);

/* Rows set apart. */
typedef struct NodesApart
{
	Oid table;
	int64 rows;
	const char *select;        /* SQL of the release's rows, made of that table, and their node; if
								* people count, also the figures of the node */
	const Description *source; /* the columns of the relation as the release has them */
	bool judged;               /* classes are judged when they are made, and some left out */
	bool shown;                /* cells show to which node a row belongs */
} NodesApart;

/*
 * Sets the rows of the release's relation, a distributed table, apart by nodes, in a table for
 * which "make_table" is called.  If people count and do not distribute the relation, it first
 * copies the rows into such a table, which is gone at the end, where those of each person are
 * together.
 *
 * With kanon.partitioning = sample, Mondrian's cuts come from a sample, and are not those of one
 * machine.
 *
 * False, and nothing is left of it, if the coordinator has to make the release, or does it sooner:
 * it is by a recoding that finishes no nodes (RecodingOps.nodes), follows a target, leaves rows
 * out, or judges classes after they are made, of people or by a model that the whole decides, or if
 * cells do not show nodes; of a column, values are checked by code of others; a quasi-identifier
 * with a dimension is sensitive, too; people count with both models and dimensions, or have no
 * hash; there are fewer rows than RELEASE_NODES_LEAST_ROWS (with kanon.partitioning = tree, of any
 * number), or more than 2^31 - 1, or they do not satisfy; columns have so many values that these,
 * or counts of them, are too many for a query or a quarter of the memory limit.
 *
 * "query": the release's text.  Errors of Citus; the memory limit, which workers are lent.
 */
extern bool release_nodes_set_apart(const ReleaseEntry *entry, const Query *query,
									StageMaker make_table, NodesApart *apart);

/*
 * A query of the release's rows whose branches, one for each part of the tree, "*processes"
 * parallel workers run (SuccessorRows); its last column is a FilledPart in the last row of each.
 * NULL as above, or if the relation is none that all processes read alike, there are fewer than two
 * workers, or no cut separates parts.  Only cuts do that are seen in all cells: so no class of one
 * part looks like one of another, and where rows lie tells nothing.
 *
 * Between the other two, such a query is planned and runs: the memory limit holds for all processes
 * together, each of which may put rows on tapes.  An error unwinds them.
 */
extern Query *release_nodes_side_by_side(const ReleaseEntry *entry, const Query *query,
										 int *processes);
extern int release_nodes_begin_processes(int processes);
extern void release_nodes_end_processes(int level);

#define RELEASE_NODES_LEAST_ROWS 200000 /* by Citus' workers */
#define RELEASE_PARTS_LEAST_ROWS                                                                   \
	1000000 /* by parallel workers: below, they only take more time                                \
			 */

#endif /* KANON_RELEASE_NODES_H */
