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

#include "base/context.h"
#include "base/interrupt.h"
#include "metric/loss.h"
#include "partition/region.h"
#include "port/pg_bswap.h"
#include "sql/query.h"
#include "utils/memutils.h"

#define PURPOSE "matching of rows"
#define NAMING "drawing of a matching"
#define RESET_EVERY 64

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

/*
 * Adds the bits of one column's values to the names of the rows. "first": the number of its first
 * attribute.
 */
static void
name_column(const MatchingRows *matching, const MatchingColumn *column, int first,
			RandomSource *source, RowName *name)
{
	const MatchingTable *rows = matching->table;
	MemoryContext scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon names", CONTEXT_SMALL_SIZES);

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
			of_value[value] = name_value(source, first + digit, text);
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
	int first = 0;
	QueryScope scope = query_begin();

	/* Numbers as the fields come: the order of ties shifts with other rows. */
	for (int i = 0; i < matching->columns; i++)
	{
		name_column(matching, &matching->column[i], first, source, name);
		first += matching->column[i].count;
	}
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

/* The range of the values that the record covers. */
static RecodedCell
range_cell(const MatchingRecoding *recoding, int number, int64 record)
{
	const MatchingColumn *column = &recoding->rows->column[number];
	const Dataset *dataset = recoding->rows->table->dataset;
	const int32 *covered = matching_covered(recoding->matching, record);
	int32 low = PG_INT32_MAX;
	int32 high = DATASET_NULL;

	for (int i = 0; i < recoding->matching->k; i++)
	{
		int32 code = dataset_record(dataset, covered[i])[column->first];

		interrupt_check(i);
		low = Min(low, code);
		high = Max(high, code);
	}
	return region_cell(&column->recoded, low, high);
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
		else if (column->recoded.spans)
			cell[i] = range_cell(recoding, i, group - 1);
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
		column[i] = rows->column[i].recoded;
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
		AllocSetContextCreate(CurrentMemoryContext, "kanon matching loss", CONTEXT_SMALL_SIZES);
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
		loss += rows->column[rows->order[i]].column->attribute->weight * of_column[rows->order[i]];
	MemoryContextSwitchTo(previous);
	MemoryContextDelete(scratch);
	return loss;
}

static void
free_matching(Matching *matching)
{
	pfree(matching->covered);
	pfree(matching);
}

/* Frees that of the two which loses more. */
static Matching *
better_matching(const MatchingRows *rows, Matching *one, Matching *other)
{
	bool is_better = weighted_loss(rows, one) <= weighted_loss(rows, other);

	free_matching(is_better ? other : one);
	return is_better ? one : other;
}

/* Arranges the rows by the division whose rings lose least; returns the rings. */
static Matching *
ring_classes(MatchingRows *rows, int k)
{
	double least = 0;
	int best = -1;

	for (int i = 0; i < rows->divisions; i++)
	{
		Matching *matching;
		double loss;

		matching_rows_arrange(rows, i);
		matching = ring_run(rows->table, k);
		/* The only one, or the last and best. */
		loss = rows->divisions == 1 ? 0 : weighted_loss(rows, matching);
		if (best < 0 || loss < least)
		{
			best = i;
			least = loss;
		}
		if (i + 1 == rows->divisions && best == i)
			return matching;
		free_matching(matching);
	}
	matching_rows_arrange(rows, best);
	return ring_run(rows->table, k);
}

/* What loses least of the algorithm's records, rings in classes and rings of all rows. */
static Matching *
match_best(MatchingRows *rows, int k, MatchingRun run)
{
	Matching *best = ring_classes(rows, k);
	MatchingTable whole = *rows->table;

	whole.classes = 0;
	whole.class_end = NULL;
	best = better_matching(rows, best, ring_run(&whole, k));
	return run == ring_run ? best : better_matching(rows, run(rows->table, k), best);
}

static Recoding *
recode(RecordCodes *codes, const RecodeOptions *options, MatchingRun run)
{
	MatchingRecoding *recoding;
	MatchingRows *rows = matching_rows_create(codes, options->k);
	Matching *matching = match_best(rows, options->k, run);

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
	return recode(codes, options, ring_run);
}

Recoding *
two_phase_recode(RecordCodes *codes, const RowModels *models, const RecodeOptions *options)
{
	(void) models;
	return recode(codes, options, two_phase_run);
}
