/*
 * trial_matching.c
 *		Trials of cells generalized one by one: trees, rings, matchings and their
 *		draw; see trial.h.
 *
 * Random numbers are the trial's own choices here, not SHA-256's.
 */
#include "postgres.h"

#include "trial.h"

#include <math.h>

static Draw *numbers;

uint64
random_below(Random *random, uint64 bound)
{
	(void) random;
	return (uint64) draw_below(numbers, (int) bound);
}

/* They come from nowhere else, whatever they are for. */
void
random_source_add(RandomSource *source, const void *bytes, Size length)
{
	(void) source;
	(void) bytes;
	(void) length;
}

Random
random_source_numbers(RandomSource *source)
{
	return (Random){.source = source};
}

/* ---- trees */

/* Values, groups of neighbours above them, and the root. */
static CellTree
draw_tree(Trial *trial, int32 values)
{
	int32 groups = 0;
	int32 begin[16];
	CellTree tree;

	for (int32 value = 0; value < values; value++)
		if (value == 0 || draw_one_in(trial->draw, 2))
			begin[groups++] = value;
	tree = cell_tree_create(values, values + groups + 1, &trial->budget);
	for (int32 group = 0; group < groups; group++)
	{
		int32 end = group + 1 < groups ? begin[group + 1] : values;

		for (int32 value = begin[group]; value < end; value++)
			tree.parent[value] = values + group;
		tree.parent[values + group] = tree.nodes - 1;
		tree.loss[values + group] = draw_between(trial->draw, 1, 5);
	}
	if (draw_one_in(trial->draw, 2))
		tree.parent[DATASET_NULL] = values + draw_below(trial->draw, groups);
	tree.parent[tree.nodes - 1] = tree.nodes - 1;
	tree.loss[tree.nodes - 1] = 7;
	return tree;
}

/* Dense codes, not all of which need occur. */
Dataset *
trial_draw_records(Trial *trial, int attributes, int rows, int most_values)
{
	Draw *draw = trial->draw;
	Dataset *dataset = dataset_create(DATASET_RECORDS, attributes, &trial->budget);

	for (int row = 0; row < rows; row++)
		dataset_append(dataset, 1);
	for (int i = 0; i < attributes; i++)
	{
		int nulls = draw_one_in(draw, 3) ? 1 : 0;

		dataset->values[i] = draw_between(draw, 1, most_values);
		dataset->has_null[i] = nulls > 0;
		for (int row = 0; row < rows; row++)
			*dataset_code(dataset, row, i) =
				draw_below(draw, draw_one_in(draw, 3) ? 1 : dataset->values[i] + nulls) - nulls;
	}
	return dataset;
}

/* Now and then attributes side by side are the digits of a column, which has more values than
 * occur, and NULL in all of them or in none. */
static void
draw_digits(Trial *trial, MatchingTable *rows)
{
	Draw *draw = trial->draw;
	int first = draw_below(draw, rows->dataset->attributes);
	int digits = draw_between(draw, 1, rows->dataset->attributes - first);
	int others = draw_below(draw, 6);
	int32 *letter = palloc(sizeof(int32) * (rows->dataset->rows + others) * digits);
	bool has_null = draw_one_in(draw, 2);
	DigitDomain *domain;
	int32 values = 0;

	if (digits < 2)
		return;
	for (int64 value = 0; value < rows->dataset->rows + others; value++)
	{
		int32 *code =
			value < rows->dataset->rows ? dataset_record(rows->dataset, value) + first : NULL;
		bool is_null = code && has_null && draw_one_in(draw, 4);
		bool known = is_null;

		for (int i = 0; i < digits; i++)
		{
			int32 letters = rows->tree[first + i].values;

			if (code)
				code[i] = Max(code[i], 0);
			letter[values * digits + i] = code ? code[i] : draw_between(draw, -1, letters - 1);
			if (letter[values * digits + i] < 0)
				letter[values * digits + i] = RECODED_MASKED - 1;
			if (is_null)
				code[i] = DATASET_NULL;
		}
		for (int32 other = 0; other < values && !known; other++)
			known = memcmp(letter + other * digits, letter + values * digits,
						   sizeof(int32) * digits) == 0;
		values += known ? 0 : 1;
	}
	for (int i = 0; i < digits; i++)
	{
		rows->tree[first + i] = cell_tree_flat(rows->tree[first + i].values, 3, &trial->budget);
		rows->dataset->has_null[first + i] = has_null;
	}
	domain = palloc(sizeof(DigitDomain));
	*domain =
		(DigitDomain){.digits = digits, .values = values, .letter = letter, .has_null = has_null};
	rows->digits[first] = domain;
}

/* Places on a scale, the tree over ranges of values as they come: not all nodes are needed. */
static void
draw_range(Draw *draw, MatchingTable *rows, int attribute)
{
	int32 values = rows->dataset->values[attribute];
	RecodingColumn *range = palloc0(sizeof(RecodingColumn));
	double *position = palloc(sizeof(double) * values);

	position[0] = 0;
	for (int32 value = 1; value < values; value++)
		position[value] = position[value - 1] + draw_between(draw, draw_one_in(draw, 4) ? 0 : 1, 9);
	range->spans = true;
	range->position = draw_one_in(draw, 2) ? position : NULL;
	range->whole = recoding_place(range, values - 1) - recoding_place(range, 0);
	rows->range[attribute] = range;
}

MatchingTable *
trial_draw_rows(Trial *trial, int most)
{
	Draw *draw = trial->draw;
	int attributes = draw_between(draw, 1, 6);
	MatchingTable *rows = matching_table_create(
		trial_draw_records(trial, attributes, draw_between(draw, 1, most), 8));

	for (int i = 0; i < attributes; i++)
	{
		int32 values = rows->dataset->values[i];

		rows->tree[i] = draw_one_in(draw, 2) ? cell_tree_flat(values, 3, &trial->budget)
											 : draw_tree(trial, values);
	}
	if (draw_one_in(draw, 2))
		draw_digits(trial, rows);
	for (int i = 0; i < attributes; i++)
		if (rows->dataset->values[i] > 1 && !trial_is_digit(rows, i) && draw_one_in(draw, 3))
			draw_range(draw, rows, i);
	return rows;
}

int
trial_digits_first(const MatchingTable *rows)
{
	for (int i = 0; i < rows->dataset->attributes; i++)
		if (rows->digits[i])
			return i;
	return -1;
}

bool
trial_is_digit(const MatchingTable *rows, int attribute)
{
	int first = trial_digits_first(rows);

	return first >= 0 && attribute >= first && attribute < first + rows->digits[first]->digits;
}

/* How many values have the digits that the record shows, one by one. */
static int32
count_leaves(const Matching *matching, const MatchingTable *rows, int64 record, bool *hides_all)
{
	int first = trial_digits_first(rows);
	const DigitDomain *domain = rows->digits[first];
	int32 leaves = 0;

	for (int32 value = 0; value < domain->values; value++)
	{
		bool has = true;

		*hides_all = true;
		for (int i = 0; i < domain->digits; i++)
		{
			int32 node = matching_cell(matching, rows, record, first + i);
			bool hides = node == rows->tree[first + i].values;

			has = has && (hides || node == domain->letter[value * domain->digits + i]);
			*hides_all = *hides_all && hides;
		}
		leaves += has ? 1 : 0;
	}
	return leaves;
}

double
trial_digits_loss(const Matching *matching, const MatchingTable *rows, int64 record)
{
	const DigitDomain *domain = rows->digits[trial_digits_first(rows)];
	bool hides_all = true;
	int32 leaves = count_leaves(matching, rows, record, &hides_all);

	/* Only rows without values can hide all of a domain that has none. */
	if (hides_all && domain->values > 0)
		return domain->values > 1 || domain->has_null ? 1 : 0;
	return leaves > 1 ? (leaves - 1.0) / (domain->values - 1.0) : 0;
}

/* ---- what must hold */

static void
check_order(Dataset *dataset)
{
	int *sorted = dataset_by_cardinality(dataset);
	bool *found = palloc0(sizeof(bool) * dataset->rows);

	dataset_sort(dataset);
	for (int64 at = 0; at < dataset->rows; at++)
	{
		const int32 *after = dataset_record(dataset, at);
		const int32 *record = dataset_record(dataset, Max(at - 1, 0));
		int i = 0;

		if (found[dataset_row(dataset, after)])
			elog(ERROR, "a row stands twice");
		found[dataset_row(dataset, after)] = true;
		while (i < dataset->attributes && record[sorted[i]] == after[sorted[i]])
			i++;
		if (i < dataset->attributes ? (uint32) record[sorted[i]] > (uint32) after[sorted[i]]
									: dataset_row(dataset, record) > dataset_row(dataset, after))
			elog(ERROR, "rows are not in order");
	}
	pfree(sorted);
	pfree(found);
}

static bool
lies_under(const CellTree *tree, int32 code, int32 node)
{
	while (code != node && code != tree->parent[code])
		code = tree->parent[code];
	return code == node;
}

/* Does a node lie above all that the record covers, and none of its children? */
static bool
is_least(const Matching *matching, const MatchingTable *rows, int64 record, int attribute,
		 int32 node)
{
	const CellTree *tree = &rows->tree[attribute];

	for (int32 other = DATASET_NULL; other <= node; other++)
	{
		int under = 0;

		for (int i = 0; i < matching->k; i++)
			under += lies_under(
				tree,
				dataset_record(rows->dataset, matching_covered(matching, record)[i])[attribute],
				other);
		if ((under == matching->k) != (other == node))
			return false;
	}
	return true;
}

/* What kanon counts for all records at once. */
static void
check_digits(const Matching *matching, const MatchingTable *rows, int first)
{
	DigitLeaves *leaves = matching_digits(matching, rows, first);

	for (int64 record = 0; record < rows->dataset->rows; record++)
	{
		int32 pattern = 0;

		for (int i = 0; i < rows->digits[first]->digits; i++)
		{
			int32 node = matching_cell(matching, rows, record, first + i);
			bool hides = node == rows->tree[first + i].values;

			pattern = digit_leaves_find(leaves, pattern, hides ? RECODED_MASKED : node);
		}
		if (fabs(leaves->node[pattern].loss - trial_digits_loss(matching, rows, record)) > 1e-12)
			elog(ERROR, "digits of record " INT64_FORMAT " lose %g, not %g", record,
				 leaves->node[pattern].loss, trial_digits_loss(matching, rows, record));
	}
}

static void
check_cells(const Matching *matching, const MatchingTable *rows)
{
	for (int64 record = 0; record < rows->dataset->rows; record++)
		for (int i = 0; i < rows->dataset->attributes; i++)
			if (!is_least(matching, rows, record, i, matching_cell(matching, rows, record, i)))
				elog(ERROR, "cell %d of record " INT64_FORMAT " is not the least", i, record);
	if (trial_digits_first(rows) >= 0)
		check_digits(matching, rows, trial_digits_first(rows));
}

/* Rows side by side that are equal have the same name. */
static RowName *
draw_names(const MatchingTable *rows)
{
	RowName *name = palloc(sizeof(RowName) * Max(rows->dataset->rows, 1));

	for (int64 row = 0; row < rows->dataset->rows; row++)
		name[row] = row > 0 && memcmp(dataset_record(rows->dataset, row),
									  dataset_record(rows->dataset, row - 1),
									  sizeof(int32) * rows->dataset->attributes) == 0
						? name[row - 1]
						: (RowName){.word = {(uint64) draw_below(numbers, 1000000), row}};
	return name;
}

static void
check_draw(Trial *trial, const Matching *matching, const MatchingTable *rows)
{
	RowName *name = draw_names(rows);
	Size before = budget_used(&trial->budget);
	int32 *record_of_row = matching_draw(matching, name, NULL, &trial->budget);
	bool *taken = palloc0(sizeof(bool) * matching->rows);

	for (int64 row = 0; row < matching->rows; row++)
	{
		int32 record = record_of_row[row];
		int at = 0;

		if (record < 0 || record >= matching->rows || taken[record])
			elog(ERROR, "no perfect matching was drawn");
		taken[record] = true;
		/* .. or an equal one. */
		while (at < matching->k && memcmp(&name[matching_covered(matching, record)[at]], &name[row],
										  sizeof(RowName)) != 0)
			at++;
		if (at == matching->k)
			elog(ERROR, "a record was drawn that does not cover the row");
	}
	pfree(name);
	pfree(taken);
	pfree(record_of_row);
	trial_check_kept(trial, before, 0, "a draw");
}

void
trial_matching(Trial *trial)
{
	MatchingTable *rows;
	Matching *matching;
	Size before;
	int k;

	numbers = trial->draw;
	trial->budget = trial_budget(ENOUGH_MEMORY);
	if (draw_one_in(trial->draw, 4))
		trial->budget.limit = (Size) draw_below(trial->draw, 64 * 1024);
	rows = trial_draw_rows(trial, draw_one_in(trial->draw, 4) ? 200 : 30);
	check_order(rows->dataset);
	k = draw_one_in(trial->draw, 4) ? 200 : 5;
	k = draw_between(trial->draw, 1, (int) Min(rows->dataset->rows, k));
	before = budget_used(&trial->budget);
	matching = draw_one_in(trial->draw, 2) ? ring_run(rows, k) : two_phase_run(rows, k);
	trial_check_kept(trial, before, sizeof(int32) * rows->dataset->rows * k, "a matching");
	matching_verify(matching, &trial->budget);
	check_cells(matching, rows);
	check_draw(trial, matching, rows);
}
