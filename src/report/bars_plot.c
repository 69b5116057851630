/*
 * bars_plot.c
 *		See bars_plot.h.
 */
#include "postgres.h"

#include "report/bars_plot.h"

#include <math.h>

#include "base/interrupt.h"
#include "report/chart.h"

#define LINE 15.0
#define BAR 12.0
#define GAP 8.0
#define WIDEST 80.0 /* percent; the rest is for the number */
#define LETTERS 47  /* most letters of a label */

static bool
is_heading(const BarsPlot *plot, int label)
{
	for (int s = 0; s < plot->series; s++)
		if (!isnan(plot->value[label * plot->series + s]))
			return false;
	return true;
}

/* "age: before 64 %, after 3 %." */
static char *
describe(const BarsPlot *plot)
{
	StringInfoData words;

	initStringInfo(&words);
	appendStringInfo(&words, "%s.", plot->unit);
	for (int i = 0; i < plot->labels; i++)
	{
		bool heading = is_heading(plot, i);

		CHECK_FOR_INTERRUPTS();
		appendStringInfo(&words, " %s%s", plot->label[i], heading ? "." : ":");
		for (int s = 0; s < plot->series && !heading; s++)
		{
			double value = plot->value[i * plot->series + s];

			appendStringInfo(&words, "%s%s%s %s", s > 0 ? ", " : " ", plot->name[s],
							 plot->series > 1 ? "" : ":",
							 isnan(value) ? "not known" : chart_number(value, plot->percent));
		}
		if (!heading)
			appendStringInfoChar(&words, '.');
	}
	return words.data;
}

/* Below what the picture has: the label, and its bars. */
static void
draw_bars(Svg *svg, const BarsPlot *plot, int label, double most)
{
	const char *text = svg_clip(plot->label[label], LETTERS);
	bool heading = is_heading(plot, label);

	svg->bottom += (heading ? 2 : 1) * GAP + LINE;
	if (heading)
		svg_text(svg, 0, svg->bottom, SVG_START, text);
	else
		svg_label(svg, 0, svg->bottom - 4, SVG_START, text);
	for (int s = 0; s < plot->series && !heading; s++)
	{
		double value = plot->value[label * plot->series + s];
		double width = isnan(value) || most <= 0 ? 0 : value / most * WIDEST;
		const char *number = isnan(value) ? "not known" : chart_number(value, plot->percent);

		if (!isnan(value))
			svg_bar(svg, label < plot->marked ? s + 1 : s, 0, svg->bottom, width, BAR - 2,
					psprintf("%s, %s: %s", plot->label[label], plot->name[s], number));
		svg->bottom += BAR;
		svg_label_beside(svg, width, svg->bottom - 3, number);
	}
}

SvgPicture
bars_plot_draw(const BarsPlot *plot)
{
	Svg *svg = svg_begin(0, plot->title, plot->description ? plot->description : describe(plot));
	double most = 0;

	svg_caption(svg, plot->unit);
	for (int i = 0; i < plot->labels * plot->series; i++)
		if (plot->value[i] > most)
			most = plot->value[i];
	for (int i = 0; i < plot->labels; i++)
	{
		CHECK_FOR_INTERRUPTS();
		draw_bars(svg, plot, i, most);
	}
	svg->bottom += GAP;
	if (plot->series > 1)
		svg_legend(svg, plot->name, plot->series);
	return svg_end(svg);
}
