/*
 * match_tables.c
 *		See match_tables.h.
 */
#include "postgres.h"

#include "suppress/match_tables.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#define PURPOSE "rows that match"

typedef struct HeldTable
{
	ColumnSet columns;
	MatchTable *table;
	uint64 asked; /* number of the last question */
} HeldTable;

MatchTables *
match_tables_create(const MatchRows *rows)
{
	MatchTables *tables = palloc0(sizeof(MatchTables));
	int64 count = rows->dataset->rows;

	tables->rows = rows;
	tables->context = CurrentMemoryContext;
	tables->shown = budget_allocate(rows->dataset->budget, count, sizeof(ColumnSet), PURPOSE);
	memcpy(tables->shown, rows->shown, sizeof(ColumnSet) * count);
	return tables;
}

/* The place of the table for these columns, or where it would be. */
static int
find_place(const MatchTables *tables, ColumnSet columns)
{
	int low = 0;
	int high = tables->tables;

	while (low < high)
	{
		int middle = (low + high) / 2;

		if (tables->table[middle].columns < columns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void
give_up(MatchTables *tables, int place)
{
	match_table_free(tables->table[place].table);
	memmove(tables->table + place, tables->table + place + 1,
			sizeof(HeldTable) * (--tables->tables - place));
}

static void
give_up_oldest(MatchTables *tables)
{
	int oldest = 0;

	for (int i = 1; i < tables->tables; i++)
		if (tables->table[i].asked < tables->table[oldest].asked)
			oldest = i;
	give_up(tables, oldest);
}

static void
make_table(MatchTables *tables, ColumnSet columns)
{
	const MatchRows *rows = tables->rows;
	Budget *budget = rows->dataset->budget;
	MemoryContext caller = MemoryContextSwitchTo(tables->context);
	HeldTable made = {.columns = columns};
	int place;

	CHECK_FOR_INTERRUPTS();
	while (tables->tables > 0 && !budget_fits(budget, match_table_bytes(rows)))
		give_up_oldest(tables);
	made.table = match_table_create(rows, tables->shown, columns);
	tables->table = budget_room(budget, tables->table, &tables->capacity, tables->tables + 1,
								sizeof(HeldTable), PURPOSE);
	place = find_place(tables, columns);
	memmove(tables->table + place + 1, tables->table + place,
			sizeof(HeldTable) * (tables->tables++ - place));
	tables->table[place] = made;
	MemoryContextSwitchTo(caller);
}

int64
match_tables_count(MatchTables *tables, int64 row, ColumnSet columns)
{
	ColumnSet asked = columns & tables->rows->shown[row];
	int place = find_place(tables, asked);

	if (asked == 0)
		return tables->rows->dataset->rows;
	if (place == tables->tables || tables->table[place].columns != asked)
	{
		make_table(tables, asked);
		place = find_place(tables, asked);
	}
	tables->table[place].asked = ++tables->questions;
	return match_table_count(tables->table[place].table, row);
}

void
match_tables_show(MatchTables *tables, int64 row, ColumnSet shown)
{
	ColumnSet before = tables->shown[row];

	for (int i = tables->tables - 1; i >= 0; i--)
	{
		const HeldTable *held = &tables->table[i];

		if ((held->columns & (before ^ shown)) && !(match_table_add(held->table, row, before, -1) &&
													match_table_add(held->table, row, shown, 1)))
			give_up(tables, i);
	}
	tables->shown[row] = shown;
}
