/*
 * sample_tree.h
 *		The upper part of a partition tree, grown from a sample of rows and pruned by what all of
 *		them are (LeFevre, DeWitt 2007, section 3).
 *
 * A tree is grown; all rows are then led to its leaves, by which they are counted; splits of which
 * a part does not satisfy are undone.
 */
#ifndef KANON_SAMPLE_TREE_H
#define KANON_SAMPLE_TREE_H

#include "postgres.h"

#include "rothko/growing_tree.h"

typedef struct SampleGrowth
{
	int64 population; /* rows of which the sample is one */
	double alpha;     /* SAMPLE_ALPHA; 0: without tests */
	int64 enough;     /* rows, of all, that are not divided here any more */
	int32 nodes;      /* at most so many */
	int height;       /* .. and so many splits from the root to a leaf */
} SampleGrowth;

/*
 * A tree for rows whose codes lie within the bounds, in the current context, against the request's
 * budget. Moves the sample's rows.
 */
extern GrowingTree *sample_tree_grow(LoadedRows *sample, const RowLayout *layout,
									 const PartitionRequest *request, const CodeBounds *bounds,
									 SampleGrowth growth);

/* What all rows are, by nodes. */
typedef struct TreePopulation TreePopulation;

/* Of no row yet; in the current context, against the request's budget. */
extern TreePopulation *tree_population_create(GrowingTree *tree, const PartitionRequest *request);

/* Bytes that a node takes, about, in both. */
extern Size sample_tree_node_bytes(const RowLayout *layout, const PartitionRequest *request);

/* Counts a row; the leaf where its codes belong. */
extern int32 tree_population_count(TreePopulation *population, const int32 *tuple);

/*
 * Undoes splits: a node is a leaf if one of its children does not satisfy, or if rows came that go
 * to none of them.  Leaves are listed anew; how many nodes are none any more.  Nodes know how many
 * rows they have.
 */
extern int32 tree_population_prune(TreePopulation *population);

/* After that: the leaf that one is, or that it has become part of. */
extern int32 tree_population_leaf(const TreePopulation *population, int32 leaf);

#endif /* KANON_SAMPLE_TREE_H */
