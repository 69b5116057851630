/*
 * lattice_plot.h
 *		A search: the lattice of generalizations, and which of them satisfy.
 */
#ifndef KANON_LATTICE_PLOT_H
#define KANON_LATTICE_PLOT_H

#include "postgres.h"

#include "report/svg.h"

#define LATTICE_PLOT_MOST 1000 /* nodes that one can still tell apart */

typedef enum LatticePlotState
{
	LATTICE_PLOT_FAILS,
	LATTICE_PLOT_SATISFIES,
	LATTICE_PLOT_MINIMAL, /* and no direct specialization does */
	LATTICE_PLOT_CHOSEN   /* the one that loses least */
} LatticePlotState;

typedef struct LatticePlot
{
	const char *title;
	int attributes;
	const int *height;             /* [attribute] */
	const LatticePlotState *state; /* [node], in the lexicographic order of the levels */
} LatticePlot;

/* Nodes of attributes with these heights, or LATTICE_PLOT_MOST + 1 if they are more than that. */
extern int lattice_plot_nodes(const int *height, int attributes);

/* As SVG, of at most LATTICE_PLOT_MOST nodes; in the current context. */
extern SvgPicture lattice_plot_draw(const LatticePlot *plot);

#endif /* KANON_LATTICE_PLOT_H */
