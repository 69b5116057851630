/*
 * matching.c
 *		See matching.h.
 *
 * Example: zip codes 1, 1, 2 and k = 2.  Record 0 covers the rows 0 and 1, record 1 the rows 1 and
 * 2, record 2 the rows 2 and 0.  The first shows 1, the others show nothing: two of three cells are
 * hidden.
 */
#include "postgres.h"

#include "matching/matching.h"

#include "base/interrupt.h"

#define PURPOSE "matching of rows"

void *
cell_tree_array(const CellTree *tree, Size size, Budget *budget)
{
	char *array = budget_allocate(budget, (Size) tree->nodes + 1, size, PURPOSE);

	return array + size;
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

Matching *
matching_create(int64 rows, int k, Budget *budget)
{
	Matching *matching = palloc(sizeof(Matching));

	matching->rows = rows;
	matching->k = k;
	matching->covered = budget_allocate(budget, mul_size(rows, k), sizeof(int32), PURPOSE);
	return matching;
}

int32
matching_cell(const Matching *matching, const MatchingTable *rows, int64 record, int attribute)
{
	const CellTree *tree = &rows->tree[attribute];
	const int32 *covered = matching_covered(matching, record);
	int32 cell = dataset_record(rows->dataset, covered[0])[attribute];

	for (int i = 1; i < matching->k; i++)
	{
		interrupt_check(i);
		cell = cell_tree_join(tree, cell, dataset_record(rows->dataset, covered[i])[attribute]);
	}
	return cell;
}

DigitLeaves *
matching_digits(const Matching *matching, const MatchingTable *rows, const CellDigits *digits)
{
	DigitLeaves *leaves = digit_leaves_create(&digits->domain, rows->budget);

	for (int64 record = 0; record < matching->rows; record++)
	{
		int32 pattern = 0;

		CHECK_FOR_INTERRUPTS();
		for (int digit = 0; digit < digits->domain.digits; digit++)
		{
			int attribute = digits->first + digit;
			int32 node = matching_cell(matching, rows, record, attribute);
			bool hides = node == rows->tree[attribute].values;

			pattern = digit_leaves_add(leaves, pattern, hides ? RECODED_MASKED : node);
		}
	}
	digit_leaves_count(leaves);
	return leaves;
}

void
matching_verify(const Matching *matching, Budget *budget)
{
	/* [row]: 1 + the last record that covers it, and the number of records that do. */
	int32 *last_record = budget_allocate(budget, matching->rows, sizeof(int32), PURPOSE);
	int32 *times = budget_allocate(budget, matching->rows, sizeof(int32), PURPOSE);

	for (int64 record = 0; record < matching->rows; record++)
	{
		const int32 *covered = matching_covered(matching, record);

		if (covered[0] != record)
			elog(ERROR, "record " INT64_FORMAT " does not cover its own row first", record);
		for (int i = 0; i < matching->k; i++)
		{
			interrupt_check(record * matching->k + i);
			if (covered[i] < 0 || covered[i] >= matching->rows)
				elog(ERROR, "record " INT64_FORMAT " covers no row", record);
			if (last_record[covered[i]] == record + 1)
				elog(ERROR, "record " INT64_FORMAT " covers row %d twice", record, covered[i]);
			last_record[covered[i]] = (int32) record + 1;
			times[covered[i]]++;
		}
	}
	for (int64 row = 0; row < matching->rows; row++)
	{
		interrupt_check(row);
		if (times[row] != matching->k)
			elog(ERROR, "row " INT64_FORMAT " is covered by %d records, not %d", row, times[row],
				 matching->k);
	}
	pfree(last_record);
	pfree(times);
}
