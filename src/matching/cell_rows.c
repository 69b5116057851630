/*
 * cell_rows.c
 *		See cell_rows.h.
 */
#include "postgres.h"

#include "matching/cell_rows.h"

#include "base/interrupt.h"

#define PURPOSE "matching of rows"

CellTree
cell_tree_create(int32 values, int32 nodes, Budget *budget)
{
	return (CellTree){.values = values,
					  .nodes = nodes,
					  .parent = budget_allocate(budget, nodes, sizeof(int32), PURPOSE),
					  .loss = budget_allocate(budget, nodes, sizeof(int32), PURPOSE),
					  .above = budget_allocate(budget, nodes, sizeof(int32), PURPOSE),
					  .below = budget_allocate(budget, nodes, sizeof(int32), PURPOSE)};
}

CellTree
cell_tree_flat(int32 values, int32 units, Budget *budget)
{
	CellTree tree = cell_tree_create(values, values + 1, budget);

	for (int32 value = 0; value < values; value++)
	{
		interrupt_check(value);
		tree.parent[value] = values;
		tree.loss[value] = 0;
		tree.above[value] = value;
		tree.below[value] = value + 1;
	}
	tree.parent[values] = values;
	tree.loss[values] = units;
	tree.above[values] = 0;
	tree.below[values] = values;
	return tree;
}

CellRows *
cell_rows_create(int attributes, int64 rows, Budget *budget)
{
	CellRows *cells = palloc0(sizeof(CellRows));

	if (rows > PG_INT32_MAX)
		ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
						errmsg("cannot match more than %d rows at once", PG_INT32_MAX)));
	cells->attributes = attributes;
	cells->rows = rows;
	cells->tree = palloc0(sizeof(CellTree) * attributes);
	cells->code = budget_allocate(budget, mul_size(rows, attributes), sizeof(int32), PURPOSE);
	cells->budget = budget;
	return cells;
}

int *
cell_rows_by_cardinality(const CellRows *rows)
{
	int *sorted = palloc(sizeof(int) * Max(rows->attributes, 1));

	for (int i = 0; i < rows->attributes; i++)
	{
		int at = i;

		for (; at > 0 && rows->tree[sorted[at - 1]].values > rows->tree[i].values; at--)
			sorted[at] = sorted[at - 1];
		sorted[at] = i;
	}
	return sorted;
}

/* "from" becomes "to" in the order of one attribute; rows of the same value keep theirs. */
static void
sort_by_attribute(const CellRows *rows, int attribute, const int32 *from, int32 *to, int32 *next)
{
	const int32 *code = rows->code + attribute;
	int32 before = 0;

	memset(next, 0, sizeof(int32) * rows->tree[attribute].values);
	for (int64 row = 0; row < rows->rows; row++)
	{
		interrupt_check(row);
		next[code[row * rows->attributes]]++;
	}
	for (int32 value = 0; value < rows->tree[attribute].values; value++)
	{
		int32 count = next[value];

		next[value] = before;
		before += count;
	}
	for (int64 at = 0; at < rows->rows; at++)
	{
		interrupt_check(at);
		to[next[code[(int64) from[at] * rows->attributes]]++] = from[at];
	}
}

int32 *
cell_rows_order(const CellRows *rows)
{
	int *sorted = cell_rows_by_cardinality(rows);
	int32 most = rows->attributes > 0 ? rows->tree[sorted[rows->attributes - 1]].values : 0;
	int32 *order = budget_allocate(rows->budget, rows->rows, sizeof(int32), PURPOSE);
	int32 *other = budget_allocate(rows->budget, rows->rows, sizeof(int32), PURPOSE);
	int32 *next = budget_allocate(rows->budget, most, sizeof(int32), PURPOSE);

	for (int32 row = 0; row < rows->rows; row++)
		order[row] = row;
	for (int i = rows->attributes - 1; i >= 0; i--)
	{
		int32 *sorted_so_far = order;

		sort_by_attribute(rows, sorted[i], order, other, next);
		order = other;
		other = sorted_so_far;
	}
	pfree(other);
	pfree(next);
	pfree(sorted);
	return order;
}
