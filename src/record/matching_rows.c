/*
 * matching_rows.c
 *		See matching_rows.h.
 *
 * Example: zip codes 53706, 53711, NULL with a dimension 537** and no single label
 * above have the nodes 0, 1, 2 (values), 3 (537**), 4 (NULL, by itself), 5 ("*").
 */
#include "postgres.h"

#include "record/matching_rows.h"

#include <math.h>

#include "base/interrupt.h"
#include "metric/loss.h"

#define PURPOSE "matching of rows"

static int32
ground_values(const Dimension *dimension)
{
	return dimension->cardinality[0] - (dimension->has_null ? 1 : 0);
}

/* Which attributes the columns become; "left": as how many this one may be counted. */
static int
plan_columns(MatchingRows *rows, RecordCodes *codes)
{
	int attributes = 0;

	for (int i = 0; i < rows->columns; i++)
	{
		MatchingColumn *column = &rows->column[i];
		int left = CELL_ATTRIBUTES_MOST - attributes - (rows->columns - i - 1);

		column->type = codes->shape->quasi[i].type;
		column->column = codes->column[i];
		column->dimension = codes->attribute[i].dimension;
		column->domain = codes->shape->quasi[i].domain;
		if (column->domain)
			column->digits = masked_digits_find(column->domain, column->domain->value_of_code,
												ground_values(column->dimension), left);
		codes->digits[i] = column->digits;
		column->first = attributes;
		column->count = column->digits ? column->digits->digits : 1;
		attributes += column->count;
	}
	return attributes;
}

/* 1 if no cell can be between shown and hidden. */
static int32
units_of(const MatchingRows *rows)
{
	for (int i = 0; i < rows->columns; i++)
		if (rows->column[i].domain)
			return MATCHING_UNITS;
	return 1;
}

static int
compare_int32(const ValueType *type, Datum a, Datum b)
{
	int32 x = DatumGetInt32(a);
	int32 y = DatumGetInt32(b);

	(void) type;
	return x < y ? -1 : x > y;
}

/* The codes of the column as the attribute's, in the order of their appearance. */
static void
encode_plain(MatchingRows *matching, MatchingColumn *column, const Dataset *dataset, int number)
{
	CellRows *rows = matching->rows;
	ValueType type = {.length = sizeof(int32),
					  .by_value = true,
					  .equality = VALUE_EQUAL_BITS,
					  .compare = compare_int32};

	column->codes = dictionary_create(&type, rows->budget);
	for (int64 row = 0; row < rows->rows; row++)
	{
		int32 code = dataset_record(dataset, row)[number];

		interrupt_check(row);
		rows->code[row * rows->attributes + column->first] =
			dictionary_encode(column->codes, Int32GetDatum(code));
	}
	column->order = dictionary_order(column->codes, DICTIONARY_BY_TYPE);
}

/* .. and then in that of the values. */
static void
fill_plain(MatchingRows *matching, MatchingColumn *column, const Dataset *dataset, int number)
{
	CellRows *rows = matching->rows;
	int32 values;
	int32 *rank;

	encode_plain(matching, column, dataset, number);
	values = dictionary_size(column->codes);
	rank = budget_allocate(rows->budget, values, sizeof(int32), PURPOSE);
	for (int32 value = 0; value < values; value++)
		rank[column->order[value]] = value;
	for (int64 row = 0; row < rows->rows; row++)
	{
		int32 *code = &rows->code[row * rows->attributes + column->first];

		interrupt_check(row);
		*code = rank[*code];
	}
	budget_free(rows->budget, rank, values, sizeof(int32));
	rows->tree[column->first] = cell_tree_flat(values, units_of(matching), rows->budget);
}

/* Ground codes; NULL has the last one. */
static inline int32
ground_code(const MatchingColumn *column, const Dataset *dataset, int64 row, int number)
{
	int32 code = dataset_record(dataset, row)[number];

	return code == DATASET_NULL ? column->dimension->cardinality[0] - 1 : code;
}

/* Of the units, what a label with so many leaves loses: nothing only if it has one. */
static int32
label_units(const Dimension *dimension, int32 leaves)
{
	double loss = loss_of_leaves(leaves, dimension->domain);

	return leaves > 1 ? Max((int32) rint(MATCHING_UNITS * loss), 1) : 0;
}

/* Above the ground: nothing under it yet. */
static void
fill_level(const MatchingColumn *column, CellTree *tree, int level)
{
	const Dimension *dimension = column->dimension;

	for (int32 code = 0; code < dimension->cardinality[level]; code++)
	{
		int32 node = column->level_begin[level] + code;

		interrupt_check(code);
		tree->parent[node] = tree->nodes - 1;
		tree->loss[node] = level == 0 ? 0 : label_units(dimension, dimension->leaves[level][code]);
		tree->above[node] = level == 0 ? code : PG_INT32_MAX;
		tree->below[node] = level == 0 ? code + 1 : 0;
	}
}

/* A value lies under its labels, each of which lies under the next. */
static void
link_value(const MatchingColumn *column, CellTree *tree, int32 value)
{
	const Dimension *dimension = column->dimension;
	int32 child = value;

	for (int level = 1; level <= dimension->height; level++)
	{
		int32 node = column->level_begin[level] + dimension->ancestor[level][value];

		tree->parent[child] = node;
		tree->above[node] = Min(tree->above[node], value);
		tree->below[node] = Max(tree->below[node], value + 1);
		child = node;
	}
}

static CellTree
label_tree(MatchingColumn *column, Budget *budget)
{
	const Dimension *dimension = column->dimension;
	int32 values = dimension->cardinality[0];
	int32 nodes = 0;
	CellTree tree;

	column->level_begin = palloc(sizeof(int32) * (dimension->height + 2));
	for (int level = 0; level <= dimension->height; level++)
	{
		column->level_begin[level] = nodes;
		nodes += dimension->cardinality[level];
	}
	column->level_begin[dimension->height + 1] = nodes;
	tree = cell_tree_create(values, nodes + (dimension->single_top ? 0 : 1), budget);
	for (int level = 0; level <= dimension->height; level++)
		fill_level(column, &tree, level);
	for (int32 value = 0; value < values; value++)
	{
		interrupt_check(value);
		link_value(column, &tree, value);
	}
	tree.parent[tree.nodes - 1] = tree.nodes - 1;
	tree.loss[tree.nodes - 1] = MATCHING_UNITS;
	tree.above[tree.nodes - 1] = 0;
	tree.below[tree.nodes - 1] = values;
	return tree;
}

static void
fill_labels(MatchingRows *matching, MatchingColumn *column, const Dataset *dataset, int number)
{
	CellRows *rows = matching->rows;

	for (int64 row = 0; row < rows->rows; row++)
	{
		interrupt_check(row);
		rows->code[row * rows->attributes + column->first] =
			ground_code(column, dataset, row, number);
	}
	rows->tree[column->first] = label_tree(column, rows->budget);
}

/* NULL has the code behind the letters of each digit. */
static void
fill_digits(MatchingRows *matching, MatchingColumn *column, const Dataset *dataset, int number)
{
	CellRows *rows = matching->rows;
	const MaskedDigits *masked = column->digits;
	int32 units = Max(MATCHING_UNITS / masked->digits, 1);

	for (int64 row = 0; row < rows->rows; row++)
	{
		int32 *code = rows->code + row * rows->attributes + column->first;
		int32 ground = ground_code(column, dataset, row, number);
		bool is_null = dataset_record(dataset, row)[number] == DATASET_NULL;

		interrupt_check(row);
		for (int digit = 0; digit < masked->digits; digit++)
			code[digit] = is_null ? masked->letters[digit]
								  : masked->code[(int64) ground * masked->digits + digit];
	}
	for (int digit = 0; digit < masked->digits; digit++)
		rows->tree[column->first + digit] = cell_tree_flat(
			masked->letters[digit] + (column->dimension->has_null ? 1 : 0), units, rows->budget);
	rows->digits[rows->digit_columns++] =
		(CellDigits){.first = column->first,
					 .domain = {.digits = masked->digits,
								.values = column->domain->declared,
								.letter = masked->declared,
								.has_null = column->dimension->has_null}};
}

/* Rows as neighbours, so that what is done with them does not depend on how they came. */
static void
sort_rows(MatchingRows *matching)
{
	CellRows *rows = matching->rows;
	Size pairs = mul_size(rows->rows, rows->attributes);
	int32 *order = cell_rows_order(rows);
	int32 *code = budget_allocate(rows->budget, pairs, sizeof(int32), PURPOSE);

	matching->row_of_position = budget_allocate(rows->budget, rows->rows, sizeof(int32), PURPOSE);
	for (int64 row = 0; row < rows->rows; row++)
	{
		interrupt_check(row);
		matching->row_of_position[order[row]] = (int32) row;
		memcpy(code + row * rows->attributes, cell_rows_codes(rows, order[row]),
			   sizeof(int32) * rows->attributes);
	}
	budget_free(rows->budget, order, rows->rows, sizeof(int32));
	budget_free(rows->budget, rows->code, pairs, sizeof(int32));
	rows->code = code;
}

MatchingRows *
matching_rows_create(RecordCodes *codes)
{
	MatchingRows *matching = palloc(sizeof(MatchingRows));
	Dataset *dataset = codes->dataset;

	matching->columns = codes->shape->quasi_count;
	matching->column = palloc0(sizeof(MatchingColumn) * matching->columns);
	matching->rows =
		cell_rows_create(plan_columns(matching, codes), dataset->rows, dataset->budget);
	matching->rows->digits = palloc(sizeof(CellDigits) * matching->columns);
	for (int i = 0; i < matching->columns; i++)
	{
		MatchingColumn *column = &matching->column[i];

		if (column->digits)
			fill_digits(matching, column, dataset, i);
		else if (column->dimension)
			fill_labels(matching, column, dataset, i);
		else
			fill_plain(matching, column, dataset, i);
	}
	dataset_free(dataset);
	codes->dataset = NULL;
	sort_rows(matching);
	return matching;
}

static RecodedCell
label_cell(const MatchingColumn *column, const CellTree *tree, int32 node)
{
	const Dimension *dimension = column->dimension;
	/* Whatever lies under the label, but NULL, which is the last. */
	RecodedCell cell = {.kind = RECODED_LABEL, .low = tree->above[node]};

	if (dimension->has_null && node == dimension->cardinality[0] - 1)
		cell.kind = RECODED_NULL;
	while (cell.level <= dimension->height && node >= column->level_begin[cell.level + 1])
		cell.level++;
	if (cell.level > dimension->height)
		cell.kind = RECODED_ALL;
	return cell;
}

RecodedCell
matching_rows_cell(const MatchingColumn *column, const CellTree *tree, int32 node)
{
	RecodedCell cell = {.kind = RECODED_ALL};

	if (column->dimension)
		return label_cell(column, tree, node);
	if (node == tree->values)
		return cell;
	cell.low = cell.high = DatumGetInt32(dictionary_value(column->codes, column->order[node]));
	cell.kind = cell.low == DATASET_NULL ? RECODED_NULL : RECODED_SPAN;
	return cell;
}
