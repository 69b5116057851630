/*
 * tradeoff_plot.h
 *		The cost of a larger k: loss by k, with a line for each recoding.
 */
#ifndef KANON_TRADEOFF_PLOT_H
#define KANON_TRADEOFF_PLOT_H

#include "postgres.h"

#include "report/svg.h"

typedef struct TradeoffPlot
{
	const char *relation; /* its name */
	int ks;
	const double *k; /* [ks], ascending */
	int recodings;
	const char *const *recoding; /* names */
	const double *loss;          /* [recoding * ks + k]; NaN: nothing could be published */
} TradeoffPlot;

/* As SVG, in the current context. */
extern SvgPicture tradeoff_plot_draw(const TradeoffPlot *plot);

#endif /* KANON_TRADEOFF_PLOT_H */
