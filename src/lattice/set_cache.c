/*
 * set_cache.c
 *		See set_cache.h.
 */
#include "postgres.h"

#include "lattice/set_cache.h"

#include "nodes/pg_list.h"

/* A set is kept only if it is this many times smaller than its source. */
#define WORTH 2

struct SetCache
{
	int attributes;
	List *sets; /* the base comes first */
};

SetCache *
set_cache_create(const FrequencySpace *space, FrequencySet *base)
{
	SetCache *cache = palloc(sizeof(SetCache));

	*cache = (SetCache){.attributes = space->attributes, .sets = list_make1(base)};
	return cache;
}

FrequencySet *
set_cache_best(const SetCache *cache, const Level *node)
{
	FrequencySet *best = NULL;
	ListCell *cell;

	foreach (cell, cache->sets)
	{
		FrequencySet *set = lfirst(cell);

		if (best && frequency_set_entries(set) >= frequency_set_entries(best))
			continue;
		if (node_generalizes(cache->attributes, node, frequency_set_node(set)))
			best = set;
	}
	return best;
}

void
set_cache_offer(SetCache *cache, FrequencySet *set)
{
	FrequencySet *served = set_cache_best(cache, frequency_set_node(set));

	if (frequency_set_entries(set) * WORTH > frequency_set_entries(served))
		frequency_set_free(set);
	else
		cache->sets = lappend(cache->sets, set);
}

void
set_cache_free(SetCache *cache)
{
	for (int i = 1; i < list_length(cache->sets); i++)
		frequency_set_free(list_nth(cache->sets, i));
	list_free(cache->sets);
	pfree(cache);
}
