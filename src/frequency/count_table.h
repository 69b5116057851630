/*
 * count_table.h
 *		An open-addressing hash table from packed keys to counts.
 *
 * A slot is the words of the key, then the count; count 0 marks a free slot.
 */
#ifndef KANON_COUNT_TABLE_H
#define KANON_COUNT_TABLE_H

#include "postgres.h"

#include "base/budget.h"

#define COUNT_BLOCK 64 /* most keys added, or looked up, in one call */

typedef struct CountTable
{
	int words;      /* of a key */
	uint64 *slots;  /* capacity * (words + 1) */
	int64 capacity; /* a power of two */
	int64 used;
	int shift; /* 64 - log2(capacity) */
	Budget *budget;
	MemoryContext context;
	uint64 multiplier; /* of the hash function */
} CountTable;

/*
 * An empty table in the current context, with room for "expected" keys if the budget allows.  It
 * grows.
 */
extern CountTable *count_table_create(int words, Budget *budget, int64 expected);

/* Empties the table; shrinks it if it has grown large. */
extern void count_table_reset(CountTable *table);

extern void count_table_free(CountTable *table);

/*
 * Adds counts[i] to keys[i * words ..], for up to COUNT_BLOCK keys.  Returns false and adds nothing
 * if the table would have to grow beyond the budget.
 */
extern bool count_table_add_block(CountTable *table, const uint64 *keys, const int64 *counts,
								  int n);

/* The slot, in [0, capacity), of a key that was added. */
extern int64 count_table_find(const CountTable *table, const uint64 *key);

/* The count of a key; 0 if it was not added. */
extern int64 count_table_get(const CountTable *table, const uint64 *key);

/* The counts of up to COUNT_BLOCK keys, which are looked up side by side. */
extern void count_table_get_block(const CountTable *table, const uint64 *keys, int64 *counts,
								  int n);

/* Was the key added? */
static inline bool
count_table_has(const CountTable *table, const uint64 *key)
{
	return count_table_get(table, key) != 0;
}

/* Mixes a key with an odd multiplier; use the upper bits. */
static inline uint64
count_table_hash(const uint64 *key, int words, uint64 multiplier)
{
	uint64 h = key[0];

	for (int w = 1; w < words; w++)
		h = (h ^ (h >> 29)) * UINT64CONST(0xBF58476D1CE4E5B9) + key[w];
	h ^= h >> 32;
	return h * multiplier;
}

#endif /* KANON_COUNT_TABLE_H */
