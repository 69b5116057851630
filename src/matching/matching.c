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
#include "metric/loss.h"

#define PURPOSE "matching of rows"
#define DIGITS_PURPOSE "digits of values"

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

int
cell_tree_above(const CellTree *tree, int32 node)
{
	int above = 0;

	for (; node != tree->nodes - 1; node = tree->parent[node])
		above++;
	return above;
}

MatchingTable *
matching_table_create(Dataset *dataset)
{
	MatchingTable *rows = palloc0(sizeof(MatchingTable));

	rows->dataset = dataset;
	rows->tree = palloc0(sizeof(CellTree) * Max(dataset->attributes, 1));
	rows->digits = palloc0(sizeof(DigitDomain *) * Max(dataset->attributes, 1));
	rows->range = palloc0(sizeof(RecodingColumn *) * Max(dataset->attributes, 1));
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

/*
 * ---- Digits.
 *
 * Values are counted for all patterns at once.  Where a letter is shown, the values with that
 * letter continue; where the digit is hidden, all do.  Those that reach the end of a pattern match
 * all the digits that it shows.
 *
 * Example: the values 111, 112, 212 and the patterns 11*, *12.  Two values begin with 1, both
 * continue with 1, and both match where the last digit is hidden: 11* loses (2 - 1) / (3 - 1).  All
 * three continue where the first digit is hidden, all to 1, two of them to 2.
 */

DigitLeaves *
digit_leaves_create(const DigitDomain *domain, Budget *budget)
{
	DigitLeaves *leaves = palloc0(sizeof(DigitLeaves));

	leaves->domain = domain;
	leaves->budget = budget;
	leaves->room = 64;
	leaves->node = budget_allocate(budget, leaves->room, sizeof(DigitNode), DIGITS_PURPOSE);
	leaves->node[leaves->nodes++] = (DigitNode){.letter = RECODED_MASKED};
	return leaves;
}

int32
digit_leaves_find(const DigitLeaves *leaves, int32 pattern, int32 letter)
{
	int32 child = leaves->node[pattern].child;

	while (child > 0 && leaves->node[child].letter != letter)
		child = leaves->node[child].sibling;
	return child > 0 ? child : -1;
}

int32
digit_leaves_add(DigitLeaves *leaves, int32 pattern, int32 letter)
{
	int32 found = digit_leaves_find(leaves, pattern, letter);

	if (found >= 0)
		return found;
	leaves->node = budget_room(leaves->budget, leaves->node, &leaves->room,
							   (int64) leaves->nodes + 1, sizeof(DigitNode), DIGITS_PURPOSE);
	leaves->node[leaves->nodes] =
		(DigitNode){.letter = letter, .sibling = leaves->node[pattern].child};
	return leaves->node[pattern].child = leaves->nodes++;
}

/* Moves the values with this letter to the front; returns their number. */
static int32
bring_forward(const DigitDomain *domain, int32 *value, int32 count, int digit, int32 letter)
{
	int32 found = 0;

	for (int32 i = 0; i < count; i++)
	{
		int32 here = value[i];

		interrupt_check(i);
		if (domain->letter[(int64) here * domain->digits + digit] != letter)
			continue;
		value[i] = value[found];
		value[found++] = here;
	}
	return found;
}

/* Counts a pattern and its extensions; the values given match its digits. */
static double
count_values(DigitLeaves *leaves, int32 pattern, int digit, bool hides_all, int32 *value,
			 int32 count)
{
	const DigitDomain *domain = leaves->domain;
	double loss = 1;

	CHECK_FOR_INTERRUPTS();
	leaves->node[pattern].values = count;
	if (digit == domain->digits)
		loss = hides_all ? loss_of_all(count, domain->has_null)
						 : loss_of_leaves(count, domain->values);
	for (int32 child = leaves->node[pattern].child; child > 0; child = leaves->node[child].sibling)
	{
		int32 letter = leaves->node[child].letter;
		bool hides = letter == RECODED_MASKED;
		int32 having = hides ? count : bring_forward(domain, value, count, digit, letter);
		double least = count_values(leaves, child, digit + 1, hides_all && hides, value, having);

		loss = Min(loss, least);
	}
	return leaves->node[pattern].loss = loss;
}

void
digit_leaves_count(DigitLeaves *leaves)
{
	int32 count = leaves->domain->values;
	int32 *value = budget_allocate(leaves->budget, count, sizeof(int32), DIGITS_PURPOSE);

	for (int32 i = 0; i < count; i++)
	{
		interrupt_check(i);
		value[i] = i;
	}
	count_values(leaves, 0, 0, true, value, count);
	pfree(value);
}

DigitLeaves *
matching_digits(const Matching *matching, const MatchingTable *rows, int attribute)
{
	const DigitDomain *domain = rows->digits[attribute];
	DigitLeaves *leaves = digit_leaves_create(domain, rows->budget);

	for (int64 record = 0; record < matching->rows; record++)
	{
		int32 pattern = 0;

		CHECK_FOR_INTERRUPTS();
		for (int at = attribute; at < attribute + domain->digits; at++)
			pattern = digit_leaves_add(
				leaves, pattern,
				digit_leaves_letter(&rows->tree[at], matching_cell(matching, rows, record, at)));
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
