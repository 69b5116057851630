/*
 * match_hiding.c
 *		See match_hiding.h.
 *
 * Example, k = 2: (a, x), (a, y), (b, y), (b, y).  The first row matches itself alone.  Without its
 * second cell it matches the second row, too, which then has two matches as well.
 */
#include "postgres.h"

#include "suppress/match_hiding.h"

#include <math.h>

#include "base/context.h"
#include "base/interrupt.h"
#include "model/known.h"
#include "suppress/match_tables.h"
#include "utils/memutils.h"

#define PURPOSE "hidden cells"

/* A row by one set of columns. */
typedef struct Need
{
	int32 row;
	int32 set;
} Need;

typedef struct HidingRun
{
	const MatchRows *rows;
	const MatchHiding *request;
	MatchTables *tables;
	int64 count;    /* rows */
	ColumnSet *set; /* by which rows must match; [sets] */
	int sets;
	/* While cells are given back: */
	uint64 *visible; /* [row][word]: the bits of its key that it shows */
	int32 *matches;  /* [row][set] */
	Need *tight;     /* those that match just k; they stay so */
	int64 tights;
	int64 capacity;
	uint64 *mask; /* [word]: scratch space */
} HidingRun;

/* The least number of rows that a row matches by any set, if it shows these columns. */
static int64
least_matches(HidingRun *run, int64 row, ColumnSet shown)
{
	int64 least = PG_INT64_MAX;

	/* Once it is too small, it does not matter how small it is. */
	for (int i = 0; i < run->sets && least >= run->request->k; i++)
		least = Min(least, match_tables_count(run->tables, row, shown & run->set[i]));
	return least;
}

/*
 * The cheapest one or two columns that suffice if a row hides them, too; 0: there are none.  Of
 * equal weight, those with which it matches the most.
 */
static ColumnSet
find_few(HidingRun *run, int64 row)
{
	const double *weight = run->request->weight;
	ColumnSet shown = run->tables->shown[row];
	int columns = run->rows->columns;
	double least = INFINITY;
	int64 most = 0;
	ColumnSet best = 0;

	for (int size = 1; size <= 2 && best == 0; size++)
		for (int i = 0; i < columns; i++)
			for (int j = size == 1 ? i : i + 1; j < (size == 1 ? i + 1 : columns); j++)
			{
				ColumnSet set = column_set_of(i) | column_set_of(j);
				double cost = weight[i] + (i == j ? 0 : weight[j]);
				int64 found;

				if ((set & ~shown) || cost > least)
					continue;
				found = least_matches(run, row, shown & ~set);
				if (found < run->request->k || (cost == least && found <= most))
					continue;
				best = set;
				least = cost;
				most = found;
			}
	return best;
}

/* The matches by all sets together, those above k not counted. */
static int64
sum_of_matches(HidingRun *run, int64 row, ColumnSet shown)
{
	int64 sum = 0;

	for (int i = 0; i < run->sets; i++)
	{
		int64 found = match_tables_count(run->tables, row, shown & run->set[i]);

		sum += run->sets == 1 ? found : Min(found, run->request->k);
	}
	return sum;
}

/* Hides one column after the other, each time that with the most matches for its weight. */
static ColumnSet
find_many(HidingRun *run, int64 row)
{
	ColumnSet shown = run->tables->shown[row];
	ColumnSet set = 0;

	while (least_matches(run, row, shown & ~set) < run->request->k)
	{
		double most = -1;
		int best = -1;

		CHECK_FOR_INTERRUPTS();
		for (int i = 0; i < run->rows->columns; i++)
		{
			double worth;

			if (!(shown & ~set & column_set_of(i)))
				continue;
			worth = (double) sum_of_matches(run, row, shown & ~set & ~column_set_of(i)) /
					run->request->weight[i];
			if (worth <= most)
				continue;
			most = worth;
			best = i;
		}
		Assert(best >= 0);
		set |= column_set_of(best);
	}
	return set;
}

static void
hide_cells(HidingRun *run, int64 row)
{
	ColumnSet shown = run->tables->shown[row];
	ColumnSet set;

	CHECK_FOR_INTERRUPTS();
	if (least_matches(run, row, shown) >= run->request->k)
		return;
	set = find_few(run, row);
	if (set == 0)
		set = find_many(run, row);
	match_tables_show(run->tables, row, shown & ~set);
}

/* ---- giving back */

/* Notes how many rows a row matches by a set. */
static void
note_matches(HidingRun *run, int64 row, int set, int64 found)
{
	int32 *matches = &run->matches[row * run->sets + set];

	if (found == run->request->k && *matches != found)
	{
		run->tight = budget_room(run->rows->dataset->budget, run->tight, &run->capacity,
								 run->tights + 1, sizeof(Need), PURPOSE);
		run->tight[run->tights++] = (Need){.row = (int32) row, .set = set};
	}
	*matches = (int32) found;
}

/* Notes how many it matches by all sets. */
static void
note_row(HidingRun *run, int64 row)
{
	ColumnSet shown = run->tables->shown[row];

	match_rows_mask(run->rows, shown, run->visible + row * run->rows->words);
	for (int i = 0; i < run->sets; i++)
		note_matches(run, row, i, match_tables_count(run->tables, row, shown & run->set[i]));
}

/*
 * Does another row match this one by some columns, whose bits the mask has, only because this one
 * hides another column?
 */
static inline bool
is_kept_by(const HidingRun *run, int64 other, int64 row, const uint64 *column, const uint64 *mask)
{
	int words = run->rows->words;
	const uint64 *key = run->rows->key + row * words;
	const uint64 *other_key = run->rows->key + other * words;
	const uint64 *visible = run->visible + other * words;
	bool differs = false;

	for (int word = 0; word < words; word++)
	{
		uint64 difference = (key[word] ^ other_key[word]) & visible[word];

		if (difference & mask[word])
			return false;
		differs = differs || (difference & column[word]);
	}
	return differs;
}

/* Does a row that matches just k need the hidden cell?  "shown": what its row would then show. */
static bool
is_needed(HidingRun *run, int64 row, int column, ColumnSet shown)
{
	const uint64 *bits = run->rows->mask + (Size) column * run->rows->words;
	int masked = -1;

	for (int64 i = 0; i < run->tights; i++)
	{
		const Need *need = &run->tight[i];

		interrupt_check(i);
		if (!(run->set[need->set] & column_set_of(column)))
			continue;
		if (need->set != masked)
			match_rows_mask(run->rows, shown & run->set[need->set] & ~column_set_of(column),
							run->mask);
		masked = need->set;
		if (need->row != row && is_kept_by(run, need->row, row, bits, run->mask))
			return true;
	}
	return false;
}

/* Shows a cell, by which some rows then no longer match its row. */
static void
show_cell(HidingRun *run, int64 row, int column, ColumnSet shown)
{
	const uint64 *bits = run->rows->mask + (Size) column * run->rows->words;

	for (int set = 0; set < run->sets; set++)
	{
		if (!(run->set[set] & column_set_of(column)))
			continue;
		match_rows_mask(run->rows, shown & run->set[set] & ~column_set_of(column), run->mask);
		for (int64 other = 0; other < run->count; other++)
		{
			interrupt_check(other);
			if (is_kept_by(run, other, row, bits, run->mask))
				note_matches(run, other, set, run->matches[other * run->sets + set] - 1);
		}
	}
	match_tables_show(run->tables, row, shown);
	note_row(run, row);
}

/* Gives back the hidden cells of a row that are not needed, the most expensive first. */
static void
give_back(HidingRun *run, int64 row)
{
	const double *weight = run->request->weight;
	ColumnSet left = run->rows->shown[row] & ~run->tables->shown[row];

	while (left)
	{
		ColumnSet shown;
		int best = -1;

		CHECK_FOR_INTERRUPTS();
		for (int i = 0; i < run->rows->columns; i++)
			if ((left & column_set_of(i)) && (best < 0 || weight[i] > weight[best]))
				best = i;
		left &= ~column_set_of(best);
		shown = run->tables->shown[row] | column_set_of(best);
		if (least_matches(run, row, shown) >= run->request->k && !is_needed(run, row, best, shown))
			show_cell(run, row, best, shown);
	}
}

static void
give_back_all(HidingRun *run)
{
	const MatchRows *rows = run->rows;
	Budget *budget = rows->dataset->budget;

	run->mask = palloc(sizeof(uint64) * rows->words);
	run->visible =
		budget_allocate(budget, mul_size(run->count, rows->words), sizeof(uint64), PURPOSE);
	run->matches = budget_allocate(budget, mul_size(run->count, run->sets), sizeof(int32), PURPOSE);
	for (int64 row = 0; row < run->count; row++)
	{
		interrupt_check(row);
		note_row(run, row);
	}
	for (int64 row = 0; row < run->count; row++)
		give_back(run, row);
}

/* ---- */

/* The sets of columns by which rows must match: those of fewer columns follow. */
static void
find_sets(HidingRun *run)
{
	Demand demand = {.known = run->request->known};
	int columns = run->rows->columns;
	KnownSets sets = known_sets_begin(columns, known_most_size(&demand, columns));
	int64 capacity = 0;

	known_check_sets(&demand, columns);
	do
	{
		ColumnSet set = 0;

		for (int i = 0; i < sets.size; i++)
			set |= column_set_of(sets.member[i]);
		run->set = budget_room(run->rows->dataset->budget, run->set, &capacity, run->sets + 1,
							   sizeof(ColumnSet), PURPOSE);
		run->set[run->sets++] = set;
	} while (known_sets_next(&sets));
}

ColumnSet *
match_hiding_run(const MatchRows *rows, const MatchHiding *request)
{
	HidingRun run = {.rows = rows, .request = request, .count = rows->dataset->rows};
	ColumnSet *shown =
		budget_allocate(rows->dataset->budget, run.count, sizeof(ColumnSet), PURPOSE);
	MemoryContext scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon hidden cells", CONTEXT_SMALL_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(scratch);

	Assert(run.count >= request->k);
	find_sets(&run);
	run.tables = match_tables_create(rows);
	for (int64 row = 0; row < run.count; row++)
		hide_cells(&run, row);
	give_back_all(&run);
	memcpy(shown, run.tables->shown, sizeof(ColumnSet) * run.count);
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(scratch);
	return shown;
}
