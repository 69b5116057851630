/*
 * match_rows.c
 *		See match_rows.h.
 */
#include "postgres.h"

#include "suppress/match_rows.h"

#include "base/interrupt.h"
#include "frequency/frequency_space.h"
#include "utils/memutils.h"

#define PURPOSE "rows that match"
#define BIAS 1 /* of counts that may fall: a count table has none of 0 */

typedef struct MatchPattern
{
	ColumnSet shown;
	int64 rows;
	uint64 *mask; /* [word] */
} MatchPattern;

struct MatchTable
{
	const MatchRows *rows;
	ColumnSet columns;
	CountTable *counts; /* by keys of the columns shown */
	MatchPattern *pattern;
	int patterns;
	int64 capacity;
	uint64 *key; /* [COUNT_BLOCK][word]: scratch space */
	MemoryContext context;
};

/* Sets the key of a row, and the columns in which it has a value. */
static void
set_row(MatchRows *rows, int64 row, const int *order, const KeyField *field)
{
	uint64 *key = rows->key + row * rows->words;

	for (int i = 0; i < rows->columns; i++)
	{
		int32 code = *dataset_code(rows->dataset, row, order ? order[i] : i);

		if (code == DATASET_NULL)
			continue;
		rows->shown[row] |= column_set_of(i);
		key[field[i].word] |= (uint64) (code + 1) << field[i].shift;
	}
}

MatchRows *
match_rows_create(const Dataset *dataset, const int *order)
{
	int columns = dataset->attributes;
	MatchRows *rows = palloc0(sizeof(MatchRows));
	KeyField *field = palloc(sizeof(KeyField) * Max(columns, 1));
	int32 *cardinality = palloc(sizeof(int32) * Max(columns, 1));

	Assert(columns <= MATCH_COLUMNS_MOST);
	for (int i = 0; i < columns; i++)
		cardinality[i] = dataset->values[order ? order[i] : i] + 1;
	rows->dataset = dataset;
	rows->columns = columns;
	rows->words = frequency_space_layout(columns, cardinality, field);
	rows->mask = palloc0(sizeof(uint64) * rows->words * Max(columns, 1));
	for (int i = 0; i < columns; i++)
		rows->mask[i * rows->words + field[i].word] = field[i].mask << field[i].shift;
	rows->key = budget_allocate(dataset->budget, mul_size(dataset->rows, rows->words),
								sizeof(uint64), PURPOSE);
	rows->shown = budget_allocate(dataset->budget, dataset->rows, sizeof(ColumnSet), PURPOSE);
	for (int64 row = 0; row < dataset->rows; row++)
	{
		interrupt_check(row);
		set_row(rows, row, order, field);
	}
	pfree(field);
	pfree(cardinality);
	return rows;
}

void
match_rows_mask(const MatchRows *rows, ColumnSet columns, uint64 *mask)
{
	memset(mask, 0, sizeof(uint64) * rows->words);
	for (int i = 0; i < rows->columns; i++)
		for (int word = 0; (columns >> i & 1) && word < rows->words; word++)
			mask[word] |= rows->mask[i * rows->words + word];
}

void
match_rows_key(const MatchRows *rows, int64 row, ColumnSet columns, uint64 *key)
{
	match_rows_mask(rows, columns, key);
	for (int word = 0; word < rows->words; word++)
		key[word] &= rows->key[row * rows->words + word];
}

static inline int64
members(const MatchRows *rows, int64 row)
{
	const Dataset *dataset = rows->dataset;

	return dataset->layout == DATASET_GROUPS
			   ? dataset_members(dataset, dataset_record(dataset, row))
			   : 1;
}

static MatchPattern *
add_pattern(MatchTable *table, int place, ColumnSet shown)
{
	const MatchRows *rows = table->rows;
	MemoryContext caller = MemoryContextSwitchTo(table->context);
	MatchPattern *pattern;

	table->pattern = budget_room(rows->dataset->budget, table->pattern, &table->capacity,
								 table->patterns + 1, sizeof(MatchPattern), PURPOSE);
	pattern = table->pattern + place;
	memmove(pattern + 1, pattern, sizeof(MatchPattern) * (table->patterns++ - place));
	*pattern = (MatchPattern){.shown = shown, .mask = palloc(sizeof(uint64) * rows->words)};
	match_rows_mask(rows, shown, pattern->mask);
	MemoryContextSwitchTo(caller);
	return pattern;
}

/* The pattern of rows that show this of the table's columns, by bisection. */
static MatchPattern *
find_pattern(MatchTable *table, ColumnSet shown)
{
	int low = 0;
	int high = table->patterns;

	while (low < high)
	{
		int middle = (low + high) / 2;

		if (table->pattern[middle].shown < shown)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < table->patterns && table->pattern[low].shown == shown)
		return &table->pattern[low];
	return add_pattern(table, low, shown);
}

static inline void
make_key(const MatchTable *table, int64 row, const MatchPattern *pattern, uint64 *key)
{
	const MatchRows *rows = table->rows;

	for (int word = 0; word < rows->words; word++)
		key[word] = rows->key[row * rows->words + word] & pattern->mask[word];
}

bool
match_table_add(MatchTable *table, int64 row, ColumnSet shown, int64 count)
{
	MatchPattern *pattern = find_pattern(table, shown & table->columns);

	make_key(table, row, pattern, table->key);
	pattern->rows += count;
	if (!count_table_has(table->counts, table->key))
		count += BIAS;
	return count_table_add_block(table->counts, table->key, &count, 1);
}

MatchTable *
match_table_create(const MatchRows *rows, const ColumnSet *shown, ColumnSet columns)
{
	MatchTable *table = palloc0(sizeof(MatchTable));

	table->rows = rows;
	table->columns = columns;
	table->context = CurrentMemoryContext;
	table->counts = count_table_create(rows->words, rows->dataset->budget, 0);
	table->key = palloc(sizeof(uint64) * rows->words * COUNT_BLOCK);
	for (int64 row = 0; row < rows->dataset->rows; row++)
	{
		interrupt_check(row);
		if (!match_table_add(table, row, shown[row], members(rows, row)))
			budget_exceeded(rows->dataset->budget, 0, PURPOSE);
	}
	return table;
}

Size
match_table_bytes(const MatchRows *rows)
{
	int64 slots = 1024;

	while (slots / 8 * 5 < rows->dataset->rows)
		slots *= 2;
	/* While it grows, two are there. */
	return mul_size(slots + slots / 2, sizeof(uint64) * (rows->words + 1));
}

void
match_table_free(MatchTable *table)
{
	for (int i = 0; i < table->patterns; i++)
		pfree(table->pattern[i].mask);
	if (table->pattern)
		pfree(table->pattern);
	count_table_free(table->counts);
	pfree(table->key);
	pfree(table);
}

/* The rows that have the first so many of the table's scratch keys. */
static int64
sum_counts(const MatchTable *table, int keys)
{
	int64 count[COUNT_BLOCK];
	int64 sum = 0;

	count_table_get_block(table->counts, table->key, count, keys);
	for (int i = 0; i < keys; i++)
		sum += count[i] > 0 ? count[i] - BIAS : 0;
	return sum;
}

int64
match_table_count(const MatchTable *table, int64 row)
{
	int64 found = 0;
	int keys = 0;

	for (int i = 0; i < table->patterns; i++)
	{
		const MatchPattern *pattern = &table->pattern[i];

		if (pattern->rows == 0)
			continue;
		make_key(table, row, pattern, table->key + keys++ * table->rows->words);
		if (keys < COUNT_BLOCK)
			continue;
		found += sum_counts(table, keys);
		keys = 0;
	}
	return found + sum_counts(table, keys);
}

/* ---- all rows */

/* The sets of columns that rows show, each once. */
typedef struct ShownSets
{
	ColumnSet *set;
	int64 count;
} ShownSets;

static int
compare_sets(const void *a, const void *b)
{
	ColumnSet one = *(const ColumnSet *) a;
	ColumnSet other = *(const ColumnSet *) b;

	CHECK_FOR_INTERRUPTS();
	return one < other ? -1 : one > other;
}

static ShownSets
find_sets(const MatchRows *rows, ColumnSet columns)
{
	const Dataset *dataset = rows->dataset;
	ShownSets sets = {
		.set = budget_allocate(dataset->budget, dataset->rows, sizeof(ColumnSet), PURPOSE)};
	int64 count = 0;

	/* Mostly they show the same as the row before. */
	for (int64 row = 0; row < dataset->rows; row++)
	{
		ColumnSet set = rows->shown[row] & columns;

		interrupt_check(row);
		if (count == 0 || set != sets.set[count - 1])
			sets.set[count++] = set;
	}
	qsort(sets.set, count, sizeof(ColumnSet), compare_sets);
	for (int64 i = 0; i < count; i++)
	{
		interrupt_check(i);
		if (i == 0 || sets.set[i] != sets.set[sets.count - 1])
			sets.set[sets.count++] = sets.set[i];
	}
	return sets;
}

void
match_rows_count(const MatchRows *rows, ColumnSet columns, int64 *count)
{
	ShownSets sets = find_sets(rows, columns);

	for (int64 i = 0; i < sets.count; i++)
	{
		MatchTable *table = match_table_create(rows, rows->shown, sets.set[i]);

		for (int64 row = 0; row < rows->dataset->rows; row++)
		{
			interrupt_check(row);
			if ((rows->shown[row] & columns) == sets.set[i])
				count[row] = match_table_count(table, row);
		}
		match_table_free(table);
	}
	pfree(sets.set);
}
