/*
 * class_hiding.c
 *		See class_hiding.h.
 *
 * Example, k = 2: (a, -), (a, -), (a, -), (a, x), (a, x), where the second column of the third row
 * is x.  It joins the last two.
 */
#include "postgres.h"

#include "suppress/class_hiding.h"

#include "base/context.h"
#include "base/interrupt.h"
#include "utils/memutils.h"

#define PURPOSE "hidden cells"
#define LEAST_GAIN 1e-9 /* of weights: below it are errors of rounding */

/* What the rows of some classes show. */
typedef struct ShownPattern
{
	ColumnSet shown;
	double worth;
} ShownPattern;

typedef struct ClassRun
{
	const MatchRows *rows;
	int k;
	const double *weight;
	ColumnSet *shown;
	CountTable *size; /* of classes, by the keys of what they show; one too many */
	ShownPattern *pattern;
	int64 patterns;
	uint64 *key;  /* [word]: of one class .. */
	uint64 *goal; /* .. and another */
} ClassRun;

static double
worth_of(const ClassRun *run, ColumnSet shown)
{
	double worth = 0;

	for (int i = 0; i < run->rows->columns; i++)
		worth += (shown & column_set_of(i)) ? run->weight[i] : 0;
	return worth;
}

/* The most worth first. */
static int
compare_patterns(const void *a, const void *b)
{
	const ShownPattern *one = a;
	const ShownPattern *other = b;

	CHECK_FOR_INTERRUPTS();
	if (one->worth != other->worth)
		return one->worth > other->worth ? -1 : 1;
	return one->shown < other->shown ? -1 : one->shown > other->shown;
}

static void
add_rows(ClassRun *run, const uint64 *key, int64 count)
{
	if (!count_table_add_block(run->size, key, &count, 1))
		budget_exceeded(run->rows->dataset->budget, 0, PURPOSE);
}

/* Counts the classes.  One more than there are keeps places of those that get empty. */
static void
count_classes(ClassRun *run)
{
	count_table_reset(run->size);
	for (int64 row = 0; row < run->rows->dataset->rows; row++)
	{
		interrupt_check(row);
		match_rows_key(run->rows, row, run->shown[row], run->key);
		add_rows(run, run->key, count_table_has(run->size, run->key) ? 1 : 2);
	}
}

static void
find_patterns(ClassRun *run)
{
	int64 rows = run->rows->dataset->rows;
	int64 kept = 0;

	for (int64 row = 0; row < rows; row++)
	{
		interrupt_check(row);
		run->pattern[row] =
			(ShownPattern){.shown = run->shown[row], .worth = worth_of(run, run->shown[row])};
	}
	qsort(run->pattern, rows, sizeof(ShownPattern), compare_patterns);
	for (int64 i = 0; i < rows; i++)
	{
		interrupt_check(i);
		if (kept == 0 || run->pattern[i].shown != run->pattern[kept - 1].shown)
			run->pattern[kept++] = run->pattern[i];
	}
	run->patterns = kept;
}

/* Moves a row to the class that shows most; false if it stays. */
static bool
move_row(ClassRun *run, int64 row)
{
	const MatchRows *rows = run->rows;
	double worth = worth_of(run, run->shown[row]) + LEAST_GAIN;

	match_rows_key(rows, row, run->shown[row], run->key);
	if (count_table_get(run->size, run->key) - 1 <= run->k)
		return false;
	for (int64 i = 0; i < run->patterns && run->pattern[i].worth > worth; i++)
	{
		ColumnSet shown = run->pattern[i].shown;

		if (shown & ~rows->shown[row])
			continue;
		match_rows_key(rows, row, shown, run->goal);
		if (count_table_get(run->size, run->goal) - 1 < run->k)
			continue;
		add_rows(run, run->key, -1);
		add_rows(run, run->goal, 1);
		run->shown[row] = shown;
		return true;
	}
	return false;
}

static bool
move_rows(ClassRun *run)
{
	bool moved = false;

	for (int64 row = 0; row < run->rows->dataset->rows; row++)
	{
		interrupt_check(row);
		if (run->shown[row] != run->rows->shown[row])
			moved = move_row(run, row) || moved;
	}
	return moved;
}

/* The bits of keys in which the rows of each class differ: [place in "size"][word]. */
static uint64 *
find_differences(ClassRun *run)
{
	const MatchRows *rows = run->rows;
	Budget *budget = rows->dataset->budget;
	int words = rows->words;
	int64 *first = budget_allocate(budget, run->size->capacity, sizeof(int64), PURPOSE);
	uint64 *differ =
		budget_allocate(budget, mul_size(run->size->capacity, words), sizeof(uint64), PURPOSE);

	for (int64 row = 0; row < rows->dataset->rows; row++)
	{
		int64 place;

		interrupt_check(row);
		match_rows_key(rows, row, run->shown[row], run->key);
		place = count_table_find(run->size, run->key);
		/* One too many: 0 is a class without a row yet. */
		if (first[place] == 0)
			first[place] = row + 1;
		for (int word = 0; word < words; word++)
			differ[place * words + word] |=
				rows->key[row * words + word] ^ rows->key[(first[place] - 1) * words + word];
	}
	pfree(first);
	return differ;
}

static bool
is_same(const MatchRows *rows, const uint64 *differ, int column)
{
	for (int word = 0; word < rows->words; word++)
		if (differ[word] & rows->mask[column * rows->words + word])
			return false;
	return true;
}

/* Shows what all rows of a class agree in. */
static bool
show_more(ClassRun *run)
{
	const MatchRows *rows = run->rows;
	uint64 *differ = find_differences(run);
	bool more = false;

	for (int64 row = 0; row < rows->dataset->rows; row++)
	{
		ColumnSet hidden = rows->shown[row] & ~run->shown[row];
		const uint64 *of_class;

		interrupt_check(row);
		if (hidden == 0)
			continue;
		match_rows_key(rows, row, run->shown[row], run->key);
		of_class = differ + count_table_find(run->size, run->key) * rows->words;
		for (int i = 0; i < rows->columns; i++)
			if ((hidden & column_set_of(i)) && is_same(rows, of_class, i))
			{
				run->shown[row] |= column_set_of(i);
				more = true;
			}
	}
	pfree(differ);
	return more;
}

void
class_hiding_improve(const MatchRows *rows, int k, const double *weight, ColumnSet *shown)
{
	MemoryContext scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon hidden cells", CONTEXT_SMALL_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(scratch);
	Budget *budget = rows->dataset->budget;
	ClassRun run = {.rows = rows, .k = k, .weight = weight, .shown = shown};
	bool changed;

	run.size = count_table_create(rows->words, budget, 0);
	run.pattern = budget_allocate(budget, rows->dataset->rows, sizeof(ShownPattern), PURPOSE);
	run.key = palloc(sizeof(uint64) * rows->words);
	run.goal = palloc(sizeof(uint64) * rows->words);
	do
	{
		CHECK_FOR_INTERRUPTS();
		count_classes(&run);
		find_patterns(&run);
		changed = move_rows(&run);
		while (changed && move_rows(&run))
			;
		changed = show_more(&run) || changed;
	} while (changed);
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(scratch);
}
