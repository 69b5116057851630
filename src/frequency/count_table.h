/*
 * count_table.h
 *		Open addressing hash table: packed key -> count.
 *
 * A slot is the key's words followed by the count; a count of 0 marks a free
 * slot.  Adding goes through count_table_add_block: keys come in blocks whose
 * slots are prefetched together, since a large table misses the caches at
 * every key.
 */
#ifndef KANON_COUNT_TABLE_H
#define KANON_COUNT_TABLE_H

#include "postgres.h"

#include "base/budget.h"

#define COUNT_BLOCK 64 /* keys added together */

typedef struct CountTable
{
	int words;      /* of a key */
	uint64 *slots;  /* capacity * (words + 1) */
	int64 capacity; /* a power of two */
	int64 used;
	int shift; /* 64 - log2(capacity) */
	Budget *budget;
	MemoryContext context;
} CountTable;

/* An empty table in the current context. */
extern CountTable *count_table_create(int words, Budget *budget);

/* Empties it, and gives memory back where it has grown large. */
extern void count_table_reset(CountTable *table);

extern void count_table_free(CountTable *table);

/*
 * Adds counts[i] to keys[i * words ..], up to COUNT_BLOCK of them.  False, and
 * nothing added, when the table would have to grow and the budget does not
 * allow it.
 */
extern bool count_table_add_block(CountTable *table, const uint64 *keys, const int64 *counts,
								  int n);

/* Mixes a key; the upper bits choose the slot, the lower ones are free for other uses. */
static inline uint64
count_table_hash(const uint64 *key, int words)
{
	uint64 h = key[0];

	for (int w = 1; w < words; w++)
		h = (h ^ (h >> 29)) * UINT64CONST(0xBF58476D1CE4E5B9) + key[w];
	h ^= h >> 32;
	h *= UINT64CONST(0x9E3779B97F4A7C15);
	return h ^ (h >> 29);
}

#endif /* KANON_COUNT_TABLE_H */
