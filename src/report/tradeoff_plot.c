/*
 * tradeoff_plot.c
 *		See tradeoff_plot.h.
 */
#include "postgres.h"

#include "report/tradeoff_plot.h"

#include <math.h>

#include "report/chart.h"

#define HEIGHT 234.0

/* In words: the least and the greatest k of each recoding. */
static char *
describe(const TradeoffPlot *plot)
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
	Svg *svg = svg_begin(0, psprintf("What a larger k costs: %s", plot->relation), describe(plot));
	Chart chart;

	for (int i = 0; i < plot->recodings * plot->ks; i++)
		if (plot->loss[i] > y.greatest)
			y.greatest = plot->loss[i];
	chart = chart_begin(svg, HEIGHT, x, y);
	for (int r = 0; r < plot->recodings; r++)
		chart_line(&chart, r, plot->recoding[r], plot->k, plot->loss + r * plot->ks, plot->ks);
	chart_end(&chart);
	svg_legend(svg, plot->recoding, plot->recodings);
	return svg_end(svg);
}
