/*
 * levels_plot.h
 *		How the values of each column were generalized: its levels, from the value itself to
 *		anything, and the share of rows published at each.
 */
#ifndef KANON_LEVELS_PLOT_H
#define KANON_LEVELS_PLOT_H

#include "postgres.h"

#include "report/svg.h"

typedef struct LevelsColumn
{
	const char *name;
	int levels;
	const char *const *level; /* names */
	const double *share;      /* of the rows */
} LevelsColumn;

typedef struct LevelsPlot
{
	const char *relation;
	int columns;
	const LevelsColumn *column;
} LevelsPlot;

/* As SVG, in the current context. */
extern SvgPicture levels_plot_draw(const LevelsPlot *plot);

#endif /* KANON_LEVELS_PLOT_H */
