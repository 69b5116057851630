/*
 * class_scan.h
 *		The groups of a joint frequency set (frequency_space.h), brought together by
 *		equivalence class.
 */
#ifndef KANON_CLASS_SCAN_H
#define KANON_CLASS_SCAN_H

#include "postgres.h"

#include "frequency/frequency_set.h"

/* One class.  Its entries may say the same twice: equal codes add up. */
typedef struct ClassEntries
{
	int64 rows;
	int64 entries;      /* 0 where the class is smaller than was asked for */
	const int32 *place; /* [entries]: where they stand in the arrays below */
	int width;
	const int32 *cells; /* [place * width ..]: the class, then the codes carried */
	const int64 *count; /* [place]: rows */
} ClassEntries;

/* Of the i-th entry, the code of a carried attribute (from 0). */
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
	int64 threshold;   /* classes of fewer rows come without entries, and first */
	int64 max_classes; /* stop beyond; -1: never */
	/* Takes a class, valid during the call; false: stop. */
	bool (*consume)(void *state, const ClassEntries *class);
	void *state;
} ClassScanRequest;

/*
 * Pushes each class at "node", from the joint set of a specialization; false if stopped.  Where
 * not all entries fit in memory, in passes over parts of the classes.  Two passes over the source
 * with a hash access each, the second one only if the first was not stopped, and a counting sort.
 */
extern bool class_scan(FrequencySet *source, FrequencySpace *space, const Level *node,
					   const ClassScanRequest *request);

#endif /* KANON_CLASS_SCAN_H */
