/*
 * tree_region.h
 *		Regions of a partition tree as text.
 *
 * These are the regions of the recoding: together they cover the space, so the
 * outermost ones have no bound.  In one attribute a region is
 *
 *	NULL	where it holds NULLs only;
 *	a label	with a hierarchy;
 *	*	with an ordered attribute, or the top label, where NULLs go together with values;
 *	a range	otherwise (range_format_between)
 */
#ifndef KANON_TREE_REGION_H
#define KANON_TREE_REGION_H

#include "postgres.h"

#include "tree/partition_tree.h"

typedef struct TreeRegions TreeRegions;

/* Lives in the current context, with what it caches of the thresholds. */
extern TreeRegions *tree_region_create(const OpenTree *open);

/* The region in one attribute, palloc'd; NULL for SQL's NULL. */
extern char *tree_region_text(TreeRegions *regions, int attribute, const TreeBounds *bounds);

#endif /* KANON_TREE_REGION_H */
