/*
 * counted_sample.c
 *		See counted_sample.h.
 *
 * Each leaf counts its rows in two slots for each attribute, NULL and all else: enough to see which
 * parts satisfy, and where NULLs go.
 */
#include "postgres.h"

#include "rothko/counted_sample.h"

#include "base/context.h"

/* The bounds of all attributes at a leaf. */
static CodeBounds *
make_bounds(const TreeGrower *grower)
{
	return palloc0(sizeof(CodeBounds) * grower->layout->attributes);
}

Size
counted_sample_node_bytes(const TreeGrower *grower)
{
	CodeBounds *bounds = make_bounds(grower);
	Size bytes =
		sample_tree_node_bytes(grower->layout, grower->request) + tree_grower_bytes(grower, bounds);

	pfree(bounds);
	return bytes;
}

/* Counts all rows at the leaves, and undoes splits. */
static void
judge_all(const TreeGrower *grower, GrowingTree *tree)
{
	MemoryContext caller = CurrentMemoryContext;
	MemoryContext scratch = AllocSetContextCreate(caller, "kanon population", CONTEXT_SMALL_SIZES);
	CodeBounds *bounds;
	TreePopulation *population;

	MemoryContextSwitchTo(scratch);
	bounds = make_bounds(grower);
	population = tree_population_create(tree, grower->request);
	for (int32 i = 0; i < tree->leaves; i++)
	{
		CHECK_FOR_INTERRUPTS();
		tree_grower_open(grower, growing_tree_leaf_node(tree, i), bounds);
	}
	grower->counter->count(grower->counter->state, tree);
	tree->scans++;
	tree_population_take(population);
	MemoryContextSwitchTo(caller);
	(void) tree_population_prune(population);
	MemoryContextDelete(scratch);
}

GrowingTree *
counted_sample_grow(TreeGrower *grower, LoadedRows *sample, const CodeBounds *bounds,
					SampleGrowth growth, GrowthLimits limits)
{
	GrowingTree *tree = sample_tree_grow(sample, grower->layout, grower->request, bounds, growth);

	if (tree->leaves > 1)
		judge_all(grower, tree);
	if (tree->leaves == 1)
		return NULL;
	tree_grower_continue(grower, tree, limits);
	return tree;
}
