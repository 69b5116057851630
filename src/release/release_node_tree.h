/*
 * release_node_tree.h
 *		The upper part of the partition tree of a release, grown from counts or a sample of rows.
 *
 * Others count or choose them: the workers of Citus, or parallel workers of this machine.
 *
 * A query for each level, whose answer is as large as the counts, whatever the number of rows.  The
 * tree has the cuts that it has if one process divides all rows, and each node can be finished by
 * whoever is handed what is known of the whole (record/record_whole.h).
 */
#ifndef KANON_RELEASE_NODE_TREE_H
#define KANON_RELEASE_NODE_TREE_H

#include "postgres.h"

#include "release/release_node_text.h"
#include "rothko/growing_tree.h"

typedef struct NodesPlan
{
	NodesText text;
	Budget budget;
	Description *description;
	Jsonb *whole;
	RecordCodes *codes;
	NodesFunction nodes;
	PartitionRequest partition;
	int64 rows;
	const char *distribution; /* the column of the relation that distributes it; or NULL */
	bool any;                 /* of any number of rows */
	bool sample;              /* cuts come from a sample, if that shows enough */
	int here;                 /* processes that share the memory limit and finish nodes; 0: shards
							   * do, in memory */
	int64 places;             /* so many nodes are to be of about equal size */
	TreeGrower *grower;       /* of the tree, .. */
	CodeBounds *bounds;       /* .. and [attribute] the codes of all rows */
	int8 *clear;              /* [attribute]: 1: each label stands for the same values everywhere;
							   * -1: some do not; 0: nobody has asked */
	MemoryContext context;    /* of what the budget counts */
	MemoryContext scratch;    /* of one statement */
} NodesPlan;

/*
 * Plans by a text that was read, "here" and "places": asks what is known of the whole; in a context
 * of the plan's own below the current one, against a budget over it.  False: the release has to be
 * made by one process (release_nodes.h says when).  Errors: those of the queries, and the memory
 * limit.
 */
extern bool node_tree_plan(NodesPlan *plan);

/*
 * Grows the tree, there.  The rows of each person must lie together.  NULL and errors: as above.
 */
extern GrowingTree *node_tree_grow(NodesPlan *plan);

#endif /* KANON_RELEASE_NODE_TREE_H */
