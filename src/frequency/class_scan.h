/*
 * class_scan.h
 *		The groups of a joint frequency set (frequency_space.h), sorted by equivalence class.
 */
#ifndef KANON_CLASS_SCAN_H
#define KANON_CLASS_SCAN_H

#include "postgres.h"

#include "frequency/frequency_set.h"

/* One class.  Several entries may have equal codes; their counts add up. */
typedef struct ClassEntries
{
	const uint64 *key; /* of its quasi-identifiers, at the node */
	int64 rows;
	int64 entries;      /* 0 if the class is below the threshold */
	const int32 *place; /* [entries]: index into the arrays below */
	int width;
	const int32 *cells; /* [place * width ..]: the class, then the carried codes */
	const int64 *count; /* [place]: rows */
} ClassEntries;

/* The code of a carried attribute (from 0) in the i-th entry. */
static inline int32
class_entries_code(const ClassEntries *class, int64 i, int carried)
{
	return class->cells[(int64) class->place[i] * class->width + 1 + carried];
}

static inline int64
class_entries_count(const ClassEntries *class, int64 i)
{
	return class->count[class->place[i]];
}

typedef struct ClassScanRequest
{
	int64 threshold;   /* classes with fewer rows come first, without entries */
	int64 max_classes; /* stop if there are more; -1: never */
	/* Takes a class, valid during the call; returns false to stop. */
	bool (*consume)(void *state, const ClassEntries *class);
	void *state;
} ClassScanRequest;

/*
 * Pushes each class at "node", from the joint set of a specialization; false if stopped.  If not
 * all entries fit in memory, works in passes over parts of the classes.  Cost: two passes over the
 * source with a hash access for each entry, the second only if the first was not stopped, and a
 * counting sort.
 */
extern bool class_scan(FrequencySet *source, FrequencySpace *space, const Level *node,
					   const ClassScanRequest *request);

#endif /* KANON_CLASS_SCAN_H */
