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
 * A span is written in its range type's canonical form: whole numbers and days as [low, high +
 * 1), up to infinity or unbounded above where there is no such value.
 */
extern const CellFormat range_format;

/*
 * SQL: the ends of a cell as two float8, NULL where there is none that is finite: numbers as they
 * are, dates and times in days since 1970.  NULL (no SQL): its column has no such ranges.
 */
extern char *range_format_ends(const CellColumn *column, const char *cell, bool *days);

/* Between a value and what lies above it: a bound of ranges, as text. */
typedef struct RangeCut
{
	const char *text; /* quoted; "": nothing lies above */
	bool before_next; /* of the value next to it, which a discrete type has; else behind itself */
} RangeCut;

/*
 * A base type's value, whose text is at hand, in the current context.  Under pinned settings
 * (sql/text_settings.h).
 */
extern RangeCut range_format_cut(Oid type, Datum value, const char *text);

/*
 * The range between two cuts, NULL where there is none: as PostgreSQL writes it, canonically,
 * and in the same way if it has no ranges of the type: [a,b), (a,b], (,b), ..  palloc'd.
 */
extern char *range_format_between(const RangeCut *lower, const RangeCut *upper);

#endif /* KANON_RANGE_FORMAT_H */
