/*
 * hash_counts.h
 *		How often things occur that are told apart by 128 bits of hash, however many they are.
 */
#ifndef KANON_HASH_COUNTS_H
#define KANON_HASH_COUNTS_H

#include "postgres.h"

#include "base/budget.h"

#define HASH_WORDS 2

typedef struct HashCounts HashCounts;

/*
 * None yet; in the current context.  Those that the budget has no room for, at 24 bytes and more
 * each, are sorted by the executor's means, within what the budget has left, over disk.
 */
extern HashCounts *hash_counts_create(Budget *budget);

extern void hash_counts_add(HashCounts *counts, const uint64 *hash, int64 count);

/* Each once, in no order that means anything.  Nothing may be added any more. */
extern void hash_counts_each(HashCounts *counts, void (*take)(void *state, int64 count),
							 void *state);

/* With the files, which whoever began the query ends, too. */
extern void hash_counts_free(HashCounts *counts);

#endif /* KANON_HASH_COUNTS_H */
