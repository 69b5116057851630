/*
 * matching_recoding.c
 *		See matching_recoding.h.
 *
 * Each value of each attribute has 128 bits, unpredictable without the key of the draw.  The name
 * of a row is the sum of those of its values: sums of different values are equal only by chance,
 * with probability 2^-128, even for chosen rows.  So a name depends only on the key and the text of
 * the row's own values: not on codes, which shift with other rows, nor on collations, settings or
 * OIDs.  Among equal values with different spellings (1.5 and 1.50), the text is that of the one
 * kept.
 *
 * Example: zip codes 53706, 53711, NULL with a dimension 537** and no single label above have the
 * nodes 0, 1 (values), NULL, 2 (537**), 3 (NULL by itself), 4 ("*").  A record covers 53706 and
 * 53711.  With masked digits: the letters 5, 3, 7 and two masked ones; with the labels 537** and *:
 * the label 537**.  Ages 25 and 26: any value.
 */
#include "postgres.h"

#include "record/matching_recoding.h"

#include <math.h>

#include "base/interrupt.h"
#include "metric/loss.h"
#include "port/pg_bswap.h"
#include "sql/query.h"
#include "utils/memutils.h"

#define PURPOSE "matching of rows"
#define NAMING "drawing of a matching"
#define RESET_EVERY 64
#define MATCHING_UNITS 5040

/* ---- rows */

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
		planned->dimension = column[i]->codes.dimension;
		if (column[i]->hierarchical)
			planned->digits = masked_digits_find(
				column[i]->domain, column[i]->domain->value_of_code, dataset->values[i], left);
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
label_tree(const Dimension *dimension, Budget *budget)
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
		link_leaf(dimension, begin, &tree, value, value);
	}
	if (dimension->has_null)
		link_leaf(dimension, begin, &tree, DATASET_NULL, dimension->null_code[0]);
	tree.parent[tree.nodes - 1] = tree.nodes - 1;
	tree.loss[tree.nodes - 1] = MATCHING_UNITS;
	pfree(begin);
	return tree;
}

static void
add_digits(MatchingRows *matching, const MatchingColumn *column)
{
	MatchingTable *rows = matching->table;
	const MaskedDigits *masked = column->digits;
	int32 units = Max(MATCHING_UNITS / masked->digits, 1);
	DigitDomain *domain = palloc(sizeof(DigitDomain));

	for (int digit = 0; digit < masked->digits; digit++)
		rows->tree[column->first + digit] =
			cell_tree_flat(masked->letters[digit], units, rows->budget);
	*domain = (DigitDomain){.digits = masked->digits,
							.values = column->column->domain->declared,
							.letter = masked->declared,
							.has_null = column->dimension->has_null};
	rows->digits[column->first] = domain;
}

static void
add_trees(MatchingRows *matching)
{
	MatchingTable *rows = matching->table;
	int32 units = 1; /* if no cell lies between shown and hidden */

	for (int i = 0; i < matching->columns; i++)
		units = matching->column[i].dimension ? MATCHING_UNITS : units;
	for (int i = 0; i < matching->columns; i++)
	{
		MatchingColumn *column = &matching->column[i];

		if (column->digits)
			add_digits(matching, column);
		else if (column->dimension)
			rows->tree[column->first] = label_tree(column->dimension, rows->budget);
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
	cell.level = cell_tree_height(tree) - cell_tree_above(tree, node);
	if (cell.level > dimension->height)
		return (RecodedCell){.kind = RECODED_ALL};
	cell.low = tree->above[node];
	return cell;
}

/* ---- names of rows */

static RowName
name_value(RandomSource *source, int attribute, const char *text)
{
	uint32 number = pg_hton32((uint32) attribute);
	RandomKey key;
	RowName name;

	random_source_add(source, "value", sizeof("value"));
	random_source_add(source, &number, sizeof(number));
	if (text)
		random_source_add(source, text, strlen(text) + 1);
	key = random_source_key(source);
	memcpy(name.word, key.byte, sizeof(name.word));
	for (int i = 0; i < 2; i++)
		name.word[i] = pg_ntoh64(name.word[i]);
	return name;
}

/* Adds the bits of one column's values to the names of the rows. */
static void
name_column(const MatchingRows *matching, const MatchingColumn *column, RandomSource *source,
			RowName *name)
{
	const MatchingTable *rows = matching->table;
	MemoryContext scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon names", ALLOCSET_SMALL_SIZES);

	for (int digit = 0; digit < column->count; digit++)
	{
		int attribute = column->first + digit;
		const CellTree *tree = &rows->tree[attribute];
		RowName *of_value = cell_tree_array(tree, sizeof(RowName), rows->budget);
		MemoryContext previous = MemoryContextSwitchTo(scratch);

		for (int32 value = DATASET_NULL; value < tree->values; value++)
		{
			const char *text = NULL;

			CHECK_FOR_INTERRUPTS();
			if (value != DATASET_NULL)
				text = column->digits ? column->digits->letter[digit][value]
									  : dataset_column_text(column->column, value);
			of_value[value] = name_value(source, attribute, text);
			if (value % RESET_EVERY == 0)
				MemoryContextReset(scratch);
		}
		MemoryContextSwitchTo(previous);
		for (int64 row = 0; row < rows->dataset->rows; row++)
		{
			const RowName *value = &of_value[dataset_record(rows->dataset, row)[attribute]];

			interrupt_check(row);
			name[row].word[0] += value->word[0];
			name[row].word[1] += value->word[1];
		}
		pfree(of_value + DATASET_NULL);
	}
	MemoryContextDelete(scratch);
}

/* The names of the rows, [row]; not within a query scope. */
static RowName *
name_rows(const MatchingRows *matching, RandomSource *source)
{
	const MatchingTable *rows = matching->table;
	RowName *name = budget_allocate(rows->budget, rows->dataset->rows, sizeof(RowName), NAMING);
	QueryScope scope = query_begin();

	for (int i = 0; i < matching->columns; i++)
		name_column(matching, &matching->column[i], source, name);
	query_end(scope);
	return name;
}

/* ---- the recoding */

typedef struct MatchingRecoding
{
	Recoding base;
	const MatchingRows *rows;
	const Matching *matching;
	DigitLeaves **leaves; /* [column]: for digits */
	int32 *letter;        /* [attribute]: of the current record, for digits */
} MatchingRecoding;

/* If NULL's code also stands for unknown values, the cell shows no digit. */
static RecodedCell
null_cell(const MatchingRecoding *recoding, int number)
{
	const MatchingColumn *column = &recoding->rows->column[number];
	int32 *letter = recoding->letter + column->first;

	for (int digit = 0; digit < column->count; digit++)
		letter[digit] = RECODED_MASKED;
	return (RecodedCell){.kind = recoding_null(&recoding->base.column[number]), .letter = letter};
}

static RecodedCell
digits_cell(const MatchingRecoding *recoding, int number, int64 record)
{
	const MatchingColumn *column = &recoding->rows->column[number];
	const MatchingTable *rows = recoding->rows->table;
	int32 *letter = recoding->letter + column->first;
	RecodedCell cell = {.kind = RECODED_ALL, .letter = letter};
	int32 pattern = 0;

	for (int digit = 0; digit < column->count; digit++)
	{
		int attribute = column->first + digit;
		int32 node = matching_cell(recoding->matching, rows, record, attribute);

		if (node == DATASET_NULL)
			return null_cell(recoding, number);
		letter[digit] = digit_leaves_letter(&rows->tree[attribute], node);
		if (letter[digit] != RECODED_MASKED)
			cell.kind = RECODED_DIGITS;
		pattern = digit_leaves_find(recoding->leaves[number], pattern, letter[digit]);
	}
	cell.leaves = recoding->leaves[number]->node[pattern].values;
	return cell;
}

static void
record_cells(const Recoding *base, int32 group, RecodedCell *cell)
{
	const MatchingRecoding *recoding = (const MatchingRecoding *) base;
	const MatchingTable *rows = recoding->rows->table;

	for (int i = 0; i < base->columns; i++)
	{
		const MatchingColumn *column = &recoding->rows->column[i];

		if (column->digits)
			cell[i] = digits_cell(recoding, i, group - 1);
		else
			cell[i] = matching_rows_cell(
				column, &rows->tree[column->first],
				matching_cell(recoding->matching, rows, group - 1, column->first));
	}
}

/* Assigns to each row the group whose cells it gets. */
static void
assign_groups(const MatchingRows *rows, const Matching *matching, const RandomKey *key,
			  int32 *group_of_row)
{
	int32 *record_of_row = NULL; /* drawn at random */

	if (key)
	{
		RandomSource *source = random_source_open(key);
		RowName *name = name_rows(rows, source);

		record_of_row = matching_draw(matching, name, source, rows->table->budget);
		pfree(name);
		random_source_close(source);
	}
	for (int64 row = 0; row < matching->rows; row++)
	{
		int32 position = group_of_row[row];

		interrupt_check(row);
		group_of_row[row] = (record_of_row ? record_of_row[position] : position) + 1;
	}
	if (record_of_row)
		pfree(record_of_row);
}

/* Equal rows are adjacent; the first one gives their kind its number. */
static void
number_kinds(MatchingRecoding *recoding, Budget *budget)
{
	const Dataset *dataset = recoding->rows->table->dataset;
	int32 *kind_of_row = budget_allocate(budget, dataset->rows, sizeof(int32), PURPOSE);
	int32 kind = 0;
	Size bytes = sizeof(int32) * dataset->attributes;

	for (int32 position = 0; position < dataset->rows; position++)
	{
		const int32 *record = dataset_record(dataset, position);

		interrupt_check(position);
		if (memcmp(record, dataset_record(dataset, kind), bytes) != 0)
			kind = position;
		kind_of_row[dataset_row(dataset, record)] = kind;
	}
	recoding->base.kind_of_row = kind_of_row;
}

static void
covered_kinds(const Recoding *base, int32 group, int32 *kind)
{
	const MatchingRecoding *recoding = (const MatchingRecoding *) base;
	const Dataset *dataset = recoding->rows->table->dataset;
	const int32 *covered = matching_covered(recoding->matching, group - 1);

	for (int i = 0; i < recoding->matching->k; i++)
		kind[i] = base->kind_of_row[dataset_row(dataset, dataset_record(dataset, covered[i]))];
}

/* Each record of the matching is a group of its own. */
static MatchingRecoding *
describe_recoding(const MatchingRows *rows, const Matching *matching)
{
	MatchingRecoding *recoding = palloc0(sizeof(MatchingRecoding));
	RecodingColumn *column = palloc0(sizeof(RecodingColumn) * rows->columns);

	recoding->base = (Recoding){.rows = matching->rows,
								.columns = rows->columns,
								.column = column,
								.groups = (int32) matching->rows,
								.group_of_row = rows->position_of_row,
								.covers = matching->k,
								.covered = covered_kinds,
								.cells = record_cells};
	recoding->rows = rows;
	recoding->matching = matching;
	recoding->letter = palloc(sizeof(int32) * rows->table->dataset->attributes);
	recoding->leaves = palloc0(sizeof(DigitLeaves *) * rows->columns);
	for (int i = 0; i < rows->columns; i++)
	{
		column[i].dimension = rows->column[i].dimension;
		if (rows->column[i].digits == NULL)
			continue;
		column[i].digits = rows->column[i].count;
		recoding->leaves[i] = matching_digits(matching, rows->table, rows->column[i].first);
	}
	return recoding;
}

/* The loss as it is reported, but for a factor. */
static double
weighted_loss(const MatchingRows *rows, const Matching *matching)
{
	MemoryContext scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon matching loss", ALLOCSET_SMALL_SIZES);
	MemoryContext previous = MemoryContextSwitchTo(scratch);
	const MatchingRecoding *recoding = describe_recoding(rows, matching);
	RecodedCell *cell = palloc(sizeof(RecodedCell) * rows->columns);
	double *of_column = palloc0(sizeof(double) * rows->columns);
	double loss = 0;

	for (int32 record = 1; record <= recoding->base.groups; record++)
	{
		CHECK_FOR_INTERRUPTS();
		record_cells(&recoding->base, record, cell);
		for (int i = 0; i < rows->columns; i++)
			of_column[i] += loss_of_cell(&recoding->base.column[i], &cell[i]);
	}
	for (int i = 0; i < rows->columns; i++)
		loss += rows->column[i].column->attribute->weight * of_column[i];
	MemoryContextSwitchTo(previous);
	MemoryContextDelete(scratch);
	return loss;
}

/* Frees that of the two which loses more. */
static Matching *
better_matching(const MatchingRows *rows, Matching *one, Matching *other)
{
	bool is_better = weighted_loss(rows, one) <= weighted_loss(rows, other);
	Matching *worse = is_better ? other : one;

	pfree(worse->covered);
	pfree(worse);
	return is_better ? one : other;
}

/* other: NULL, or a faster algorithm that is taken where it happens to lose less. */
static Recoding *
recode(RecordCodes *codes, const RecodeOptions *options, MatchingRun run, MatchingRun other)
{
	MatchingRecoding *recoding;
	MatchingRows *rows = matching_rows_create(codes->dataset, codes->column);
	Matching *matching = run(rows->table, options->k);

	if (other)
		matching = better_matching(rows, matching, other(rows->table, options->k));
	matching_verify(matching, codes->budget);
	assign_groups(rows, matching, options->draw ? &options->key : NULL, rows->position_of_row);
	recoding = describe_recoding(rows, matching);
	if (options->kinds)
		number_kinds(recoding, codes->budget);
	for (int i = 0; i < rows->columns; i++)
		codes->column[i]->digits = rows->column[i].digits;
	return &recoding->base;
}

Recoding *
ring_recode(RecordCodes *codes, const RowModels *models, const RecodeOptions *options)
{
	(void) models;
	return recode(codes, options, ring_run, NULL);
}

Recoding *
two_phase_recode(RecordCodes *codes, const RowModels *models, const RecodeOptions *options)
{
	(void) models;
	return recode(codes, options, two_phase_run, ring_run);
}
