/*
 * lattice_plot.h
 *		A search: the lattice of generalizations, and which of them satisfy.
 */
#ifndef KANON_LATTICE_PLOT_H
#define KANON_LATTICE_PLOT_H

#include "postgres.h"

#include "report/svg.h"

#define LATTICE_PLOT_MOST 1000 /* nodes that can still be distinguished */

typedef enum LatticePlotState
{
	LATTICE_PLOT_FAILS,
	LATTICE_PLOT_SATISFIES,
	LATTICE_PLOT_MINIMAL, /* satisfies, and no direct specialization does */
	LATTICE_PLOT_CHOSEN   /* the one of least loss */
} LatticePlotState;

typedef struct LatticePlot
{
	const char *title;
	int attributes;
	const int *height;             /* [attribute] */
	const LatticePlotState *state; /* [node], in the lexicographic order of the levels */
} LatticePlot;

/*
 * The number of nodes for attributes with these heights; LATTICE_PLOT_MOST + 1 if there are more.
 */
extern int lattice_plot_nodes(const int *height, int attributes);

/* The picture as SVG, for at most LATTICE_PLOT_MOST nodes; in the current context. */
extern SvgPicture lattice_plot_draw(const LatticePlot *plot);

#endif /* KANON_LATTICE_PLOT_H */
