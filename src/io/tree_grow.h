/*
 * tree_grow.h
 *		The partition tree of a dataset: codes of a partition as values, and as
 *		labels of the dimension tables.
 */
#ifndef KANON_TREE_GROW_H
#define KANON_TREE_GROW_H

#include "postgres.h"

#include "data/dataset.h"
#include "io/dimension_query.h"
#include "partition/partition_tree.h"

/* What the codes of one attribute of the dataset stand for. */
typedef struct GrownAttribute
{
	const char *name;
	Oid type; /* a domain counts as its base type */
	Oid collation;
	const Datum *value; /* ordered: [code]; detoasted */
	const AttributeDomain
		*domain;                /* hierarchical: finished, codes its final codes; NULL: ordered */
	const Dimension *dimension; /* hierarchical */
} GrownAttribute;

typedef struct TreeGrowth
{
	int64 k;
	PartitionSplit split;
	const char *target; /* NULL with the median */
	const Dataset *dataset;
	const Partition *partition;      /* strict, with its nodes and at least one class */
	const GrownAttribute *attribute; /* [dataset->attributes] */
	Budget *budget;
} TreeGrowth;

/*
 * The tree, in the current context; names and values of the growth are copied.
 * Of a hierarchy it has the levels that occur in it, with all values of the
 * dimension table.  O(rows + nodes + values of dimensions).  Error: an attribute's
 * name stands twice (ERRCODE_DUPLICATE_COLUMN).
 */
extern PartitionTree *tree_grow(const TreeGrowth *growth);

#endif /* KANON_TREE_GROW_H */
