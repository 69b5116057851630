/*
 * lattice_plot.c
 *		See lattice_plot.h.
 *
 * Nodes of one height form a row, the most general on top.  A line joins a node and its direct
 * generalizations.
 */
#include "postgres.h"

#include "report/lattice_plot.h"

#include "base/interrupt.h"
#include "report/svg.h"

#define WIDTH 960.0
#define ROW 64.0
#define TOP 56.0
#define LETTER 6.5

/* The positions of the nodes. */
typedef struct LatticePlaces
{
	const LatticePlot *plot;
	int nodes;
	int top;     /* the greatest height */
	int *level;  /* [node * attributes + attribute] */
	int *height; /* [node] */
	double *x;   /* [node] */
	double *y;
	double least; /* least distance of two nodes in a row */
} LatticePlaces;

/* How a state is drawn: the series of svg.h, and its name. */
static const struct
{
	int series;
	const char *name;
} states[] = {{5, "does not satisfy"}, {0, "satisfies"}, {2, "minimal"}, {1, "loses least"}};

int
lattice_plot_nodes(const int *height, int attributes)
{
	int64 nodes = 1;

	for (int i = 0; i < attributes && nodes <= LATTICE_PLOT_MOST; i++)
		nodes *= height[i] + 1;
	return (int) Min(nodes, LATTICE_PLOT_MOST + 1);
}

static void
read_levels(LatticePlaces *places)
{
	const LatticePlot *plot = places->plot;

	for (int node = 0; node < places->nodes; node++)
	{
		int rest = node;

		for (int i = plot->attributes - 1; i >= 0; i--)
		{
			int level = rest % (plot->height[i] + 1);

			rest /= plot->height[i] + 1;
			places->level[node * plot->attributes + i] = level;
			places->height[node] += level;
		}
		places->top = Max(places->top, places->height[node]);
	}
}

static LatticePlaces
place_nodes(const LatticePlot *plot)
{
	LatticePlaces places = {
		.plot = plot, .nodes = lattice_plot_nodes(plot->height, plot->attributes), .least = WIDTH};
	int *in_row;
	int *placed;

	places.level = palloc(sizeof(int) * places.nodes * plot->attributes);
	places.height = palloc0(sizeof(int) * places.nodes);
	places.x = palloc(sizeof(double) * places.nodes);
	places.y = palloc(sizeof(double) * places.nodes);
	read_levels(&places);
	in_row = palloc0(sizeof(int) * (places.top + 1));
	placed = palloc0(sizeof(int) * (places.top + 1));
	for (int node = 0; node < places.nodes; node++)
		in_row[places.height[node]]++;
	for (int node = 0; node < places.nodes; node++)
	{
		int height = places.height[node];
		double step = WIDTH / in_row[height];

		places.x[node] = step * (placed[height]++ + 0.5);
		places.y[node] = TOP + ROW * (places.top - height) + ROW / 2;
		places.least = Min(places.least, step);
	}
	return places;
}

static void
draw_lines(Svg *svg, const LatticePlaces *places)
{
	const LatticePlot *plot = places->plot;

	for (int node = 0; node < places->nodes; node++)
	{
		int stride = 1;

		CHECK_FOR_INTERRUPTS();
		for (int i = plot->attributes - 1; i >= 0; i--)
		{
			if (places->level[node * plot->attributes + i] < plot->height[i])
				svg_line(svg, places->x[node], places->y[node], places->x[node + stride],
						 places->y[node + stride]);
			stride *= plot->height[i] + 1;
		}
	}
}

/* "1,0,2" */
static char *
name_of(const LatticePlaces *places, int node)
{
	int attributes = places->plot->attributes;
	StringInfoData name;

	initStringInfo(&name);
	for (int i = 0; i < attributes; i++)
		appendStringInfo(&name, "%s%d", i > 0 ? "," : "", places->level[node * attributes + i]);
	return name.data;
}

static void
draw_nodes(Svg *svg, const LatticePlaces *places)
{
	for (int node = 0; node < places->nodes; node++)
	{
		LatticePlotState state = places->plot->state[node];
		char *name = name_of(places, node);

		CHECK_FOR_INTERRUPTS();
		svg_dot(svg, states[state].series, places->x[node], places->y[node],
				psprintf("%s: %s", name, states[state].name));
		if (places->least >= LETTER * (double) strlen(name) + 4)
			svg_label(svg, places->x[node], places->y[node] + 18, SVG_MIDDLE, name);
	}
}

/* In words: the number of nodes in each state. */
static char *
describe(const LatticePlaces *places)
{
	int count[lengthof(states)] = {0};
	StringInfoData words;

	for (int node = 0; node < places->nodes; node++)
		count[places->plot->state[node]]++;
	initStringInfo(&words);
	appendStringInfo(&words, "%d generalizations.", places->nodes);
	for (int i = 0; i < (int) lengthof(states); i++)
		appendStringInfo(&words, " %s: %d.", states[i].name, count[i]);
	return words.data;
}

SvgPicture
lattice_plot_draw(const LatticePlot *plot)
{
	LatticePlaces places = place_nodes(plot);
	Svg *svg = svg_begin(WIDTH, plot->title, describe(&places));
	double left = 12;
	double bottom = TOP + ROW * (places.top + 1) + 20;

	draw_lines(svg, &places);
	draw_nodes(svg, &places);
	for (int i = 0; i < (int) lengthof(states); i++)
	{
		svg_dot(svg, states[i].series, left + 5, bottom, NULL);
		svg_text(svg, left + 16, bottom + 4, SVG_START, states[i].name);
		left += 150;
	}
	svg->bottom = bottom + 20;
	return svg_end(svg);
}
