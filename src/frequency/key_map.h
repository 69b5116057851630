/*
 * key_map.h
 *		Keys of a node to those of a more general one, and counting them by hashing, in
 *		passes over the keys with a certain hash value where memory is short.
 */
#ifndef KANON_KEY_MAP_H
#define KANON_KEY_MAP_H

#include "postgres.h"

#include "frequency/frequency_set.h"

#define KEY_MAP_PASSES (1 << 20) /* more are of no use */

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

/* Which keys a pass counts. */
typedef struct KeyPass
{
	int number;
	int passes; /* a power of two */
} KeyPass;

/* In the current context. */
extern KeyMap key_map_create(FrequencySpace *space, const Level *from, const Level *to);

extern void key_map_free(KeyMap *map);

/* Maps n entries, COUNT_BLOCK at most, to keys and counts apart. */
extern void key_map_block(const KeyMap *map, const uint64 *entries, int n, uint64 *keys,
						  int64 *counts);

/* Does the pass count a key of so many words? */
extern bool key_pass_has(KeyPass pass, const uint64 *key, int words);

/* An empty table for the groups of a set at a node; it grows as needed. */
extern CountTable *key_map_table(const FrequencySet *source, const FrequencySpace *space,
								 const Level *node);

/*
 * Counts the groups of one pass into the table.  Where that is full: spills it to "spill" and
 * empties it, or without "spill" returns false.  Stops early, returning true, beyond max_groups.
 */
extern bool key_map_count(FrequencySet *source, const KeyMap *map, KeyPass pass, CountTable *table,
						  int64 max_groups, FrequencySet *spill);

#endif /* KANON_KEY_MAP_H */
