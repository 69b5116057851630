/*
 * classes_plot.h
 *		The number of rows in classes of each size.
 */
#ifndef KANON_CLASSES_PLOT_H
#define KANON_CLASSES_PLOT_H

#include "postgres.h"

#include "report/svg.h"

#define CLASSES_PLOT_BINS 64 /* 0: below k; b: from k * 2^(b - 1) rows to less than twice that */

typedef struct ClassesPlot
{
	const char *relation;
	int k; /* 0: unknown; bins are those of k = 1 */
	int64 classes[CLASSES_PLOT_BINS];
	int64 rows[CLASSES_PLOT_BINS];
} ClassesPlot;

/* Adds a class of at least one row. */
extern void classes_plot_add(ClassesPlot *plot, int64 rows);

/* As SVG, in the current context. */
extern SvgPicture classes_plot_draw(const ClassesPlot *plot);

#endif /* KANON_CLASSES_PLOT_H */
