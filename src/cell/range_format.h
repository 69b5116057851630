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

/*
 * A span is written in its range type's canonical form: whole numbers and days as [low, high + 1),
 * unbounded above or up to infinity if high has no successor.
 */
extern const CellFormat range_format;

/*
 * SQL: the ends of a cell as two float8, NULL if not finite: numbers as they are, dates and times
 * in days since 1970.  A NULL pointer if the column has no such ranges.
 */
extern char *range_format_ends(const CellColumn *column, const char *cell, bool *days);

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

/*
 * The range between two cuts; a cut may be NULL.  In PostgreSQL's canonical form, also for types
 * without ranges: [a,b), (a,b], (,b), ..  Palloc'd.
 */
extern char *range_format_between(const RangeCut *lower, const RangeCut *upper);

#endif /* KANON_RANGE_FORMAT_H */
