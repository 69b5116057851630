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

typedef struct FrequencySet FrequencySet;

/*
 * An empty set at a node, in the current context.  Reserves memory for "expected" entries if they
 * fit.  Sets may take three quarters of the budget, because counting needs the rest, and all of it
 * if a tape's buffer would be larger than the set.  Other entries go to a tape.
 */
extern FrequencySet *frequency_set_create(FrequencySpace *space, const Level *node, int64 expected);

/* Would a set of this many entries fit in memory? */
extern bool frequency_set_fits(const FrequencySpace *space, int64 entries);

/* Appends entries, each the words of its key, then the count. */
extern void frequency_set_append(FrequencySet *set, const uint64 *entries, int64 n);

/* Appends the groups of a table and empties it.  A second call makes the set partial. */
extern void frequency_set_append_table(FrequencySet *set, CountTable *table);

/* Marks the set as one whose keys may occur several times. */
extern void frequency_set_mark_partial(FrequencySet *set);

extern void frequency_set_free(FrequencySet *set);

extern const Level *frequency_set_node(const FrequencySet *set);
extern int64 frequency_set_entries(const FrequencySet *set);
extern bool frequency_set_is_partial(const FrequencySet *set);

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

#endif /* KANON_FREQUENCY_SET_H */
