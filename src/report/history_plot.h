/*
 * history_plot.h
 *		A release over time: one panel with a line for each figure, one above the other.
 */
#ifndef KANON_HISTORY_PLOT_H
#define KANON_HISTORY_PLOT_H

#include "postgres.h"

#include "report/svg.h"

typedef struct HistoryLine
{
	const char *name;
	bool percent;
	const double *value; /* [filling]; NaN: not known */
} HistoryLine;

typedef struct HistoryPlot
{
	const char *relation;
	const char *when; /* the times of the first and the last filling */
	int fillings;
	const double *at; /* [filling]: days since 1970 */
	int lines;
	const HistoryLine *line;
} HistoryPlot;

/* As SVG, in the current context. */
extern SvgPicture history_plot_draw(const HistoryPlot *plot);

#endif /* KANON_HISTORY_PLOT_H */
