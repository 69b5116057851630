/*
 * history_plot.c
 *		See history_plot.h.
 */
#include "postgres.h"

#include "report/history_plot.h"

#include <math.h>

#include "report/chart.h"

#define WIDTH 640.0
#define TOP 62.0
#define PANEL 84.0
#define STEP 124.0

/* "rows: 45000, 45200, not known." of the last fillings. */
static char *
describe(const HistoryPlot *plot)
{
	int first = Max(plot->fillings - 20, 0);
	StringInfoData words;

	initStringInfo(&words);
	appendStringInfo(&words, "%d fillings, %s.", plot->fillings, plot->when);
	for (int i = 0; i < plot->lines; i++)
	{
		appendStringInfo(&words, " %s:", plot->line[i].name);
		for (int at = first; at < plot->fillings; at++)
		{
			double value = plot->line[i].value[at];

			appendStringInfo(&words, "%s %s", at > first ? "," : "",
							 isnan(value) ? "not known"
										  : chart_number(value, plot->line[i].percent));
		}
		appendStringInfoChar(&words, '.');
	}
	return words.data;
}

SvgPicture
history_plot_draw(const HistoryPlot *plot)
{
	const char *title = psprintf("History: %s", plot->relation);
	Svg *svg = svg_begin(WIDTH, TOP + STEP * plot->lines + 12, title, describe(plot));
	double *number = palloc(sizeof(double) * Max(plot->fillings, 1));
	ChartAxis x = {.least = 1, .greatest = plot->fillings, .whole = true};

	for (int i = 0; i < plot->fillings; i++)
		number[i] = i + 1;
	for (int i = 0; i < plot->lines; i++)
	{
		const HistoryLine *line = &plot->line[i];
		ChartAxis y = {.name = line->name, .percent = line->percent};
		double top = TOP + STEP * i;
		Chart chart;

		for (int at = 0; at < plot->fillings; at++)
			if (line->value[at] > y.greatest)
				y.greatest = line->value[at];
		y.whole = !line->percent;
		x.name = i == plot->lines - 1 ? psprintf("filling, %s", plot->when) : "";
		chart = chart_panel(svg, top, top + PANEL, x, y);
		chart_line(&chart, i, line->name, number, line->value, plot->fillings);
	}
	return svg_end(svg);
}
