/*
 * chart.c
 *		See chart.h.
 */
#include "postgres.h"

#include "report/chart.h"

#include <math.h>

#include "utils/datetime.h"

#define WIDTH 640
#define HEIGHT 360
#define LETTERS 80 /* most letters of an axis name */
#define TICKS 5    /* about the number of ticks in a picture of 234 pixels */

char *
chart_number(double value, bool percent)
{
	double shown = percent ? value * 100 : value;
	const char *unit = percent ? " %" : "";

	if (fabs(shown) >= 1e6)
		return psprintf("%.4g%s", shown, unit);
	if (shown == floor(shown))
		return psprintf("%.0f%s", shown, unit);
	return psprintf("%.3g%s", shown, unit);
}

static char *
axis_number(const ChartAxis *axis, double value)
{
	int year;
	int month;
	int day;

	/* Beyond the range of dates. */
	if (!axis->days || fabs(value) > 1e6)
		return chart_number(value, axis->percent);
	j2date((int) value + UNIX_EPOCH_JDATE, &year, &month, &day);
	return psprintf("%d-%02d-%02d", year, month, day);
}

/* 1, 2 or 5 times a power of ten, at least the value. */
static double
round_step(double value)
{
	double power = pow(10, floor(log10(value)));
	double digit = value / power;

	return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
}

static double
linear_step(const ChartAxis *axis)
{
	double step = round_step((axis->greatest - axis->least) / TICKS);

	return (axis->whole || axis->days) && step < 1 ? 1 : step;
}

static ChartAxis
widened(ChartAxis axis)
{
	double step;

	if (axis.logarithmic)
	{
		if (axis.greatest <= axis.least)
			axis.greatest = axis.least * 2;
		return axis;
	}
	if (axis.greatest <= axis.least)
		axis.greatest = axis.least + 1;
	step = linear_step(&axis);
	axis.least = floor(axis.least / step) * step;
	axis.greatest = ceil(axis.greatest / step - 1e-9) * step;
	return axis;
}

/* The relative position of a value between the ends of an axis, 0 to 1. */
static double
place_on(const ChartAxis *axis, double value)
{
	if (axis->logarithmic)
		return log(value / axis->least) / log(axis->greatest / axis->least);
	return (value - axis->least) / (axis->greatest - axis->least);
}

double
chart_x(const Chart *chart, double value)
{
	return chart->left + place_on(&chart->x, value) * (chart->right - chart->left);
}

double
chart_y(const Chart *chart, double value)
{
	return chart->bottom - place_on(&chart->y, value) * (chart->bottom - chart->top);
}

static void
mark_x(Chart *chart, double value)
{
	double x = chart_x(chart, value);

	svg_line(chart->svg, x, chart->bottom, x, chart->bottom + 4);
	svg_label(chart->svg, x, chart->bottom + 17, SVG_MIDDLE, axis_number(&chart->x, value));
}

static void
mark_y(Chart *chart, double value)
{
	double y = chart_y(chart, value);

	svg_line(chart->svg, chart->left, y, chart->right, y);
	svg_label(chart->svg, chart->left - 6, y + 4, SVG_END, axis_number(&chart->y, value));
}

/* Marks 1, 2, 5, 10, .. and both ends of a logarithmic axis, or every step of a linear one. */
static void
mark_axis(Chart *chart, const ChartAxis *axis, void (*mark)(Chart *, double))
{
	if (axis->logarithmic)
	{
		mark(chart, axis->least);
		for (double value = round_step(axis->least); value < axis->greatest * 0.85;
			 value = round_step(value * 1.5))
			if (value > axis->least * 1.15)
				mark(chart, value);
		mark(chart, axis->greatest);
	}
	else
	{
		double step = linear_step(axis);
		int steps = (int) rint((axis->greatest - axis->least) / step);

		for (int i = 0; i <= steps; i++)
			mark(chart, axis->least + i * step);
	}
}

Chart
chart_begin(const char *title, const char *description, ChartAxis x, ChartAxis y)
{
	return chart_panel(svg_begin(WIDTH, HEIGHT, title, description), 52, HEIGHT - 74, x, y);
}

/* So that the numbers of the axis stand left of it. */
static double
left_of(const ChartAxis *y)
{
	Size letters = Max(strlen(axis_number(y, y->least)), strlen(axis_number(y, y->greatest)));

	return Max(60, 12 + 7 * (double) letters);
}

Chart
chart_panel(Svg *svg, double top, double bottom, ChartAxis x, ChartAxis y)
{
	Chart chart = {.svg = svg,
				   .x = widened(x),
				   .y = widened(y),
				   .right = WIDTH - 20,
				   .top = top,
				   .bottom = bottom};

	chart.left = left_of(&chart.y);
	svg_label(chart.svg, 12, top - 12, SVG_START, svg_clip(y.name, LETTERS));
	svg_label(chart.svg, chart.right, chart.bottom + 34, SVG_END, svg_clip(x.name, LETTERS));
	mark_axis(&chart, &chart.x, mark_x);
	mark_axis(&chart, &chart.y, mark_y);
	return chart;
}

/* Draws a stretch of known points. */
static void
draw_stretch(Chart *chart, int series, const double *x, const double *y, int points)
{
	double *left = palloc(sizeof(double) * Max(points, 1));
	double *top = palloc(sizeof(double) * Max(points, 1));

	for (int i = 0; i < points; i++)
	{
		left[i] = chart_x(chart, x[i]);
		top[i] = chart_y(chart, y[i]);
	}
	if (points > 1)
		svg_path(chart->svg, series, left, top, points);
	pfree(left);
	pfree(top);
}

void
chart_line(Chart *chart, int series, const char *name, const double *x, const double *y, int points)
{
	int begin = 0;

	for (int i = 0; i <= points; i++)
	{
		if (i < points && !isnan(y[i]))
			continue;
		draw_stretch(chart, series, x + begin, y + begin, i - begin);
		begin = i + 1;
	}
	for (int i = 0; i < points; i++)
		if (!isnan(y[i]))
			svg_dot(chart->svg, series, chart_x(chart, x[i]), chart_y(chart, y[i]),
					psprintf("%s, %s %s: %s", name, chart->x.name,
							 chart_number(x[i], chart->x.percent),
							 chart_number(y[i], chart->y.percent)));
}

SvgPicture
chart_end(Chart *chart, const char *const *names, int count)
{
	svg_legend(chart->svg, 12, chart->bottom + 56, names, count);
	return svg_end(chart->svg);
}
