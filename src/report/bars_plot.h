/*
 * bars_plot.h
 *		Bars side by side: for each label one of each series.
 */
#ifndef KANON_BARS_PLOT_H
#define KANON_BARS_PLOT_H

#include "postgres.h"

#include "report/svg.h"

typedef struct BarsPlot
{
	const char *title;
	const char *unit; /* what the bars measure */
	int series;
	const char *const *name; /* [series] */
	int labels;
	const char *const *label; /* [label]; a heading where the values of all series are NaN */
	const double *value;      /* [label * series + series]; NaN: not known */
	bool percent;
} BarsPlot;

/* As SVG, in the current context. */
extern SvgPicture bars_plot_draw(const BarsPlot *plot);

#endif /* KANON_BARS_PLOT_H */
