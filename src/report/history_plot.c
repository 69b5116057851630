/*
 * history_plot.c
 *		See history_plot.h.
 */
#include "postgres.h"

#include "report/history_plot.h"

#include <math.h>

#include "report/chart.h"

#define PANEL 84.0

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
	Svg *svg = svg_begin(0, title, describe(plot));
	ChartAxis x = {.days = true};

	for (int at = 0; at < plot->fillings; at++)
	{
		x.least = at == 0 ? plot->at[at] : Min(x.least, plot->at[at]);
		x.greatest = at == 0 ? plot->at[at] : Max(x.greatest, plot->at[at]);
	}
	/* Within a minute there is nothing to tell apart. */
	x.greatest = Max(x.greatest, x.least + 1 / 1440.0);
	for (int i = 0; i < plot->lines; i++)
	{
		const HistoryLine *line = &plot->line[i];
		ChartAxis y = {.name = line->name, .percent = line->percent, .whole = !line->percent};
		Chart chart;

		for (int at = 0; at < plot->fillings; at++)
			if (line->value[at] > y.greatest)
				y.greatest = line->value[at];
		x.name = i == plot->lines - 1 ? "UTC" : "";
		chart = chart_begin(svg, PANEL, x, y);
		chart_line(&chart, i, line->name, plot->at, line->value, plot->fillings);
		chart_end(&chart);
	}
	return svg_end(svg);
}
