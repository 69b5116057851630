/*
 * matching_table.c
 *		See matching_table.h.
 */
#include "postgres.h"

#include "matching/matching_table.h"

#include "base/interrupt.h"

#define PURPOSE "matching of rows"

void *
cell_tree_array(const CellTree *tree, Size size, Budget *budget)
{
	char *array = budget_allocate(budget, (Size) tree->nodes + 1, size, PURPOSE);

	return array + size;
}

void
cell_tree_free_array(void *array, Size size)
{
	pfree((char *) array - size);
}

CellTree
cell_tree_create(int32 values, int32 nodes, Budget *budget)
{
	CellTree tree = {.values = values, .nodes = nodes};

	tree.parent = cell_tree_array(&tree, sizeof(int32), budget);
	tree.loss = cell_tree_array(&tree, sizeof(int32), budget);
	tree.above = cell_tree_array(&tree, sizeof(int32), budget);
	tree.parent[DATASET_NULL] = nodes - 1;
	return tree;
}

CellTree
cell_tree_flat(int32 values, int32 units, Budget *budget)
{
	CellTree tree = cell_tree_create(values, values + 1, budget);

	for (int32 value = 0; value < values; value++)
	{
		interrupt_check(value);
		tree.parent[value] = values;
		tree.above[value] = value;
	}
	tree.parent[values] = values;
	tree.loss[values] = units;
	return tree;
}

MatchingTable *
matching_table_create(Dataset *dataset)
{
	MatchingTable *rows = palloc0(sizeof(MatchingTable));

	rows->dataset = dataset;
	rows->tree = palloc0(sizeof(CellTree) * Max(dataset->attributes, 1));
	rows->budget = dataset->budget;
	return rows;
}
