/*
 * histogram.h
 *		The histogram of the sensitive values in one equivalence class.
 *
 * Codes are those of a SensitiveDomain, ascending, so that results do not depend on the order of
 * the rows.
 */
#ifndef KANON_HISTOGRAM_H
#define KANON_HISTOGRAM_H

#include "postgres.h"

#include "base/budget.h"

typedef struct HistogramEntry
{
	int32 code;
	int64 count; /* members with this value, at least 1 */
} HistogramEntry;

typedef struct Histogram
{
	int64 members;         /* sum of the counts */
	int32 values;          /* entries: distinct values */
	HistogramEntry *entry; /* by ascending code */
	int32 capacity;        /* entries allocated */
} Histogram;

/* An empty histogram with room for this many values, in the current context. */
extern Histogram *histogram_create(int32 capacity, Budget *budget);

extern void histogram_reset(Histogram *histogram);

/*
 * Adds members with one value; each code at most once, in any order.  Call _finish after the last:
 * O(v log v) if the codes did not ascend.
 */
extern void histogram_add(Histogram *histogram, int32 code, int64 count);
extern void histogram_finish(Histogram *histogram);

/*
 * Fills in this many members, at most all, of those with the most frequent values; with equal
 * counts, of those with lower codes.  No other part of so many members is less diverse: of any
 * number of values, none has more members.  "part" has room for all values.  O(v log v).
 */
extern void histogram_most_frequent(const Histogram *histogram, int64 members, Histogram *part);

#endif /* KANON_HISTOGRAM_H */
