/*
 * row_groups.c
 *		See row_groups.h.
 *
 * The key of a row is a sum of 64 random bits for each node, so raising an attribute changes one
 * summand.  Rows are sorted by 22 bits of it (16 if they are few), and groups are adjacent rows
 * with equal keys.  Two groups with the same bits may be split into pieces; that costs candidates,
 * nothing else.
 */
#include "postgres.h"

#include "matching/row_groups.h"

#include "miscadmin.h"

#define PURPOSE "matching of rows"
#define DIGIT_BITS 11
#define FEW_BITS 8
#define FEW 1024
#define DIGITS 2
#define DIGIT_VALUES (1 << DIGIT_BITS)

RowGroups *
row_groups_create(const Block *block)
{
	RowGroups *groups = palloc0(sizeof(RowGroups));
	Budget *budget = block->budget;

	groups->block = block;
	groups->row = budget_allocate(budget, block->count, sizeof(int32), PURPOSE);
	groups->place = budget_allocate(budget, block->count, sizeof(int32), PURPOSE);
	groups->begin = budget_allocate(budget, block->count, sizeof(int32), PURPOSE);
	groups->end = budget_allocate(budget, block->count, sizeof(int32), PURPOSE);
	groups->key = budget_allocate(budget, block->count, sizeof(uint64), PURPOSE);
	groups->other_key = budget_allocate(budget, block->count, sizeof(uint64), PURPOSE);
	groups->other_row = budget_allocate(budget, block->count, sizeof(int32), PURPOSE);
	return groups;
}

void
row_groups_order(RowGroups *groups, const int32 *order)
{
	const Block *block = groups->block;
	Size cells = mul_size(block->count, block->attributes);

	if (groups->order == NULL)
	{
		groups->order = budget_allocate(block->budget, block->count, sizeof(int32), PURPOSE);
		groups->ground = budget_allocate(block->budget, block->count, sizeof(uint64), PURPOSE);
		groups->column = budget_allocate(block->budget, cells, sizeof(int32), PURPOSE);
	}
	for (int32 i = 0; i < block->count; i++)
	{
		int32 row = order ? order[i] : i;
		const int32 *code = block->code + (int64) row * block->attributes;

		CHECK_FOR_INTERRUPTS();
		groups->order[i] = row;
		groups->ground[i] = 0;
		for (int a = 0; a < block->attributes; a++)
		{
			groups->ground[i] += block->attribute[a].hash[code[a]];
			groups->column[(int64) a * block->count + i] = code[a];
		}
	}
}

/* Sorts by one digit of the keys into the other arrays and swaps them. */
static void
sort_by_digit(RowGroups *groups, int digit)
{
	int32 next[DIGIT_VALUES];
	int32 count = groups->block->count;
	int bits = count > FEW ? DIGIT_BITS : FEW_BITS;
	int values = 1 << bits;
	int shift = digit * bits;
	uint64 *key = groups->key;
	int32 *row = groups->row;
	int32 before = 0;

	memset(next, 0, sizeof(int32) * values);
	for (int32 at = 0; at < count; at++)
		next[(key[at] >> shift) & (values - 1)]++;
	for (int value = 0; value < values; value++)
	{
		int32 here = next[value];

		next[value] = before;
		before += here;
	}
	for (int32 at = 0; at < count; at++)
	{
		int32 place = next[(key[at] >> shift) & (values - 1)]++;

		groups->other_key[place] = key[at];
		groups->other_row[place] = row[at];
	}
	groups->key = groups->other_key;
	groups->row = groups->other_row;
	groups->other_key = key;
	groups->other_row = row;
}

/* Forms groups from rows and keys in any order. */
static void
form(RowGroups *groups)
{
	int32 count = groups->block->count;
	int32 end;

	CHECK_FOR_INTERRUPTS();
	for (int digit = 0; digit < DIGITS; digit++)
		sort_by_digit(groups, digit);
	for (int32 begin = 0; begin < count; begin = end)
	{
		for (end = begin + 1; end < count && groups->key[end] == groups->key[begin]; end++)
			;
		for (int32 at = begin; at < end; at++)
		{
			groups->place[groups->row[at]] = at;
			groups->begin[at] = begin;
			groups->end[at] = end;
		}
	}
}

void
row_groups_form_by(RowGroups *groups, const uint64 *key)
{
	for (int32 row = 0; row < groups->block->count; row++)
	{
		groups->row[row] = row;
		groups->key[row] = key[row];
	}
	form(groups);
}

void
row_groups_form(RowGroups *groups, const uint8 *level)
{
	int32 count = groups->block->count;

	memcpy(groups->row, groups->order, sizeof(int32) * count);
	memcpy(groups->key, groups->ground, sizeof(uint64) * count);
	for (int a = 0; a < groups->block->attributes; a++)
	{
		const BlockAttribute *attribute = &groups->block->attribute[a];
		const int32 *column = groups->column + (int64) a * count;
		const uint64 *added = attribute->hash + (int64) Min(level[a], attribute->height) *
													(attribute->tree->values + 1);

		if (level[a] == 0)
			continue;
		CHECK_FOR_INTERRUPTS();
		for (int32 i = 0; i < count; i++)
			groups->key[i] += added[column[i]];
	}
	form(groups);
}
