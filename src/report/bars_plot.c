/*
 * bars_plot.c
 *		See bars_plot.h.
 */
#include "postgres.h"

#include "report/bars_plot.h"

#include <math.h>

#include "base/interrupt.h"
#include "report/chart.h"

#define WIDTH 640.0
#define LEFT 190.0
#define RIGHT 570.0
#define TOP 60.0
#define BAR 14.0
#define GAP 10.0
#define LETTERS 28 /* most letters of a label */

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

static void
draw_bars(Svg *svg, const BarsPlot *plot, int label, double top, double most)
{
	svg_label(svg, LEFT - 6, top + BAR * plot->series / 2 + 4, SVG_END,
			  svg_clip(plot->label[label], LETTERS));
	for (int s = 0; s < plot->series; s++)
	{
		double value = plot->value[label * plot->series + s];
		double width = isnan(value) ? 0 : value / most * (RIGHT - LEFT);
		const char *number = isnan(value) ? "not known" : chart_number(value, plot->percent);

		if (!isnan(value))
			svg_bar(svg, s, LEFT, top, width, BAR - 2,
					psprintf("%s, %s: %s", plot->label[label], plot->name[s], number));
		svg_label(svg, LEFT + width + 6, top + BAR - 4, SVG_START, number);
		top += BAR;
	}
}

SvgPicture
bars_plot_draw(const BarsPlot *plot)
{
	double height = TOP + (BAR * plot->series + GAP) * Max(plot->labels, 1) + 34;
	Svg *svg = svg_begin(WIDTH, height, plot->title, describe(plot));
	double most = 0;
	double top = TOP;

	for (int i = 0; i < plot->labels * plot->series; i++)
		if (plot->value[i] > most)
			most = plot->value[i];
	svg_label(svg, 12, 42, SVG_START, plot->unit);
	for (int i = 0; i < plot->labels; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (is_heading(plot, i))
			svg_text(svg, 12, top + BAR, SVG_START, svg_clip(plot->label[i], 2 * LETTERS));
		else
			draw_bars(svg, plot, i, top, most > 0 ? most : 1);
		top += BAR * plot->series + GAP;
	}
	if (plot->series > 1)
		svg_legend(svg, 12, height - 14, plot->name, plot->series);
	return svg_end(svg);
}
