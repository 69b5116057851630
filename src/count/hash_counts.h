/*
 * hash_counts.h
 *		Counts things identified by 128 bits of hash, any number of them.
 */
#ifndef KANON_HASH_COUNTS_H
#define KANON_HASH_COUNTS_H

#include "postgres.h"

#include "base/budget.h"

#define HASH_WORDS 2

typedef struct HashCounts HashCounts;

/*
 * No counts yet; in the current context.  A count takes at least 24 bytes.  Those beyond the budget
 * are sorted by the executor, within what the budget has left, on disk.
 */
extern HashCounts *hash_counts_create(Budget *budget);

extern void hash_counts_add(HashCounts *counts, const uint64 *hash, int64 count);

/* Passes on each count once, in no particular order.  Nothing may be added afterwards. */
extern void hash_counts_each(HashCounts *counts, void (*take)(void *state, int64 count),
							 void *state);

/* Frees the counts and their files; a failed query frees the files as well. */
extern void hash_counts_free(HashCounts *counts);

#endif /* KANON_HASH_COUNTS_H */
