/*
 * chart.c
 *		See chart.h.
 */
#include "postgres.h"

#include "report/chart.h"

#include <math.h>

#include "utils/datetime.h"

#define LETTERS 45 /* most letters of an axis name */
#define TICKS 5    /* about the number of ticks */
#define LEFT 12.0  /* percent: the least place for numbers, so that most panels are in line */
#define LINE 20.0  /* of the name of an axis */
#define NUMBERS 17.0
#define MONTH_DAYS 30.0
#define DAYS_MOST 1e6 /* since 1970; dates beyond are numbers */

char *
chart_number(double value, bool percent)
{
	double shown = percent ? value * 100 : value;
	const char *unit = percent ? " %" : "";

	if (isnan(value))
		return "not known";
	if (fabs(shown) >= 1e15)
		return psprintf("%.4g%s", shown, unit);
	if (shown == floor(shown) || fabs(shown) >= 1000)
		return psprintf("%.0f%s", shown, unit);
	return psprintf("%.3g%s", shown, unit);
}

/* ---- steps */

/* 1, 2 or 5 times a power of ten, at least the value. */
static double
round_step(double value)
{
	double power = pow(10, floor(log10(value)));
	double digit = value / power;

	return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
}

static bool
is_time(const ChartAxis *axis)
{
	return axis->days && fabs(axis->least) < DAYS_MOST && fabs(axis->greatest) < DAYS_MOST;
}

/* From one tick to the next, of an axis that is not logarithmic. */
typedef struct AxisStep
{
	int months;  /* of time; 0: the size says it */
	double size; /* in days, if it is time */
	int letters; /* of the text of a tick of time, so that few enough of them stand side by side */
} AxisStep;

static AxisStep
axis_step(const ChartAxis *axis)
{
	static const AxisStep steps[] = {
		{0, 1 / 1440.0, 11},
		{0, 2 / 1440.0, 11},
		{0, 5 / 1440.0, 11},
		{0, 10 / 1440.0, 11},
		{0, 30 / 1440.0, 11},
		{0, 1 / 24.0, 11},
		{0, 3 / 24.0, 11},
		{0, 6 / 24.0, 11},
		{0, 12 / 24.0, 11},
		{0, 1, 10},
		{0, 2, 10},
		{0, 7, 10},
		{0, 14, 10},
		{1, 0, 7},
		{2, 0, 7},
		{3, 0, 7},
		{6, 0, 7},
	};
	double range = axis->greatest - axis->least;

	if (!is_time(axis))
	{
		double size = round_step(range / TICKS);

		return (AxisStep){.size = axis->whole && size < 1 ? 1 : size};
	}
	for (int i = 0; i < (int) lengthof(steps); i++)
	{
		double days = steps[i].months > 0 ? steps[i].months * MONTH_DAYS : steps[i].size;

		if (range / days <= (steps[i].letters > 7 ? 3 : 4))
			return steps[i];
	}
	return (AxisStep){.months = 12 * (int) round_step(ceil(range / (12 * MONTH_DAYS * TICKS))),
					  .letters = 4};
}

/* The last tick that is not after the value, and the one after it. */
static double
step_floor(AxisStep step, double value)
{
	int monday = step.letters > 0 ? 4 : 0; /* the first one after 1970-01-01: weeks begin there */
	int year;
	int month;
	int day;

	if (step.months == 0)
		return floor((value - monday) / step.size + 1e-9) * step.size + monday;
	j2date((int) floor(value) + UNIX_EPOCH_JDATE, &year, &month, &day);
	month = (int) floor((year * 12.0 + month - 1) / step.months) * step.months;
	year = (int) floor(month / 12.0);
	return date2j(year, month - 12 * year + 1, 1) - UNIX_EPOCH_JDATE;
}

static double
step_next(AxisStep step, double tick)
{
	return step.months == 0 ? tick + step.size : step_floor(step, tick + step.months * 31);
}

static char *
time_text(double value, int letters)
{
	int minutes = (int) rint((value - floor(value)) * 1440);
	int date = (int) floor(value) + UNIX_EPOCH_JDATE + minutes / 1440;
	int year;
	int month;
	int day;

	minutes %= 1440;
	j2date(date, &year, &month, &day);
	if (letters == 4)
		return psprintf("%d", year);
	if (letters == 7)
		return psprintf("%d-%02d", year, month);
	if (letters == 11)
		return psprintf("%02d-%02d %02d:%02d", month, day, minutes / 60, minutes % 60);
	if (letters == 10 || minutes == 0)
		return psprintf("%d-%02d-%02d", year, month, day);
	return psprintf("%d-%02d-%02d %02d:%02d", year, month, day, minutes / 60, minutes % 60);
}

/* Days are needed at the ends of an axis that is not widened. */
static char *
axis_number(const ChartAxis *axis, double value)
{
	AxisStep step;

	if (!is_time(axis))
		return chart_number(value, axis->percent);
	step = axis_step(axis);
	return time_text(value,
					 step_floor(step, value) < value - 1e-9 ? Max(step.letters, 10) : step.letters);
}

void
chart_axis_reach(ChartAxis *axis, double value)
{
	if (isnan(value))
		return;
	axis->least = axis->least <= value ? axis->least : value;
	axis->greatest = axis->greatest >= value ? axis->greatest : value;
}

/* To round ends; of time until the steps are those of the widened axis. */
static ChartAxis
widened(ChartAxis axis)
{
	AxisStep step;
	AxisStep after;

	if (isnan(axis.least))
		axis.least = axis.greatest = 0;
	if (axis.greatest <= axis.least)
		axis.greatest = axis.logarithmic ? axis.least * 2 : axis.least + 1;
	if (axis.logarithmic)
		return axis;
	do
	{
		double last;

		step = axis_step(&axis);
		last = step_floor(step, axis.greatest);
		axis.least = step_floor(step, axis.least);
		if (last < axis.greatest - 1e-9 * (step.letters > 0 ? 1 : step.size))
			axis.greatest = step_next(step, last);
		after = axis_step(&axis);
	} while (is_time(&axis) && (after.months != step.months || after.size != step.size));
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
	return chart->left + place_on(&chart->x, value) * (100 - chart->left);
}

double
chart_y(const Chart *chart, double value)
{
	return chart->bottom - place_on(&chart->y, value) * (chart->bottom - chart->top);
}

/* ---- ticks */

/* The tick after one: 1, 2, 5, 10, .. of a logarithmic axis, or every step of another. */
static double
next_tick(const ChartAxis *axis, double tick)
{
	if (axis->logarithmic)
		return round_step(tick) > tick ? round_step(tick) : round_step(tick * 1.5);
	return step_next(axis_step(axis), tick);
}

/* From one end of the axis to the other. */
static double *
find_ticks(const ChartAxis *axis, int *count)
{
	double at = axis->logarithmic ? axis->least : step_floor(axis_step(axis), axis->least);
	double last = axis->greatest - (axis->greatest - axis->least) * 1e-6;
	double *tick = palloc(sizeof(double) * 2);

	for (*count = 0; at < last; at = next_tick(axis, at))
	{
		tick[(*count)++] = Max(at, axis->least);
		tick = repalloc(tick, sizeof(double) * (*count + 2));
	}
	tick[(*count)++] = axis->greatest;
	return tick;
}

static double
text_width(const ChartAxis *axis, double value)
{
	return (double) strlen(axis_number(axis, value)) * SVG_LETTER;
}

/*
 * Numbers that would collide in the narrowest picture have no text; the last one has.  Those at the
 * ends do not stand out.
 */
static void
mark_x(Chart *chart)
{
	int count;
	double *tick = find_ticks(&chart->x, &count);
	double last = SVG_LEAST - text_width(&chart->x, tick[count - 1]);
	double taken = -SVG_LEAST;

	for (int i = 0; i < count; i++)
	{
		double x = chart_x(chart, tick[i]);
		SvgAnchor anchor = i == 0 ? SVG_START : i == count - 1 ? SVG_END : SVG_MIDDLE;
		double width = text_width(&chart->x, tick[i]);
		double left = x / 100 * SVG_LEAST - (i == 0 ? 0 : i == count - 1 ? width : width / 2);

		svg_line(chart->svg, x, chart->bottom, x, chart->bottom + 4);
		if (left < taken + 8 || (i < count - 1 && left + width > last - 8))
			continue;
		svg_text(chart->svg, SVG_LABEL, x, chart->bottom + NUMBERS, anchor,
				 axis_number(&chart->x, tick[i]));
		taken = left + width;
	}
}

/* Numbers stand left of the plotting area. */
static void
mark_y(Chart *chart)
{
	int count;
	double *tick = find_ticks(&chart->y, &count);

	chart->left = LEFT;
	for (int i = 0; i < count; i++)
		chart->left = Max(chart->left, (text_width(&chart->y, tick[i]) + 8) / SVG_LEAST * 100);
	for (int i = 0; i < count; i++)
	{
		double y = chart_y(chart, tick[i]);

		svg_line(chart->svg, chart->left, y, 100, y);
		svg_text(chart->svg, SVG_LABEL, 0, y + 4, SVG_START, axis_number(&chart->y, tick[i]));
	}
}

Chart
chart_begin(Svg *svg, double height, ChartAxis x, ChartAxis y)
{
	Chart chart = {.svg = svg, .x = x, .y = widened(y)};

	if (!is_time(&x) || x.greatest <= x.least)
		chart.x = widened(x);

	svg->bottom += LINE;
	svg_text(svg, SVG_LABEL, 0, svg->bottom, SVG_START, svg_clip(y.name, LETTERS));
	chart.top = svg->bottom + LINE / 2;
	chart.bottom = chart.top + height;
	mark_y(&chart);
	mark_x(&chart);
	return chart;
}

void
chart_end(Chart *chart)
{
	Svg *svg = chart->svg;

	svg->bottom = chart->bottom + NUMBERS;
	if (chart->x.name[0])
		svg->bottom += LINE - 4;
	svg_text(svg, SVG_LABEL, 100, svg->bottom, SVG_END, svg_clip(chart->x.name, LETTERS));
	svg->bottom += 4;
}

void
chart_line(Chart *chart, int series, const char *name, const double *x, const double *y, int points)
{
	double *left = palloc(sizeof(double) * points);
	double *top = palloc(sizeof(double) * points);
	int begin = 0; /* of a stretch of known points */

	for (int i = 0; i < points; i++)
	{
		left[i] = chart_x(chart, x[i]);
		top[i] = chart_y(chart, y[i]);
	}
	for (int i = 0; i <= points; i++)
	{
		if (i < points && !isnan(y[i]))
			continue;
		if (i - begin > 1)
			svg_path(chart->svg, series, left + begin, top + begin, i - begin);
		begin = i + 1;
	}
	for (int i = 0; i < points; i++)
		if (!isnan(y[i]))
			svg_dot(chart->svg, series, left[i], top[i],
					psprintf("%s, %s %s: %s", name, chart->x.name,
							 is_time(&chart->x) ? time_text(x[i], 16)
												: chart_number(x[i], chart->x.percent),
							 chart_number(y[i], chart->y.percent)));
	pfree(left);
	pfree(top);
}
