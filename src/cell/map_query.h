/*
 * map_query.h
 *		Ranges of two columns of a release, as places on two scales.
 */
#ifndef KANON_MAP_QUERY_H
#define KANON_MAP_QUERY_H

#include "postgres.h"

#include "cell/cell_format.h"

/* The ends of both; NaN: there is none. */
typedef struct RangePair
{
	double low[2];
	double high[2];
	int64 rows;
} RangePair;

/* Are the cells of the column ranges with places on a scale?  days: since 1970. */
extern bool map_query_takes(const CellColumn *column, bool *days);

/*
 * The pairs that occur, at most so many, those with the most rows first; returns how many.  Both
 * columns are of one release.  One GROUP BY as the current user, within a query scope; current
 * context.
 */
extern int map_query_run(const CellColumn *x, const CellColumn *y, int most, RangePair **pair);

#endif /* KANON_MAP_QUERY_H */
