/*
 * sample_tree.h
 *		The upper part of a partition tree, grown from a sample of rows and pruned by all of them
 *		(LeFevre, DeWitt 2007, section 3).
 *
 * A tree is grown; all rows are then led to its leaves and counted; splits with a part that does
 * not satisfy are undone.
 */
#ifndef KANON_SAMPLE_TREE_H
#define KANON_SAMPLE_TREE_H

#include "postgres.h"

#include "rothko/growing_tree.h"

typedef struct SampleGrowth
{
	int64 population; /* number of rows sampled from */
	double alpha;     /* SAMPLE_ALPHA; 0: no tests */
	int64 enough;     /* rows, out of all, that need not be divided further here */
	int32 nodes;      /* most nodes */
	int height;       /* .. and most splits from the root to a leaf */
} SampleGrowth;

/*
 * Grows a tree for rows whose codes lie within the bounds, in the current context, against the
 * request's budget.  Moves the sample's rows.
 */
extern GrowingTree *sample_tree_grow(LoadedRows *sample, const RowLayout *layout,
									 const PartitionRequest *request, const CodeBounds *bounds,
									 SampleGrowth growth);

/* Counts of all rows by node. */
typedef struct TreePopulation TreePopulation;

/* No rows yet; in the current context, against the request's budget. */
extern TreePopulation *tree_population_create(GrowingTree *tree, const PartitionRequest *request);

/* About the bytes that a node takes in both. */
extern Size sample_tree_node_bytes(const RowLayout *layout, const PartitionRequest *request);

/* Counts a row; returns the leaf to which its codes belong. */
extern int32 tree_population_count(TreePopulation *population, const int32 *tuple);

/* Takes the counts of all rows from the groups of the leaves, and frees these. */
extern void tree_population_take(TreePopulation *population);

/*
 * Undoes splits: a node becomes a leaf if one of its children does not satisfy, or if rows fit none
 * of them.  Lists the leaves anew, sets the nodes' row counts, and returns the number of nodes
 * removed.
 */
extern int32 tree_population_prune(TreePopulation *population);

/* After pruning: the leaf that a former leaf is now, or is part of. */
extern int32 tree_population_leaf(const TreePopulation *population, int32 leaf);

#endif /* KANON_SAMPLE_TREE_H */
