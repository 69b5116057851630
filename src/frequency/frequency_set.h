/*
 * frequency_set.h
 *		The frequency set of a table at a node: its groups and their counts (LeFevre, DeWitt,
 *		Ramakrishnan 2005a).
 *
 * A set lies in memory while the budget allows, then on a tape (a temporary file).  It is read from
 * front to back, in chunks.  A set whose groups did not fit in memory while they were counted is
 * *partial*: a key may occur several times, and its count is the sum (see rollup.h).
 */
#ifndef KANON_FREQUENCY_SET_H
#define KANON_FREQUENCY_SET_H

#include "postgres.h"

#include "frequency/count_table.h"
#include "frequency/frequency_space.h"
#include "storage/buffile.h"

typedef struct FrequencySet
{
	FrequencySpace *space;
	Level *node;
	int width; /* words of an entry: the key and the count */
	int64 entries;
	bool partial;
	uint64 *memory; /* the first "held" entries */
	int64 held;
	int64 capacity;
	BufFile *tape; /* the rest */
	int64 tables;  /* count tables appended */
} FrequencySet;

/*
 * An empty set at a node, in the current context.  Reserves memory for "expected" entries if they
 * fit.  Sets may take three quarters of the budget, because counting needs the rest, and all of it
 * if a tape's buffer would be larger than the set.  Other entries go to a tape.
 */
extern FrequencySet *frequency_set_create(FrequencySpace *space, const Level *node, int64 expected);

/* Would a set of this many entries fit in memory? */
extern bool frequency_set_fits(const FrequencySpace *space, int64 entries);

/* Appends an entry: the words of its key, then the count. */
extern void frequency_set_append(FrequencySet *set, const uint64 *entry);

/* Appends the groups of a table.  A second call makes the set partial. */
extern void frequency_set_append_table(FrequencySet *set, const CountTable *table);

extern void frequency_set_free(FrequencySet *set);

/*
 * Reads the set: each call returns the number of entries in the next chunk, valid until the next
 * call; 0 at the end.
 */
typedef struct FrequencyScan
{
	FrequencySet *set;
	int64 position;
	uint64 *buffer; /* for a tape's chunk */
} FrequencyScan;

extern FrequencyScan frequency_scan_begin(FrequencySet *set);
extern int64 frequency_scan_next(FrequencyScan *scan, const uint64 **entries);
extern void frequency_scan_end(FrequencyScan *scan);

/*
 * ---- Maps keys of a node to keys of a more general one, and counts them by hashing; if memory is
 * short, in passes over keys with certain hash values.
 */

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

/*
 * An empty table for the groups at a node, about as many as expected (0: unknown); it grows as
 * needed.
 */
extern CountTable *key_map_table(const FrequencySet *source, const FrequencySpace *space,
								 const Level *node, int64 expected);

/*
 * Counts the groups of one pass into the table.  If the table is full, spills it to "spill" and
 * empties it; if "spill" is NULL, returns false.  Stops early, returning true, beyond max_groups.
 */
extern bool key_map_count(FrequencySet *source, const KeyMap *map, KeyPass pass, CountTable *table,
						  int64 max_groups, FrequencySet *spill);

/*
 * ---- A frequency source, which counts the table itself.  An operation calls it once;
 * read_marginals reads the table once for each attribute.
 */

typedef struct FrequencySource FrequencySource;

struct FrequencySource
{
	/* Set by the first read_ground or read_marginals. */
	FrequencySpace *space;

	/* The frequency set of all attributes at level 0.  Makes the space. */
	FrequencySet *(*read_ground)(FrequencySource *source);

	/* The marginals of the attributes, by one GROUP BY each.  Makes the space. */
	void (*read_marginals)(FrequencySource *source);

	/* The frequency set at any node; needs the space. */
	FrequencySet *(*read_node)(FrequencySource *source, const Level *node);
};

#endif /* KANON_FREQUENCY_SET_H */
