/*
 * map_plot.c
 *		See map_plot.h.
 */
#include "postgres.h"

#include "report/map_plot.h"

#include <math.h>

#include "base/interrupt.h"
#include "report/chart.h"

#define HEIGHT 280.0
#define LEAST 0.3 /* percent of the width that can be seen */

static void
widen(ChartAxis *axis, double value, bool *any)
{
	if (isnan(value))
		return;
	axis->least = *any ? Min(axis->least, value) : value;
	axis->greatest = *any ? Max(axis->greatest, value) : value;
	*any = true;
}

SvgPicture
map_plot_draw(const MapPlot *plot)
{
	ChartAxis x = {.name = plot->x, .days = plot->x_days};
	ChartAxis y = {.name = plot->y, .days = plot->y_days};
	bool any_x = false;
	bool any_y = false;
	Svg *svg =
		svg_begin(0, psprintf("Ranges of %s and %s: %s", plot->x, plot->y, plot->relation),
				  psprintf("%d different pairs of ranges%s.", plot->count,
						   plot->count == MAP_PLOT_MOST ? ", those with the most rows" : ""));
	Chart chart;

	for (int i = 0; i < plot->count; i++)
	{
		const MapRectangle *part = &plot->rectangle[i];

		widen(&x, part->left, &any_x);
		widen(&x, part->right, &any_x);
		widen(&y, part->bottom, &any_y);
		widen(&y, part->top, &any_y);
	}
	chart = chart_begin(svg, HEIGHT, x, y);
	for (int i = 0; i < plot->count; i++)
	{
		const MapRectangle *part = &plot->rectangle[i];
		double left = isnan(part->left) ? chart.left : chart_x(&chart, part->left);
		double right = isnan(part->right) ? 100 : chart_x(&chart, part->right);
		double bottom = isnan(part->bottom) ? chart.bottom : chart_y(&chart, part->bottom);
		double top = isnan(part->top) ? chart.top : chart_y(&chart, part->top);

		CHECK_FOR_INTERRUPTS();
		svg_area(svg, 0, left, top, Max(right - left, LEAST), Max(bottom - top, 1),
				 psprintf(INT64_FORMAT " rows", part->rows));
	}
	chart_end(&chart);
	return svg_end(svg);
}
