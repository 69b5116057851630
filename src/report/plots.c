/*
 * plots.c
 *		See plots.h.
 */
#include "postgres.h"

#include "report/plots.h"

#include <math.h>

#include "base/interrupt.h"
#include "port/pg_bitutils.h"
#include "report/chart.h"

/* ---- bars */

#define LINE 15.0
#define BAR 12.0
#define GAP 8.0
#define WIDEST 80.0 /* percent; the rest is for the number */
#define LETTERS 47  /* most letters of a label */

typedef struct LabeledBars
{
	const char *label;
	double value[2];
} LabeledBars;

void
bars_plot_add(BarsPlot *plot, const char *label, double first, double second)
{
	LabeledBars *bars = palloc(sizeof(LabeledBars));

	*bars = (LabeledBars){label, {first, plot->series[1] ? second : NAN}};
	plot->bars = lappend(plot->bars, bars);
}

static bool
is_heading(const LabeledBars *bars)
{
	return isnan(bars->value[0]) && isnan(bars->value[1]);
}

/* "age: before 64 %, after 3 %." */
static char *
describe_bars(const BarsPlot *plot)
{
	StringInfoData words;

	initStringInfo(&words);
	appendStringInfo(&words, "%s.", plot->unit);
	foreach_ptr (const LabeledBars, bars, plot->bars)
	{
		CHECK_FOR_INTERRUPTS();
		appendStringInfo(&words, " %s", bars->label);
		if (!is_heading(bars))
			appendStringInfo(&words, ": %s%s %s", plot->series[0], plot->series[1] ? "" : ":",
							 chart_number(bars->value[0], plot->percent));
		if (!is_heading(bars) && plot->series[1])
			appendStringInfo(&words, ", %s %s", plot->series[1],
							 chart_number(bars->value[1], plot->percent));
		appendStringInfoChar(&words, '.');
	}
	return words.data;
}

/* Below what the picture has: the label, and its bars. */
static void
draw_bars(Svg *svg, const BarsPlot *plot, const LabeledBars *bars, bool marked, double most)
{
	const char *text = svg_clip(bars->label, LETTERS);

	svg->bottom += GAP + LINE;
	if (is_heading(bars))
	{
		svg->bottom += GAP;
		svg_text(svg, SVG_PLAIN, 0, svg->bottom, SVG_START, text);
		return;
	}
	svg_text(svg, SVG_LABEL, 0, svg->bottom - 4, SVG_START, text);
	for (int s = 0; s < (plot->series[1] ? 2 : 1); s++)
	{
		double value = bars->value[s];
		double width = isnan(value) || most <= 0 ? 0 : value / most * WIDEST;
		const char *number = chart_number(value, plot->percent);

		if (!isnan(value))
			svg_bar(svg, marked ? s + 1 : s, true, 0, svg->bottom, width, BAR - 2,
					psprintf("%s, %s: %s", bars->label, plot->series[s], number));
		svg->bottom += BAR;
		svg_text(svg, SVG_BESIDE, width, svg->bottom - 3, SVG_START, number);
	}
}

SvgPicture
bars_plot_draw(const BarsPlot *plot)
{
	Svg *svg =
		svg_begin(0, plot->title, plot->description ? plot->description : describe_bars(plot));
	double most = 0;
	ListCell *cell;

	svg_caption(svg, plot->unit);
	foreach_ptr (const LabeledBars, each, plot->bars)
		for (int s = 0; s < 2; s++)
			if (each->value[s] > most)
				most = each->value[s];
	foreach (cell, plot->bars)
	{
		CHECK_FOR_INTERRUPTS();
		draw_bars(svg, plot, lfirst(cell), foreach_current_index(cell) < plot->marked, most);
	}
	svg->bottom += GAP;
	if (plot->series[1])
		svg_legend(svg, plot->series, 2);
	return svg_end(svg);
}

/* ---- sizes of classes */

void
classes_plot_add(ClassesPlot *plot, int64 rows)
{
	int64 times = rows / Max(plot->k, 1);
	int bin = times == 0 ? 0 : pg_leftmost_one_pos64((uint64) times) + 1;

	plot->classes[bin]++;
	plot->rows[bin] += rows;
}

static char *
sizes_of(const ClassesPlot *plot, int bin)
{
	int64 least = bin == 0 ? 1 : (int64) Max(plot->k, 1) << (bin - 1);
	int64 most = bin == 0 ? plot->k - 1 : 2 * least - 1;

	if (least == most)
		return psprintf(INT64_FORMAT " row%s", least, least == 1 ? "" : "s");
	return psprintf(INT64_FORMAT " to " INT64_FORMAT " rows", least, most);
}

SvgPicture
classes_plot_draw(const ClassesPlot *plot)
{
	const char *of_k = plot->k > 0 ? psprintf(", k = %d", plot->k) : "";
	BarsPlot bars = {.title = psprintf("Sizes of classes: %s%s", plot->relation, of_k),
					 .unit = "rows in classes of that size",
					 .series = {"rows"},
					 .marked = plot->classes[0] > 0 ? 1 : 0};
	int first = 0;
	int last = CLASSES_PLOT_BINS - 1;
	StringInfoData words;

	initStringInfo(&words);
	while (first < CLASSES_PLOT_BINS && plot->classes[first] == 0)
		first++;
	while (last > first && plot->classes[last] == 0)
		last--;
	for (int bin = first; bin <= last; bin++)
	{
		char *sizes = sizes_of(plot, bin);

		bars_plot_add(&bars, sizes, (double) plot->rows[bin], NAN);
		appendStringInfo(&words, "%sClasses of %s: " INT64_FORMAT ", with " INT64_FORMAT " rows.",
						 bin > first ? " " : "", sizes, plot->classes[bin], plot->rows[bin]);
	}
	bars.description = words.len > 0 ? words.data : "There are no rows.";
	return bars_plot_draw(&bars);
}

/* ---- lines over k */

#define TRADEOFF_HEIGHT 234.0

/* In words: the loss of each recoding for each k. */
static char *
describe_tradeoff(const TradeoffPlot *plot)
{
	StringInfoData words;

	initStringInfo(&words);
	for (int r = 0; r < plot->recodings; r++)
	{
		appendStringInfo(&words, "%s%s", r > 0 ? " " : "", plot->recoding[r]);
		for (int i = 0; i < plot->ks; i++)
		{
			double loss = plot->loss[r * plot->ks + i];

			appendStringInfo(&words, "%s k = %.0f: %s", i > 0 ? "," : "", plot->k[i],
							 isnan(loss) ? "nothing can be published" : chart_number(loss, true));
		}
		appendStringInfoChar(&words, '.');
	}
	return words.data;
}

SvgPicture
tradeoff_plot_draw(const TradeoffPlot *plot)
{
	ChartAxis x = {
		.name = "k", .least = plot->k[0], .greatest = plot->k[plot->ks - 1], .logarithmic = true};
	ChartAxis y = {.name = "information lost", .percent = true};
	Svg *svg = svg_begin(0, psprintf("What a larger k costs: %s", plot->relation),
						 describe_tradeoff(plot));
	Chart chart;

	for (int i = 0; i < plot->recodings * plot->ks; i++)
		chart_axis_reach(&y, plot->loss[i]);
	chart = chart_begin(svg, TRADEOFF_HEIGHT, x, y);
	for (int r = 0; r < plot->recodings; r++)
		chart_line(&chart, r, plot->recoding[r], plot->k, plot->loss + r * plot->ks, plot->ks);
	chart_end(&chart);
	svg_legend(svg, plot->recoding, plot->recodings);
	return svg_end(svg);
}

/* ---- the lattice of a search */

#define LATTICE_WIDTH 960.0
#define ROW 64.0
#define TOP 56.0
#define LETTER 6.5

/* How a state is drawn: the series of svg.h, and its name. */
static const struct
{
	int series;
	const char *name;
} states[] = {{5, "does not satisfy"}, {0, "satisfies"}, {2, "minimal"}, {1, "loses least"}};

/* Where the nodes stand: those of one height in a row, the most general on top. */
typedef struct LatticePlaces
{
	double *x; /* [node] */
	double *y;
	double least; /* least distance of two nodes in a row */
} LatticePlaces;

static LatticePlaces
place_nodes(const Lattice *lattice)
{
	LatticePlaces places = {.x = palloc(sizeof(double) * lattice->nodes),
							.y = palloc(sizeof(double) * lattice->nodes),
							.least = LATTICE_WIDTH};
	int top = lattice_top_height(lattice);
	const int64 *first = lattice->first;
	int64 *order = lattice_order(lattice);

	for (int height = 0; height <= top; height++)
	{
		double step = LATTICE_WIDTH / (double) (first[height + 1] - first[height]);

		places.least = Min(places.least, step);
		for (int64 at = first[height]; at < first[height + 1]; at++)
		{
			places.x[order[at]] = step * ((double) (at - first[height]) + 0.5);
			places.y[order[at]] = TOP + ROW * (top - height) + ROW / 2;
		}
	}
	return places;
}

/* A line joins a node and its direct generalizations. */
static void
draw_lines(Svg *svg, const Lattice *lattice, const LatticePlaces *places)
{
	for (int64 node = 0; node < lattice->nodes; node++)
	{
		CHECK_FOR_INTERRUPTS();
		for (int i = lattice->attributes - 1; i >= 0; i--)
			if (lattice_level(lattice, node, i) < lattice->height[i])
				svg_line(svg, places->x[node], places->y[node],
						 places->x[node + lattice->stride[i]],
						 places->y[node + lattice->stride[i]]);
	}
}

static void
draw_nodes(Svg *svg, const Lattice *lattice, const LatticePlotState *state,
		   const LatticePlaces *places)
{
	for (int64 node = 0; node < lattice->nodes; node++)
	{
		StringInfoData name; /* 1,0,2 */

		CHECK_FOR_INTERRUPTS();
		initStringInfo(&name);
		for (int i = 0; i < lattice->attributes; i++)
			appendStringInfo(&name, "%s%d", i > 0 ? "," : "", lattice_level(lattice, node, i));
		svg_dot(svg, states[state[node]].series, places->x[node], places->y[node],
				psprintf("%s: %s", name.data, states[state[node]].name));
		if (places->least >= LETTER * name.len + 4)
			svg_text(svg, SVG_LABEL, places->x[node], places->y[node] + 18, SVG_MIDDLE, name.data);
	}
}

/* In words: the number of nodes in each state. */
static char *
describe_lattice(const Lattice *lattice, const LatticePlotState *state)
{
	int count[lengthof(states)] = {0};
	StringInfoData words;

	for (int64 node = 0; node < lattice->nodes; node++)
		count[state[node]]++;
	initStringInfo(&words);
	appendStringInfo(&words, INT64_FORMAT " generalizations.", lattice->nodes);
	for (int i = 0; i < (int) lengthof(states); i++)
		appendStringInfo(&words, " %s: %d.", states[i].name, count[i]);
	return words.data;
}

SvgPicture
lattice_plot_draw(const char *title, const Lattice *lattice, const LatticePlotState *state)
{
	LatticePlaces places = place_nodes(lattice);
	Svg *svg = svg_begin(LATTICE_WIDTH, title, describe_lattice(lattice, state));
	double left = 12;
	double bottom = TOP + ROW * (lattice_top_height(lattice) + 1) + 20;

	draw_lines(svg, lattice, &places);
	draw_nodes(svg, lattice, state, &places);
	for (int i = 0; i < (int) lengthof(states); i++)
	{
		svg_dot(svg, states[i].series, left + 5, bottom, NULL);
		svg_text(svg, SVG_PLAIN, left + 16, bottom + 4, SVG_START, states[i].name);
		left += 150;
	}
	svg->bottom = bottom + 20;
	return svg_end(svg);
}
