/*
 * set_cache.h
 *		Frequency sets to roll up from: for a node, finds the smallest set of a specialization.
 */
#ifndef KANON_SET_CACHE_H
#define KANON_SET_CACHE_H

#include "postgres.h"

#include "frequency/frequency_set.h"

typedef struct SetCache SetCache;

/*
 * A cache that always has "base"; every node asked for must be at or above it.  In the current
 * context.
 */
extern SetCache *set_cache_create(const FrequencySpace *space, FrequencySet *base);

/*
 * Takes over a set, or frees it if it is not much smaller than the set that already serves its
 * node.
 */
extern void set_cache_offer(SetCache *cache, FrequencySet *set);

/* The smallest set whose node is at or below this one.  O(sets * attributes). */
extern FrequencySet *set_cache_best(const SetCache *cache, const Level *node);

/* Frees all but the base. */
extern void set_cache_free(SetCache *cache);

#endif /* KANON_SET_CACHE_H */
