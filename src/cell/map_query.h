/*
 * map_query.h
 *		The ranges of two columns of a release, as places on two scales.
 */
#ifndef KANON_MAP_QUERY_H
#define KANON_MAP_QUERY_H

#include "postgres.h"

#include "cell/cell_format.h"

/* The ends in both columns; NaN: no end. */
typedef struct RangePair
{
	double low[2];
	double high[2];
	int64 rows;
} RangePair;

/* Are the column's cells ranges with places on a scale? *days: days since 1970. */
extern bool map_query_takes(const CellColumn *column, bool *days);

/*
 * The pairs that occur, at most "most", those with the most rows first; returns their number.  Both
 * columns are of one release.  One GROUP BY as the current user, within a query scope; in the
 * current context.
 */
extern int map_query_run(const CellColumn *x, const CellColumn *y, int most, RangePair **pair);

#endif /* KANON_MAP_QUERY_H */
