/*
 * matching_rows.c
 *		See matching_rows.h.
 *
 * Example: zip codes 53706, 53711, NULL with a dimension 537** and no single label above have the
 * nodes 0, 1 (values), NULL, 2 (537**), 3 (NULL by itself), 4 ("*").
 */
#include "postgres.h"

#include "record/matching_rows.h"

#include <math.h>

#include "base/interrupt.h"
#include "metric/loss.h"

#define PURPOSE "matching of rows"

/* Plans the attributes of the columns. "left": how many attributes this column may have. */
static int
plan_columns(MatchingRows *matching, DatasetColumn *const *column, const Dataset *dataset)
{
	int attributes = 0;

	matching->columns = dataset->attributes;
	matching->column = palloc0(sizeof(MatchingColumn) * Max(matching->columns, 1));
	for (int i = 0; i < matching->columns; i++)
	{
		MatchingColumn *planned = &matching->column[i];
		int left = CELL_ATTRIBUTES_MOST - attributes - (matching->columns - i - 1);

		planned->column = column[i];
		planned->domain = column[i]->domain;
		planned->dimension = column[i]->codes.dimension;
		if (planned->domain)
			planned->digits = masked_digits_find(planned->domain, planned->domain->value_of_code,
												 dataset->values[i], left);
		planned->first = attributes;
		planned->count = planned->digits ? planned->digits->digits : 1;
		attributes += planned->count;
	}
	return attributes;
}

/* The same rows with an attribute for each digit; frees the old dataset. */
static Dataset *
spread_digits(const MatchingRows *matching, Dataset *dataset, int attributes)
{
	Dataset *spread = dataset_create(DATASET_RECORDS, attributes, dataset->budget);

	dataset_reserve(spread, dataset->rows);
	for (int64 row = 0; row < dataset->rows; row++)
	{
		int32 *record = dataset_record(spread, dataset_append(spread, 1));

		interrupt_check(row);
		/* A value is itself, or one letter for each digit; NULL is NULL in all of them. */
		for (int i = 0; i < matching->columns; i++)
		{
			const MaskedDigits *masked = matching->column[i].digits;
			int32 code = *dataset_code(dataset, row, i);

			for (int digit = 0; digit < matching->column[i].count; digit++)
				*record++ = masked && code != DATASET_NULL
								? masked->code[(int64) code * masked->digits + digit]
								: code;
		}
	}
	for (int i = 0; i < matching->columns; i++)
		for (int digit = 0; digit < matching->column[i].count; digit++)
		{
			int attribute = matching->column[i].first + digit;
			const MaskedDigits *masked = matching->column[i].digits;

			spread->values[attribute] = masked ? masked->letters[digit] : dataset->values[i];
			spread->has_null[attribute] = dataset->has_null[i];
		}
	dataset_free(dataset);
	return spread;
}

/* Links a leaf with that ground code to its labels, each below the next. */
static void
link_leaf(const MatchingColumn *column, CellTree *tree, int32 leaf, int32 ground)
{
	const Dimension *dimension = column->dimension;
	int32 child = leaf;

	for (int level = 1; level <= dimension->height; level++)
	{
		int32 node = column->level_begin[level] + dimension->ancestor[level][ground];

		tree->parent[child] = node;
		if (leaf != DATASET_NULL)
			tree->above[node] = Min(tree->above[node], leaf);
		child = node;
	}
	tree->parent[child] = tree->nodes - 1;
}

/*
 * Nodes: values, then the labels of each level, then a root that hides everything if no label does.
 */
static CellTree
label_tree(MatchingColumn *column, Budget *budget)
{
	const Dimension *dimension = column->dimension;
	int32 values = dimension->cardinality[0] - (dimension->has_null ? 1 : 0);
	int32 nodes = values;
	CellTree tree;

	column->level_begin = palloc(sizeof(int32) * (dimension->height + 2));
	column->level_begin[0] = 0;
	for (int level = 1; level <= dimension->height; level++)
	{
		column->level_begin[level] = nodes;
		nodes += dimension->cardinality[level];
	}
	column->level_begin[dimension->height + 1] = nodes;
	tree = cell_tree_create(values, nodes + (dimension->single_top ? 0 : 1), budget);
	for (int level = 1; level <= dimension->height; level++)
		for (int32 code = 0; code < dimension->cardinality[level]; code++)
		{
			int32 node = column->level_begin[level] + code;

			interrupt_check(code);
			/* Only a label with one leaf loses nothing. */
			if (dimension->leaves[level][code] > 1)
				tree.loss[node] =
					Max((int32) rint(MATCHING_UNITS * loss_of_leaves(dimension->leaves[level][code],
																	 dimension->domain)),
						1);
			tree.above[node] = values;
		}
	for (int32 value = 0; value < values; value++)
	{
		interrupt_check(value);
		tree.above[value] = value;
		link_leaf(column, &tree, value, value);
	}
	if (dimension->has_null)
		link_leaf(column, &tree, DATASET_NULL, dimension->null_code[0]);
	tree.parent[tree.nodes - 1] = tree.nodes - 1;
	tree.loss[tree.nodes - 1] = MATCHING_UNITS;
	return tree;
}

static void
add_digits(MatchingRows *matching, const MatchingColumn *column)
{
	MatchingTable *rows = matching->table;
	const MaskedDigits *masked = column->digits;
	int32 units = Max(MATCHING_UNITS / masked->digits, 1);

	for (int digit = 0; digit < masked->digits; digit++)
		rows->tree[column->first + digit] =
			cell_tree_flat(masked->letters[digit], units, rows->budget);
	rows->digits[rows->digit_columns++] =
		(CellDigits){.first = column->first,
					 .domain = {.digits = masked->digits,
								.values = column->domain->declared,
								.letter = masked->declared,
								.has_null = column->dimension->has_null}};
}

static void
add_trees(MatchingRows *matching)
{
	MatchingTable *rows = matching->table;
	int32 units = 1; /* if no cell lies between shown and hidden */

	for (int i = 0; i < matching->columns; i++)
		units = matching->column[i].domain ? MATCHING_UNITS : units;
	rows->digits = palloc(sizeof(CellDigits) * Max(matching->columns, 1));
	for (int i = 0; i < matching->columns; i++)
	{
		MatchingColumn *column = &matching->column[i];

		if (column->digits)
			add_digits(matching, column);
		else if (column->dimension)
			rows->tree[column->first] = label_tree(column, rows->budget);
		else
			rows->tree[column->first] =
				cell_tree_flat(rows->dataset->values[column->first], units, rows->budget);
	}
}

MatchingRows *
matching_rows_create(Dataset *dataset, DatasetColumn *const *column)
{
	MatchingRows *matching = palloc(sizeof(MatchingRows));
	int attributes = plan_columns(matching, column, dataset);

	if (attributes > dataset->attributes)
		dataset = spread_digits(matching, dataset, attributes);
	/* Equal rows become neighbours, and the order of arrival no longer matters. */
	dataset_sort(dataset);
	matching->table = matching_table_create(dataset);
	add_trees(matching);
	matching->position_of_row =
		budget_allocate(dataset->budget, dataset->rows, sizeof(int32), PURPOSE);
	for (int64 position = 0; position < dataset->rows; position++)
	{
		interrupt_check(position);
		matching->position_of_row[dataset_row(dataset, dataset_record(dataset, position))] =
			(int32) position;
	}
	return matching;
}

RecodedCell
matching_rows_cell(const MatchingColumn *column, const CellTree *tree, int32 node)
{
	const Dimension *dimension = column->dimension;
	RecodedCell cell = {.kind = RECODED_LABEL};

	if (node == DATASET_NULL)
		return (RecodedCell){.kind = recoding_null(&(RecodingColumn){.dimension = dimension})};
	if (dimension == NULL)
		return node == tree->values
				   ? (RecodedCell){.kind = RECODED_ALL}
				   : (RecodedCell){.kind = RECODED_SPAN, .low = node, .high = node};
	while (cell.level <= dimension->height && node >= column->level_begin[cell.level + 1])
		cell.level++;
	if (cell.level > dimension->height)
		return (RecodedCell){.kind = RECODED_ALL};
	cell.low = tree->above[node];
	return cell;
}
