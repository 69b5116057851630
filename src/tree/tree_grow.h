/*
 * tree_grow.h
 *		The partition tree of a recoding: its codes as values, and as labels of the
 *		dimension tables.
 */
#ifndef KANON_TREE_GROW_H
#define KANON_TREE_GROW_H

#include "postgres.h"

#include "record/record_codes.h"
#include "tree/partition_tree.h"

typedef struct TreeGrowth
{
	int64 k;
	PartitionSplit split;
	const RecordCodes *codes;    /* finished */
	const PartitionNodes *nodes; /* by strict partitioning */
	Budget *budget;
} TreeGrowth;

/*
 * The tree, in the current context.
 * Of a hierarchy it has the levels that occur in it, with all values of the
 * dimension table.  O(rows + nodes + values of dimensions).  Errors: an attribute's
 * name stands twice (ERRCODE_DUPLICATE_COLUMN), it is an anonymous record
 * (ERRCODE_FEATURE_NOT_SUPPORTED).
 */
extern PartitionTree *tree_grow(const TreeGrowth *growth);

#endif /* KANON_TREE_GROW_H */
