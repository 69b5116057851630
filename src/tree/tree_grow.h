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

/* Bytes that the tree takes for each row: the class_bytes of its records. */
extern Size tree_grow_class_bytes(int k);

/*
 * The tree of these records by strict partitioning, in memory or on tapes, and then of their own
 * split; NULL for fewer than k, and where they do not satisfy the models.  Finishes the codes.
 * In the current context, against their budget.
 *
 * Of a hierarchy it has the levels that occur in it, with all values of the
 * dimension table.  Partitioning apart, O(nodes + values of dimensions).  Errors: an attribute's
 * name stands twice (ERRCODE_DUPLICATE_COLUMN), it is an anonymous record
 * (ERRCODE_FEATURE_NOT_SUPPORTED); the tree exceeds the memory limit.
 */
extern PartitionTree *tree_grow(RecordCodes *codes, int k);

#endif /* KANON_TREE_GROW_H */
