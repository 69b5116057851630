/*
 * chart.h
 *		Pictures with two axes: lines and bars.
 */
#ifndef KANON_CHART_H
#define KANON_CHART_H

#include "postgres.h"

#include "report/svg.h"

typedef struct ChartAxis
{
	const char *name;
	double least;
	double greatest;
	bool logarithmic; /* both bounds above 0 */
	bool percent;     /* 0.25 is written 25 % */
	bool whole;       /* only whole numbers */
	bool days;        /* since 1970, written as dates */
} ChartAxis;

typedef struct Chart
{
	Svg *svg;
	ChartAxis x;
	ChartAxis y;
	double left; /* of the plotting area; y goes up */
	double right;
	double top;
	double bottom;
} Chart;

/*
 * A picture with a title above and axes with a few round numbers.  Extends the bounds of an axis to
 * such numbers, and separates equal ones.  In the current context.
 */
extern Chart chart_begin(const char *title, const char *description, ChartAxis x, ChartAxis y);

/* The same as a panel of a picture already begun, at this place. */
extern Chart chart_panel(Svg *svg, double top, double bottom, ChartAxis x, ChartAxis y);

extern double chart_x(const Chart *chart, double value);
extern double chart_y(const Chart *chart, double value);

/* A line with dots at its points; NaN: unknown, the line is interrupted. */
extern void chart_line(Chart *chart, int series, const char *name, const double *x, const double *y,
					   int points);

/* Adds the legend and ends the picture. */
extern SvgPicture chart_end(Chart *chart, const char *const *names, int count);

/* A number for people to read, to about three digits; in the current context. */
extern char *chart_number(double value, bool percent);

#endif /* KANON_CHART_H */
