/*
 * frequency_set.h
 *		The frequency set of a table at a node: its groups and their counts.
 *
 * A set lies in memory while the budget allows, else on a tape (a temporary file), and is read
 * from front to back, in chunks.  One whose groups did not fit in memory while they were
 * counted is *partial*: a key may occur several times and its count is the sum (see rollup.h).
 */
#ifndef KANON_FREQUENCY_SET_H
#define KANON_FREQUENCY_SET_H

#include "postgres.h"

#include "frequency/count_table.h"
#include "frequency/frequency_space.h"

typedef struct FrequencySet FrequencySet;

/*
 * An empty set at a node, in the current context.  "expected" entries are reserved in memory at
 * once if they fit: sets may take three quarters of the budget, the rest is for counting; all of
 * it where a tape's buffer would be larger than the set.  Other entries go to a tape.
 */
extern FrequencySet *frequency_set_create(FrequencySpace *space, const Level *node, int64 expected);

/* Would a set of so many entries lie in memory? */
extern bool frequency_set_fits(const FrequencySpace *space, int64 entries);

/* Appends entries: the key's words, then the count, each. */
extern void frequency_set_append(FrequencySet *set, const uint64 *entries, int64 n);

/* Appends the groups of a table and empties it.  A second call makes the set partial. */
extern void frequency_set_append_table(FrequencySet *set, CountTable *table);

/* Says that keys may occur several times. */
extern void frequency_set_mark_partial(FrequencySet *set);

extern void frequency_set_free(FrequencySet *set);

extern const Level *frequency_set_node(const FrequencySet *set);
extern int64 frequency_set_entries(const FrequencySet *set);
extern bool frequency_set_is_partial(const FrequencySet *set);

/* Reading: each call gives the next chunk, valid until the next call; 0 at the end. */
typedef struct FrequencyScan
{
	FrequencySet *set;
	int64 position;
	uint64 *buffer; /* of a tape's chunk */
} FrequencyScan;

extern FrequencyScan frequency_scan_begin(FrequencySet *set);
extern int64 frequency_scan_next(FrequencyScan *scan, const uint64 **entries);
extern void frequency_scan_end(FrequencyScan *scan);

#endif /* KANON_FREQUENCY_SET_H */
