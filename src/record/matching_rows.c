/*
 * matching_rows.c
 *		Records as rows of a matching: columns as attributes with trees of cells, and the classes
 *		where records begin.  See matching_recoding.h.
 *
 * Example: zip codes 53706, 53711, NULL with a dimension 537** and no single label above have the
 * nodes 0, 1 (values), NULL, 2 (537**), 3 (NULL by itself), 4 ("*").
 */
#include "postgres.h"

#include "record/matching_recoding.h"

#include <math.h>

#include "base/interrupt.h"
#include "metric/loss.h"
#include "partition/region.h"

#define PURPOSE "matching of rows"
#define MATCHING_UNITS 5040
#define RANGE_LEVELS 10 /* a tree of ranges has, besides values */

/* ---- Columns as attributes. */

/* A column whose cells are ranges: as local recoding recodes it, and as its cells are measured. */
static void
plan_ranges(MatchingColumn *column, int32 values)
{
	RecodingColumn spans =
		region_column(&column->recoded, values > 0 ? 0 : DATASET_NULL, values - 1);

	column->recoded = dataset_column_measured(column->column, &spans);
}

/*
 * Plans the attributes of the columns, in the order of ties.  "left": how many attributes this
 * column may have.
 */
static int
plan_columns(MatchingRows *matching, const RecordCodes *codes)
{
	const Dataset *dataset = codes->dataset;
	DatasetColumn *const *column = codes->column;
	int attributes = 0;

	matching->columns = dataset->attributes;
	matching->column = palloc0(sizeof(MatchingColumn) * Max(matching->columns, 1));
	matching->order = record_codes_order(codes);
	for (int place = 0; place < matching->columns; place++)
	{
		int i = matching->order[place];
		MatchingColumn *planned = &matching->column[i];
		int left = CELL_ATTRIBUTES_MOST - attributes - (matching->columns - place - 1);

		planned->column = column[i];
		planned->recoded = column[i]->codes;
		if (codes->request.spans && planned->recoded.dimension == NULL)
			plan_ranges(planned, dataset->values[i]);
		if (column[i]->hierarchical)
			planned->digits = masked_digits_find(
				column[i]->domain, column[i]->domain->value_of_code, dataset->values[i], left);
		planned->first = attributes;
		planned->count = planned->digits ? planned->digits->digits : 1;
		attributes += planned->count;
	}
	return attributes;
}

/* The same rows with the attributes that are planned; frees the old dataset. */
static Dataset *
spread_columns(const MatchingRows *matching, Dataset *dataset, int attributes)
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
			const MatchingColumn *column = &matching->column[i];
			const MaskedDigits *masked = column->digits;
			int32 code = *dataset_code(dataset, row, i);

			for (int digit = 0; digit < column->count; digit++)
				record[column->first + digit] =
					masked && code != DATASET_NULL
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

/* Links a leaf with that ground code to its labels, each below the next. begin: [level]. */
static void
link_leaf(const Dimension *dimension, const int32 *begin, CellTree *tree, int32 leaf, int32 ground)
{
	int32 child = leaf;

	for (int level = 1; level <= dimension->height; level++)
	{
		int32 node = begin[level] + dimension->ancestor[level][ground];

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
label_tree(const Dimension *dimension, int32 units, Budget *budget)
{
	int32 *begin = palloc(sizeof(int32) * (dimension->height + 1)); /* [level]: its first node */
	int32 values = dimension->cardinality[0] - (dimension->has_null ? 1 : 0);
	int32 nodes = values;
	CellTree tree;

	for (int level = 1; level <= dimension->height; level++)
	{
		begin[level] = nodes;
		nodes += dimension->cardinality[level];
	}
	tree = cell_tree_create(values, nodes + (dimension->single_top ? 0 : 1), budget);
	for (int level = 1; level <= dimension->height; level++)
		for (int32 code = 0; code < dimension->cardinality[level]; code++)
		{
			int32 node = begin[level] + code;

			interrupt_check(code);
			/* Only a label with one leaf loses nothing. */
			if (dimension->leaves[level][code] > 1 && units > 0)
				tree.loss[node] =
					Max((int32) rint(units * loss_of_leaves(dimension->leaves[level][code],
															dimension->domain)),
						1);
			tree.above[node] = values;
		}
	for (int32 value = 0; value < values; value++)
	{
		interrupt_check(value);
		tree.above[value] = value;
		link_leaf(dimension, begin, &tree, value, value);
	}
	if (dimension->has_null)
		link_leaf(dimension, begin, &tree, DATASET_NULL, dimension->null_code[0]);
	tree.parent[tree.nodes - 1] = tree.nodes - 1;
	tree.loss[tree.nodes - 1] = units;
	pfree(begin);
	return tree;
}

/*
 * ---- Ranges.
 *
 * The search needs few cells, which form a tree: the values in order, halved again and again.  What
 * a record shows in the end is no node but the range of the values that it covers.
 *
 * Example: five values, three levels: 0 | 1 | 2 | 3 | 4, 01 | 2 | 34 and, as the top level,
 * all of them with NULL.
 */

/* At "depth" halvings, the part of a value, and the first value of a part. */
static inline int32
part_of(int32 value, int32 values, int depth)
{
	return (int32) (((int64) value << depth) / values);
}

static inline int32
part_begin(int32 part, int32 values, int depth)
{
	return (int32) ((((int64) part * values) + ((int64) 1 << depth) - 1) >> depth);
}

static int32
range_units(const RecodingColumn *column, int32 low, int32 high, int32 units)
{
	RecodedCell cell = {.kind = RECODED_SPAN, .low = low, .high = high};

	/* Only a single value loses nothing. */
	return low == high || units == 0 ? 0
									 : Max((int32) rint(units * loss_of_cell(column, &cell)), 1);
}

/* A column of several values. */
static CellTree
range_tree(const RecodingColumn *column, int32 values, int32 units, Budget *budget)
{
	int height = 1;
	int32 begin = values; /* of the nodes of a level */
	CellTree tree;

	while (height < RANGE_LEVELS && (1 << height) < values)
		height++;
	tree = cell_tree_create(values, values + (1 << height) - 1, budget);
	for (int32 value = 0; value < values; value++)
	{
		interrupt_check(value);
		tree.above[value] = value;
		tree.parent[value] = values + part_of(value, values, height - 1);
	}
	for (int depth = height - 1; depth >= 0; depth--)
	{
		for (int32 part = 0; part < 1 << depth; part++)
		{
			int32 low = part_begin(part, values, depth);

			tree.above[begin + part] = low;
			tree.parent[begin + part] = begin + (1 << depth) + part / 2;
			tree.loss[begin + part] =
				range_units(column, low, part_begin(part + 1, values, depth) - 1, units);
		}
		begin += 1 << depth;
	}
	tree.parent[tree.nodes - 1] = tree.nodes - 1;
	tree.loss[tree.nodes - 1] = units;
	return tree;
}

static void
add_range(MatchingRows *matching, const MatchingColumn *column, int32 units)
{
	MatchingTable *rows = matching->table;
	int32 values = rows->dataset->values[column->first];

	rows->tree[column->first] = range_tree(&column->recoded, values, units, rows->budget);
	rows->range[column->first] = &column->recoded;
}

static void
add_digits(MatchingRows *matching, const MatchingColumn *column, int32 whole)
{
	MatchingTable *rows = matching->table;
	const MaskedDigits *masked = column->digits;
	int32 units = whole > 0 ? Max(whole / masked->digits, 1) : 0;
	DigitDomain *domain = palloc(sizeof(DigitDomain));

	for (int digit = 0; digit < masked->digits; digit++)
		rows->tree[column->first + digit] =
			cell_tree_flat(masked->letters[digit], units, rows->budget);
	*domain = (DigitDomain){.digits = masked->digits,
							.values = column->column->domain->declared,
							.letter = masked->declared,
							.has_null = column->recoded.dimension->has_null};
	rows->digits[column->first] = domain;
}

/* The greatest declared weight. */
static double
most_weight(const MatchingRows *matching)
{
	double most = 0;

	for (int i = 0; i < matching->columns; i++)
		most = Max(most, matching->column[i].column->attribute->weight);
	return most;
}

static void
add_trees(MatchingRows *matching)
{
	MatchingTable *rows = matching->table;
	double most = most_weight(matching);
	int32 whole = 1; /* if no cell lies between shown and hidden, and all weigh the same */

	for (int i = 0; i < matching->columns; i++)
		if (matching->column[i].recoded.dimension || matching->column[i].recoded.spans ||
			matching->column[i].column->attribute->weight != most)
			whole = MATCHING_UNITS;
	for (int i = 0; i < matching->columns; i++)
	{
		MatchingColumn *column = &matching->column[i];
		double weight = most > 0 ? column->column->attribute->weight / most : 1;
		int32 units = weight > 0 ? Max((int32) rint(whole * weight), 1) : 0;

		if (column->digits)
			add_digits(matching, column, units);
		else if (column->recoded.dimension)
			rows->tree[column->first] = label_tree(column->recoded.dimension, units, rows->budget);
		else if (column->recoded.spans && !column->recoded.plain &&
				 rows->dataset->values[column->first] > 1)
			add_range(matching, column, units);
		else
			rows->tree[column->first] =
				cell_tree_flat(rows->dataset->values[column->first], units, rows->budget);
	}
}

/* ---- Divisions into the classes of local recoding, where records begin. */

/*
 * A column as local recoding is to see it: values without a dimension are shown, or hidden with all
 * others.
 */
static RecodingColumn
class_column(const DatasetColumn *column, int32 values, bool has_null, Budget *budget)
{
	RecodingColumn codes = column->codes;
	int32 *label;
	const int32 *labels[2];
	const int32 *leaves[2];
	int32 label_count[2] = {0, 1};

	if (codes.dimension)
		return codes;
	label = budget_allocate(budget, Max(values, 1), sizeof(int32), PURPOSE);
	labels[1] = label;
	leaves[1] = &values;
	codes =
		(RecodingColumn){.dimension = dimension_create(&(DimensionInput){.height = 1,
																		 .ground_count = values,
																		 .label = labels,
																		 .label_count = label_count,
																		 .leaves = leaves,
																		 .domain = values,
																		 .has_null = has_null},
													   budget)};
	pfree(label);
	return codes;
}

static void
add_division(MatchingRows *matching, RecordCodes *codes, const RecodingColumn *column, int k)
{
	MatchingClasses *division = &matching->division[matching->divisions++];

	division->class_of_row = local_recoding_classes(codes, column, NULL, k, &division->count);
}

static void
find_divisions(MatchingRows *matching, RecordCodes *codes, int k)
{
	const Dataset *dataset = codes->dataset;
	RecodingColumn *column = dataset_columns_codes(codes->column, dataset->attributes);
	bool cuts = false;

	if (codes->request.spans)
	{
		add_division(matching, codes, column, k);
		return;
	}
	for (int i = 0; i < dataset->attributes; i++)
	{
		cuts = cuts || codes->column[i]->codes.dimension == NULL;
		column[i] =
			class_column(codes->column[i], dataset->values[i], dataset->has_null[i], codes->budget);
	}
	add_division(matching, codes, column, k);
	if (cuts)
		add_division(matching, codes, dataset_columns_codes(codes->column, dataset->attributes), k);
}

static void
find_positions(MatchingRows *matching)
{
	const Dataset *dataset = matching->table->dataset;

	for (int64 position = 0; position < dataset->rows; position++)
	{
		interrupt_check(position);
		matching->position_of_row[dataset_row(dataset, dataset_record(dataset, position))] =
			(int32) position;
	}
}

void
matching_rows_arrange(MatchingRows *matching, int division)
{
	Dataset *dataset = matching->table->dataset;
	int32 classes = matching->division[division].count;
	const int32 *class_of_row = matching->division[division].class_of_row;
	int32 *end = budget_allocate(dataset->budget, (Size) classes + 2, sizeof(int32), PURPOSE);
	int32 *order = budget_allocate(dataset->budget, dataset->rows, sizeof(int32), PURPOSE);

	if (matching->table->class_end)
		pfree(unconstify(int32 *, matching->table->class_end) - 2);
	dataset_sort(dataset);
	for (int64 row = 0; row < dataset->rows; row++)
	{
		interrupt_check(row);
		end[class_of_row[row]]++;
	}
	for (int32 class = 1; class <= classes; class ++)
		end[class] += end[class - 1];
	end[classes + 1] = (int32) dataset->rows;
	/* Ends become beginnings. */
	for (int64 at = dataset->rows - 1; at >= 0; at--)
	{
		interrupt_check(at);
		order[--end[class_of_row[dataset_row(dataset, dataset_record(dataset, at))]]] = (int32) at;
	}
	dataset_arrange(dataset, order);
	pfree(order);
	matching->table->classes = classes;
	matching->table->class_end = end + 2;
	find_positions(matching);
}

MatchingRows *
matching_rows_create(RecordCodes *codes, int k)
{
	MatchingRows *matching = palloc0(sizeof(MatchingRows));
	Dataset *dataset = codes->dataset;
	int attributes = plan_columns(matching, codes);

	if (k > 0)
		find_divisions(matching, codes, k);
	dataset = spread_columns(matching, dataset, attributes);
	/* Equal rows become neighbours, and the order of arrival no longer matters. */
	dataset_sort(dataset);
	matching->table = matching_table_create(dataset);
	add_trees(matching);
	matching->position_of_row =
		budget_allocate(dataset->budget, dataset->rows, sizeof(int32), PURPOSE);
	find_positions(matching);
	return matching;
}

RecodedCell
matching_rows_cell(const MatchingColumn *column, const CellTree *tree, int32 node)
{
	const Dimension *dimension = column->recoded.dimension;
	RecodedCell cell = {.kind = RECODED_LABEL};

	if (node == DATASET_NULL)
		return (RecodedCell){.kind = recoding_null(&column->recoded)};
	if (dimension == NULL)
		return node == tree->values
				   ? (RecodedCell){.kind = RECODED_ALL}
				   : (RecodedCell){.kind = RECODED_SPAN, .low = node, .high = node};
	cell.level = cell_tree_height(tree) - cell_tree_above(tree, node);
	if (cell.level > dimension->height)
		return (RecodedCell){.kind = RECODED_ALL};
	cell.low = tree->above[node];
	return cell;
}
