/*
 * tree_grow.h
 *		The partition tree of a recoding, with values for codes and labels from the dimension
 *		tables.
 */
#ifndef KANON_TREE_GROW_H
#define KANON_TREE_GROW_H

#include "postgres.h"

#include "record/record_codes.h"
#include "tree/partition_tree.h"

/* The bytes that the tree takes for each row: the class_bytes of its records. */
extern Size tree_grow_class_bytes(int k);

/*
 * The tree of these records by strict partitioning, in memory or on tapes, with their split; NULL
 * for fewer than k rows or if they do not satisfy the models.  Finishes the codes.  In the current
 * context, against their budget.
 *
 * Hierarchies have the levels that occur in the tree, with all values of the dimension table.
 * Besides the partitioning, O(nodes + values of dimensions).  Errors: an attribute name that occurs
 * twice (ERRCODE_DUPLICATE_COLUMN), an anonymous record type (ERRCODE_FEATURE_NOT_SUPPORTED); the
 * memory limit.
 */
extern PartitionTree *tree_grow(RecordCodes *codes, int k);

#endif /* KANON_TREE_GROW_H */
