/*
 * map_plot.h
 *		Ranges of two columns as rectangles: how the people were divided.
 */
#ifndef KANON_MAP_PLOT_H
#define KANON_MAP_PLOT_H

#include "postgres.h"

#include "report/svg.h"

#define MAP_PLOT_MOST 1000 /* rectangles that can still be distinguished */

/* NaN: unbounded. */
typedef struct MapRectangle
{
	double left;
	double right;
	double bottom;
	double top;
	int64 rows;
} MapRectangle;

typedef struct MapPlot
{
	const char *relation;
	const char *x;
	const char *y;
	bool x_days; /* values are days since 1970, written as dates */
	bool y_days;
	int count;
	const MapRectangle *rectangle;
} MapPlot;

/* As SVG, in the current context. */
extern SvgPicture map_plot_draw(const MapPlot *plot);

#endif /* KANON_MAP_PLOT_H */
