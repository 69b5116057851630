/*
 * bars_plot.h
 *		Grouped bars: for each label one bar of each series.
 */
#ifndef KANON_BARS_PLOT_H
#define KANON_BARS_PLOT_H

#include "postgres.h"

#include "report/svg.h"

typedef struct BarsPlot
{
	const char *title;
	const char *unit;        /* unit of the bars */
	const char *description; /* NULL: the unit and all values */
	int series;
	const char *const *name; /* [series] */
	int labels;
	const char *const *label; /* [label]; a heading if the values of all series are NaN */
	const double *value;      /* [label * series + series]; NaN: unknown */
	bool percent;
	int marked; /* so many first labels have the next color */
} BarsPlot;

/* The chart as SVG, in the current context. */
extern SvgPicture bars_plot_draw(const BarsPlot *plot);

#endif /* KANON_BARS_PLOT_H */
