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
#include "data/dimension.h"

typedef struct HistogramEntry
{
	int32 code;  /* first, to be compared */
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

/* A histogram with room for just these values, and its entries palloc'd. */
extern Histogram histogram_copy(const Histogram *histogram);

/* Its entries by descending count, with equal counts by code; palloc'd. */
extern HistogramEntry *histogram_by_count(const Histogram *histogram);

/*
 * Fills in this many members, at most all, of those with the most frequent values; with equal
 * counts, of those with lower codes.  No other part of so many members is less diverse: of any
 * number of values, none has more members.  "part" has room for all values.  O(v log v).
 */
extern void histogram_most_frequent(const Histogram *histogram, int64 members, Histogram *part);

/*
 * ---- The values of one sensitive column, as privacy models see them.
 *
 * Codes are dense and stand for the values of the whole table.  If the values have an order, codes
 * follow it; if they have a hierarchy, codes keep siblings together, as in Dimension.  NULL, if it
 * occurs, is the last code.
 *
 * The ground distance of two values, for the earth mover's distance (Li, Li, Venkatasubramanian
 * 2007, section 4):
 *
 * - equal: 1 between any two;
 * - ordered: ranks between them / (values - 1);
 * - hierarchical: level of the lowest common ancestor / height; a hierarchy whose highest level has
 *   several labels counts one level more.
 *
 * NULL has distance 1 from every value in all three.
 */

typedef struct SensitiveDomain
{
	const char *name;           /* of the column, for messages */
	int32 codes;                /* values that occur, NULL included */
	bool has_null;              /* NULL's code is codes - 1 */
	bool ordered;               /* the ground distance goes by rank */
	const Dimension *hierarchy; /* the ground distance goes by this hierarchy; or NULL */
	const double *number;       /* [code]: finite; NULL: no model needs numbers */
	const int64 *count;         /* [code]: members in the whole table */
	int64 members;              /* sum of count */
	int64 *below;               /* [code]: members of all codes up to this one */
	double *sum_below;          /* [i]: sum of below[0 .. i - 1], codes + 1 entries */
	int64 **level_count;        /* [1 .. height][code]: members under a label */
} SensitiveDomain;

/*
 * Computes the sums of a domain whose other fields are set, in the current context, against the
 * budget.  Keeps the pointers count and hierarchy.  O(codes), for a hierarchy times its height.
 * _sum computes them again after the counts changed.
 */
extern void sensitive_domain_prepare(SensitiveDomain *domain, Budget *budget);
extern void sensitive_domain_sum(SensitiveDomain *domain);

/* The whole table as one class; its entries are palloc'd. */
extern Histogram sensitive_domain_whole(const SensitiveDomain *domain);

/* The members of a class whose value is NULL, which has the last entry. */
static inline int64
histogram_nulls(const Histogram *histogram, const SensitiveDomain *domain)
{
	const HistogramEntry *last = &histogram->entry[histogram->values - 1];

	return domain->has_null && histogram->values > 0 && last->code == domain->codes - 1
			   ? last->count
			   : 0;
}

#endif /* KANON_HISTOGRAM_H */
