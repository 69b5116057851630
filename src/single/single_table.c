/*
 * single_table.c
 *		See single_table.h.
 */
#include "postgres.h"

#include "single/single_table.h"

#include "base/interrupt.h"

#define PURPOSE "single-dimension recoding"

/* Codes with NULL behind all others. */
static inline int32
code_of(const Dataset *dataset, int64 position, int attribute)
{
	int32 code = *dataset_code(dataset, position, attribute);

	return code == DATASET_NULL ? dataset->values[attribute] : code;
}

/* Sorts places by one attribute, stably: counts the cells, then deals the places out. */
static void
sort_by(const Dataset *dataset, int attribute, const int32 *cell, int32 cells, const int32 *from,
		int32 *to)
{
	int32 *next = budget_allocate(dataset->budget, (Size) cells + 1, sizeof(int32), PURPOSE);

	for (int64 i = 0; i < dataset->rows; i++)
	{
		int32 code = code_of(dataset, i, attribute);

		interrupt_check(i);
		next[(cell ? cell[code] : code) + 1]++;
	}
	for (int32 i = 1; i <= cells; i++)
		next[i] += next[i - 1];
	for (int64 i = 0; i < dataset->rows; i++)
	{
		int32 code = code_of(dataset, from[i], attribute);

		interrupt_check(i);
		to[next[cell ? cell[code] : code]++] = from[i];
	}
	pfree(next);
}

int32 *
single_table_sort(const Dataset *dataset, int32 *const *cell, const int32 *cells, const int *order)
{
	int32 *from = budget_allocate(dataset->budget, dataset->rows, sizeof(int32), PURPOSE);
	int32 *to = budget_allocate(dataset->budget, dataset->rows, sizeof(int32), PURPOSE);

	for (int64 i = 0; i < dataset->rows; i++)
		from[i] = (int32) i;
	for (int i = dataset->attributes - 1; i >= 0; i--)
	{
		int attribute = order[i];
		int32 *sorted = to;

		sort_by(dataset, attribute, cell ? cell[attribute] : NULL,
				cell ? cells[attribute] : dataset_cardinality(dataset, attribute), from, to);
		to = from;
		from = sorted;
	}
	pfree(to);
	return from;
}

static bool
same_codes(const Dataset *dataset, int32 one, int32 other)
{
	return memcmp(dataset_record(dataset, one), dataset_record(dataset, other),
				  sizeof(int32) * dataset->attributes) == 0;
}

static void
find_groups(SingleTable *table, const Dataset *dataset, const int32 *place)
{
	for (int64 i = 0; i < table->rows; i++)
	{
		interrupt_check(i);
		if (i == 0 || !same_codes(dataset, place[i - 1], place[i]))
			table->groups++;
		table->group[dataset_row(dataset, dataset_record(dataset, place[i]))] = table->groups - 1;
	}
	table->code = budget_allocate(table->budget, mul_size(table->groups, table->attributes),
								  sizeof(int32), PURPOSE);
	table->members = budget_allocate(table->budget, table->groups, sizeof(int32), PURPOSE);
	for (int64 i = 0; i < table->rows; i++)
	{
		int32 group = table->group[dataset_row(dataset, dataset_record(dataset, place[i]))];

		interrupt_check(i);
		table->members[group]++;
		for (int j = 0; j < table->attributes; j++)
			table->code[(Size) group * table->attributes + j] = code_of(dataset, place[i], j);
	}
}

static void
count_values(SingleTable *table, const Dataset *dataset)
{
	for (int i = 0; i < table->attributes; i++)
	{
		table->codes[i] = dataset_cardinality(dataset, i);
		table->has_null[i] = dataset->has_null[i];
		table->rows_of[i] = budget_allocate(table->budget, table->codes[i], sizeof(int64), PURPOSE);
		table->place[i] = budget_allocate(table->budget, table->codes[i], sizeof(uint64), PURPOSE);
		for (int32 group = 0; group < table->groups; group++)
		{
			interrupt_check(group);
			table->rows_of[i][table->code[(Size) group * table->attributes + i]] +=
				table->members[group];
		}
	}
}

SingleTable *
single_table_create(const Dataset *dataset, const int32 *cells, const int *order)
{
	SingleTable *table = palloc0(sizeof(SingleTable));
	int count = Max(dataset->attributes, 1);
	int32 *place;

	table->attributes = dataset->attributes;
	table->rows = dataset->rows;
	table->budget = dataset->budget;
	table->group = budget_allocate(table->budget, table->rows, sizeof(int32), PURPOSE);
	table->codes = palloc0(sizeof(int32) * count);
	table->has_null = palloc0(sizeof(bool) * count);
	table->rows_of = palloc0(sizeof(int64 *) * count);
	table->place = palloc0(sizeof(uint64 *) * count);
	table->field = palloc0(sizeof(KeyField) * count);
	place = single_table_sort(dataset, NULL, NULL, order);
	find_groups(table, dataset, place);
	pfree(place);
	count_values(table, dataset);
	table->words = frequency_space_layout(table->attributes, cells, table->field);
	table->class = budget_allocate(table->budget, table->groups, sizeof(int32), PURPOSE);
	table->size = budget_allocate(table->budget, table->groups, sizeof(int64), PURPOSE);
	table->key = budget_allocate(table->budget, mul_size(table->groups, table->words),
								 sizeof(uint64), PURPOSE);
	table->table = count_table_create(table->words, table->budget, table->groups);
	return table;
}

SingleMap
single_map_create(const SingleTable *table)
{
	int count = Max(table->attributes, 1);
	SingleMap map = {.cell = palloc0(sizeof(int32 *) * count),
					 .loss = palloc0(sizeof(int32 *) * count)};

	for (int i = 0; i < table->attributes; i++)
	{
		map.cell[i] = budget_allocate(table->budget, table->codes[i], sizeof(int32), PURPOSE);
		map.loss[i] = budget_allocate(table->budget, table->codes[i], sizeof(int32), PURPOSE);
	}
	return map;
}

/* The key of a group's class. */
static void
set_key(SingleTable *table, int32 group)
{
	uint64 *key = table->key + (Size) group * table->words;
	const int32 *code = table->code + (Size) group * table->attributes;

	memset(key, 0, sizeof(uint64) * table->words);
	for (int i = 0; i < table->attributes; i++)
		key[table->field[i].word] |= table->place[i][code[i]];
}

void
single_table_classify(SingleTable *table, const SingleMap *map)
{
	int64 counts[COUNT_BLOCK];

	count_table_reset(table->table);
	for (int i = 0; i < table->attributes; i++)
		for (int32 code = 0; code < table->codes[i]; code++)
			table->place[i][code] = (uint64) map->cell[i][code] << table->field[i].shift;
	for (int32 first = 0; first < table->groups; first += COUNT_BLOCK)
	{
		int n = Min(COUNT_BLOCK, table->groups - first);

		CHECK_FOR_INTERRUPTS();
		for (int i = 0; i < n; i++)
		{
			set_key(table, first + i);
			counts[i] = table->members[first + i];
		}
		if (!count_table_add_block(table->table, table->key + (Size) first * table->words, counts,
								   n))
			budget_exceeded(table->budget, sizeof(uint64) * table->words * table->groups, PURPOSE);
	}
	for (int32 group = 0; group < table->groups; group++)
	{
		int64 slot = count_table_find(table->table, table->key + (Size) group * table->words);

		interrupt_check(group);
		table->class[group] = (int32) slot;
		table->size[group] = (int64) table->table->slots[slot * (table->words + 1) + table->words];
	}
	table->classes = table->table->capacity;
}

static inline bool
leaves(const SingleTable *table, const SingleLeaving *leaving, int32 group)
{
	int32 code = table->code[(Size) group * table->attributes + leaving->attribute];

	return code >= leaving->from && code <= leaving->to &&
		   (leaving->cell == NULL || leaving->cell[code] < leaving->below);
}

int64
single_table_small(SingleTable *table, const SingleLeaving *leaving, int64 k)
{
	int64 small = 0;

	table->leaving = budget_room(table->budget, table->leaving, &table->leaving_room,
								 table->classes, sizeof(int32), PURPOSE);
	for (int32 group = 0; group < table->groups; group++)
	{
		interrupt_check(group);
		if (leaves(table, leaving, group))
			table->leaving[table->class[group]] += table->members[group];
	}
	for (int32 group = 0; group < table->groups; group++)
	{
		int32 *left = &table->leaving[table->class[group]];
		int64 stay = table->size[group] - *left;

		interrupt_check(group);
		if (*left == 0 || !leaves(table, leaving, group))
			continue;
		if (table->size[group] >= k)
			small +=
				(leaving->apart && *left < k ? *left : 0) + (leaving->rest && stay < k ? stay : 0);
		*left = 0;
	}
	return small;
}
