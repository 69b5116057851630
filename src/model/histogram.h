/*
 * histogram.h
 *		How often each sensitive value stands in one equivalence class, of those that occur.
 *
 * Codes are those of a SensitiveDomain, ascending, so that what is computed does not depend on
 * the order in which rows came.
 */
#ifndef KANON_HISTOGRAM_H
#define KANON_HISTOGRAM_H

#include "postgres.h"

#include "base/budget.h"

typedef struct HistogramEntry
{
	int32 code;
	int64 count; /* members with this value: above 0 */
} HistogramEntry;

typedef struct Histogram
{
	int64 members;         /* sum of the counts */
	int32 values;          /* entries: different values */
	HistogramEntry *entry; /* by ascending code */
	int32 capacity;        /* entries there is room for */
} Histogram;

/* An empty one with room for so many values, in the current context. */
extern Histogram *histogram_create(int32 capacity, Budget *budget);

extern void histogram_reset(Histogram *histogram);

/*
 * Adds members of one value; each code at most once, in any order.  _finish after the last: O(v
 * log v) where codes did not ascend.
 */
extern void histogram_add(Histogram *histogram, int32 code, int64 count);
extern void histogram_finish(Histogram *histogram);

#endif /* KANON_HISTOGRAM_H */
