/*
 * counted_sample.h
 *		The upper part of a partition tree over rows that lie elsewhere, grown from a sample of them
 *		and judged by one count of all.
 */
#ifndef KANON_COUNTED_SAMPLE_H
#define KANON_COUNTED_SAMPLE_H

#include "postgres.h"

#include "rothko/sample_tree.h"

/* About the bytes that a node takes while all rows are counted. */
extern Size counted_sample_node_bytes(const TreeGrower *grower);

/*
 * Grows a tree as sample_tree_grow does, lets the grower's counter count all rows at its leaves,
 * and undoes the splits that fail.  Parts that are still too large are grown from counts.  NULL if
 * no split of all rows remains.  In the current context, against the request's budget.
 */
extern GrowingTree *counted_sample_grow(TreeGrower *grower, LoadedRows *sample,
										const CodeBounds *bounds, SampleGrowth growth,
										GrowthLimits limits);

#endif /* KANON_COUNTED_SAMPLE_H */
