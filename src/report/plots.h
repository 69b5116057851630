/*
 * plots.h
 *		Pictures of figures: bars, sizes of classes, loss over k, and the lattice of a search.
 *
 * Each is drawn in the current context.  NaN: not known.
 */
#ifndef KANON_PLOTS_H
#define KANON_PLOTS_H

#include "postgres.h"

#include "lattice/lattice.h"
#include "report/svg.h"

/* For each label one bar, or one bar of each of two series. */
typedef struct BarsPlot
{
	const char *title;
	const char *unit;            /* of the bars */
	const char *description;     /* NULL: the unit and all values */
	const char *const series[2]; /* names; the second may be NULL */
	bool percent;
	int marked; /* this many labels, the first ones, have the next color */
	List *bars; /* added by bars_plot_add */
} BarsPlot;

/* A label with its values; a heading if they are NaN.  The label is kept. */
extern void bars_plot_add(BarsPlot *plot, const char *label, double first, double second);
extern SvgPicture bars_plot_draw(const BarsPlot *plot);

#define CLASSES_PLOT_BINS 64 /* 0: below k; b: from k * 2^(b - 1) rows to less than twice that */

/* The number of rows in classes of each size. */
typedef struct ClassesPlot
{
	const char *relation;
	int k; /* 0: unknown; bins are those of k = 1 */
	int64 classes[CLASSES_PLOT_BINS];
	int64 rows[CLASSES_PLOT_BINS];
} ClassesPlot;

/* Adds a class of at least one row. */
extern void classes_plot_add(ClassesPlot *plot, int64 rows);
extern SvgPicture classes_plot_draw(const ClassesPlot *plot);

/* What a larger k costs: loss by k, with a line for each recoding. */
typedef struct TradeoffPlot
{
	const char *relation;
	int ks;
	const double *k; /* [ks], ascending */
	int recodings;
	const char *const *recoding; /* names */
	const double *loss;          /* [recoding * ks + k]; NaN: nothing could be published */
} TradeoffPlot;

extern SvgPicture tradeoff_plot_draw(const TradeoffPlot *plot);

#define LATTICE_PLOT_MOST 1000 /* nodes that can still be distinguished */

typedef enum LatticePlotState
{
	LATTICE_PLOT_FAILS,
	LATTICE_PLOT_SATISFIES,
	LATTICE_PLOT_MINIMAL, /* satisfies, and no direct specialization does */
	LATTICE_PLOT_CHOSEN   /* the one that a release takes */
} LatticePlotState;

/* The lattice of generalizations, of at most LATTICE_PLOT_MOST nodes, and which of them satisfy. */
extern SvgPicture lattice_plot_draw(const char *title, const Lattice *lattice,
									const LatticePlotState *state);

#endif /* KANON_PLOTS_H */
