/*
 * count_table.c
 *		See count_table.h.
 *
 * Keys come in blocks whose slots are prefetched together, because in a large table every key
 * misses the caches.
 *
 * Every table hashes with its own multiplier.  Groups leave a table in hash order and often go
 * straight into another, smaller one.  With the same hash function they would all land at its
 * beginning and make linear probing slow (measured: four fifths of the time of a cube).
 */
#include "postgres.h"

#include "frequency/count_table.h"

#include "base/interrupt.h"
#include "port/pg_bitutils.h"

#define INITIAL_CAPACITY 1024
#define KEPT_CAPACITY (1 << 16) /* reset shrinks a larger table */

/* Odd, from the sequence of splitmix64; no two live tables share one. */
static uint64 next_multiplier = UINT64CONST(0x9E3779B97F4A7C15);

static Size
slot_bytes(const CountTable *table)
{
	return sizeof(uint64) * (table->words + 1);
}

static void
allocate_slots(CountTable *table, int64 capacity)
{
	table->capacity = capacity;
	table->used = 0;
	table->shift = 64 - pg_leftmost_one_pos64((uint64) capacity);
	table->slots = budget_allocate_in(table->budget, table->context,
									  mul_size(slot_bytes(table), capacity), "frequency set");
}

static uint64
draw_multiplier(void)
{
	uint64 z = next_multiplier += UINT64CONST(0x9E3779B97F4A7C15);

	z = (z ^ (z >> 30)) * UINT64CONST(0xBF58476D1CE4E5B9);
	z = (z ^ (z >> 27)) * UINT64CONST(0x94D049BB133111EB);
	return (z ^ (z >> 31)) | 1;
}

/* At most five eighths full, to keep probes short. */
static int64
room(int64 capacity)
{
	return capacity / 8 * 5;
}

CountTable *
count_table_create(int words, Budget *budget, int64 expected)
{
	CountTable *table = palloc0(sizeof(CountTable));
	int64 capacity = INITIAL_CAPACITY;

	table->words = words;
	table->budget = budget;
	table->context = CurrentMemoryContext;
	table->multiplier = draw_multiplier();
	while (room(capacity) < expected && slot_bytes(table) * capacity * 2 <= budget_left(budget) / 4)
		capacity *= 2;
	allocate_slots(table, capacity);
	return table;
}

void
count_table_free(CountTable *table)
{
	pfree(table->slots);
	pfree(table);
}

void
count_table_reset(CountTable *table)
{
	if (table->capacity > KEPT_CAPACITY)
	{
		pfree(table->slots);
		allocate_slots(table, INITIAL_CAPACITY);
	}
	else if (table->used > 0)
	{
		memset(table->slots, 0, slot_bytes(table) * table->capacity);
		table->used = 0;
	}
}

/* Adds to the slot of a key. "words" is a constant in the hot calls. */
static pg_attribute_always_inline void
add_at(CountTable *table, const uint64 *key, int64 position, int64 count, int words)
{
	uint64 *slot = table->slots + position * (words + 1);

	while (slot[words] != 0)
	{
		bool equal = slot[0] == key[0];

		for (int w = 1; w < words; w++)
			equal &= slot[w] == key[w];
		if (equal)
		{
			slot[words] += count;
			return;
		}
		position = (position + 1) & (table->capacity - 1);
		slot = table->slots + position * (words + 1);
	}
	memcpy(slot, key, sizeof(uint64) * words);
	slot[words] = count;
	table->used++;
}

static pg_attribute_always_inline void
add_block(CountTable *table, const uint64 *keys, const int64 *counts, int n, int words)
{
	int64 position[COUNT_BLOCK];

	for (int i = 0; i < n; i++)
	{
		position[i] =
			(int64) (count_table_hash(keys + i * words, words, table->multiplier) >> table->shift);
		__builtin_prefetch(table->slots + position[i] * (words + 1), 1);
	}
	for (int i = 0; i < n; i++)
		add_at(table, keys + i * words, position[i], counts[i], words);
}

static void
add_any(CountTable *table, const uint64 *keys, const int64 *counts, int n)
{
	if (table->words == 1)
		add_block(table, keys, counts, n, 1);
	else
		add_block(table, keys, counts, n, table->words);
}

/* Doubles the slots if the budget has room for both tables at once. */
static bool
grow(CountTable *table)
{
	CountTable old = *table;
	int width = table->words + 1;

	if (!budget_fits(table->budget, slot_bytes(table) * table->capacity * 2))
		return false;
	allocate_slots(table, old.capacity * 2);
	for (int64 i = 0; i < old.capacity; i++)
	{
		uint64 *slot = old.slots + i * width;
		int64 count = slot[table->words];

		interrupt_check(i);
		if (count != 0)
			add_any(table, slot, &count, 1);
	}
	pfree(old.slots);
	return true;
}

bool
count_table_add_block(CountTable *table, const uint64 *keys, const int64 *counts, int n)
{
	while (table->used + n > room(table->capacity))
		if (!grow(table))
			return false;
	add_any(table, keys, counts, n);
	return true;
}

static inline int64
first_position(const CountTable *table, const uint64 *key)
{
	return (int64) (count_table_hash(key, table->words, table->multiplier) >> table->shift);
}

/* The slot where a key is, or would be, at this position or behind it. */
static int64
find_slot(const CountTable *table, const uint64 *key, int64 position)
{
	int words = table->words;
	const uint64 *slot = table->slots + position * (words + 1);

	while (slot[words] != 0 &&
		   (slot[0] != key[0] || memcmp(slot, key, sizeof(uint64) * words) != 0))
	{
		position = (position + 1) & (table->capacity - 1);
		slot = table->slots + position * (words + 1);
	}
	return position;
}

static inline int64
count_at(const CountTable *table, int64 position)
{
	return (int64) table->slots[position * (table->words + 1) + table->words];
}

int64
count_table_find(const CountTable *table, const uint64 *key)
{
	int64 position = find_slot(table, key, first_position(table, key));

	Assert(count_at(table, position) != 0);
	return position;
}

int64
count_table_get(const CountTable *table, const uint64 *key)
{
	return count_at(table, find_slot(table, key, first_position(table, key)));
}

void
count_table_get_block(const CountTable *table, const uint64 *keys, int64 *counts, int n)
{
	int64 position[COUNT_BLOCK];

	for (int i = 0; i < n; i++)
	{
		position[i] = first_position(table, keys + i * table->words);
		__builtin_prefetch(table->slots + position[i] * (table->words + 1));
	}
	for (int i = 0; i < n; i++)
		counts[i] = count_at(table, find_slot(table, keys + i * table->words, position[i]));
}
