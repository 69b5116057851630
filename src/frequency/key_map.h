/*
 * key_map.h
 *		Maps keys of a node to keys of a more general one, and counts them by hashing; if memory is
 *		short, in passes over keys with certain hash values.
 */
#ifndef KANON_KEY_MAP_H
#define KANON_KEY_MAP_H

#include "postgres.h"

#include "frequency/frequency_set.h"

#define KEY_MAP_PASSES (1 << 20) /* more do not help */

typedef struct KeyMapField
{
	int word;
	int shift;
	uint64 mask;
	const uint64 *part;
} KeyMapField;

typedef struct KeyMap
{
	int words;
	uint64 *keep; /* [words] */
	int fields;
	KeyMapField *field;
} KeyMap;

/* The keys that a pass counts. */
typedef struct KeyPass
{
	int number;
	int passes; /* a power of two */
} KeyPass;

/* In the current context; valid as long as the space. */
extern KeyMap key_map_create(FrequencySpace *space, const Level *from, const Level *to);

extern void key_map_free(KeyMap *map);

/* Maps n entries, at most COUNT_BLOCK, to separate arrays of keys and counts. */
extern void key_map_block(const KeyMap *map, const uint64 *entries, int n, uint64 *keys,
						  int64 *counts);

/* Does the pass count this key of so many words? */
extern bool key_pass_has(KeyPass pass, const uint64 *key, int words);

/* An empty table for the groups at a node; it grows as needed. */
extern CountTable *key_map_table(const FrequencySet *source, const FrequencySpace *space,
								 const Level *node);

/*
 * Counts the groups of one pass into the table.  If the table is full, spills it to "spill" and
 * empties it; if "spill" is NULL, returns false.  Stops early, returning true, beyond max_groups.
 */
extern bool key_map_count(FrequencySet *source, const KeyMap *map, KeyPass pass, CountTable *table,
						  int64 max_groups, FrequencySet *spill);

#endif /* KANON_KEY_MAP_H */
