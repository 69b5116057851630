/*
 * range_format.h
 *		Cells that are ranges, [20,30): the interval between its ends.
 *
 * Ranges of whole numbers and of days are taken at the least and greatest number in them; an
 * end that is open or infinite is the least or greatest finite value of the source.
 */
#ifndef KANON_RANGE_FORMAT_H
#define KANON_RANGE_FORMAT_H

#include "postgres.h"

#include "cell/cell_format.h"
#include "utils/numeric.h"

/*
 * A span is written in its range type's canonical form: whole numbers and days as [low, high + 1),
 * unbounded above or up to infinity if high has no successor.
 */
extern const CellFormat range_format;

/*
 * Places: ends of ranges, and values and constants of their types, as numeric, in which PostgreSQL
 * compares and subtracts them exactly; of days and of moments as numbers of days or microseconds.
 * The share as float8; numbers too small for float8 become 0.
 */
extern Numeric range_place(Oid type, Datum value);
extern int range_place_compare(Numeric a, Numeric b);
extern double range_place_share(Numeric part, Numeric whole);

/* The least whole number above a lower end at this place, or the greatest below an upper one. */
extern Numeric range_place_whole(Numeric place, bool lower, bool inclusive);

/* The length from one place to another, or how many whole numbers there are. */
extern Numeric range_place_length(Numeric from, Numeric to, bool whole);

/* Are the column's cells ranges that can be drawn to scale? *days: of days since 1970. */
extern bool range_format_scale(const CellColumn *column, bool *days);

/* A bound of ranges, as text: between a value and what lies above it. */
typedef struct RangeCut
{
	const char *text; /* quoted; "": nothing lies above */
	bool before_next; /* just before the next value of a discrete type; otherwise just after the
					   * value */
} RangeCut;

/*
 * The cut at a base type's value with this text, in the current context.  Under pinned settings
 * (sql/text_settings.h).
 */
extern RangeCut range_format_cut(Oid type, Datum value, const char *text);

/* The cut just before the value with this text; likewise. */
extern RangeCut range_format_before(const char *text);

/*
 * The range between two cuts; a cut may be NULL.  In PostgreSQL's canonical form, also for types
 * without ranges: [a,b), (a,b], (,b), ..  Palloc'd.
 */
extern char *range_format_between(const RangeCut *lower, const RangeCut *upper);

#endif /* KANON_RANGE_FORMAT_H */
