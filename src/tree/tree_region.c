/*
 * tree_region.c
 *		See tree_region.h.
 */
#include "postgres.h"

#include "tree/tree_region.h"

#include "cell/range_format.h"
#include "data/hidden.h"
#include "sql/text_settings.h"

struct TreeRegions
{
	const OpenTree *open;
	MemoryContext context;
	RangeCut *cut; /* [node]; no text until it is needed */
};

TreeRegions *
tree_region_create(const OpenTree *open)
{
	TreeRegions *regions = palloc(sizeof(TreeRegions));

	regions->open = open;
	regions->context = CurrentMemoryContext;
	regions->cut =
		budget_allocate(open->budget, open->tree->nodes, sizeof(RangeCut), "partition tree");
	return regions;
}

/* The cut of a node, or none. */
static const RangeCut *
cut_of(TreeRegions *regions, int32 number)
{
	const PartitionTree *tree = regions->open->tree;
	RangeCut *cut = &regions->cut[number];
	const TreeNode *node;
	MemoryContext previous;
	int nest_level;

	if (number < 0)
		return NULL;
	if (cut->text)
		return cut;
	node = partition_tree_node(tree, number);
	previous = MemoryContextSwitchTo(regions->context);
	nest_level = text_settings_begin();
	*cut =
		range_format_cut(partition_tree_attribute(tree, node->attribute)->type,
						 regions->open->node[number].threshold, partition_tree_at(tree, node->at));
	text_settings_end(nest_level);
	MemoryContextSwitchTo(previous);
	return cut;
}

char *
tree_region_text(TreeRegions *regions, int attribute, const TreeBounds *bounds)
{
	const PartitionTree *tree = regions->open->tree;
	const TreeAttribute *described = partition_tree_attribute(tree, attribute);

	if (bounds->content == TREE_NULLS)
		return NULL;
	if (bounds->content == TREE_ANYTHING)
		return pstrdup(described->top ? partition_tree_at(tree, described->top) : HIDDEN_TEXT);
	if (described->top)
		return pstrdup(partition_tree_label(tree, attribute, bounds->level, bounds->label));
	return range_format_between(cut_of(regions, bounds->lower), cut_of(regions, bounds->upper));
}
