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
	double least; /* NaN: nothing is known, yet */
	double greatest;
	bool logarithmic; /* both bounds above 0 */
	bool percent;     /* 0.25 is written 25 % */
	bool whole;       /* only whole numbers */
	bool days;        /* since 1970, written as dates and times */
} ChartAxis;

/* Extends an axis to a value, unless that is NaN. */
extern void chart_axis_reach(ChartAxis *axis, double value);

typedef struct Chart
{
	Svg *svg;
	ChartAxis x;
	ChartAxis y;
	double left; /* of the plotting area, which goes to the right end */
	double top;  /* y goes up */
	double bottom;
} Chart;

/*
 * Begins a panel below what the picture has: axes with a few round numbers, or dates.  Extends the
 * bounds of an axis to such numbers, and separates equal ones.  In the current context.
 */
extern Chart chart_begin(Svg *svg, double height, ChartAxis x, ChartAxis y);
extern void chart_end(Chart *chart);

extern double chart_x(const Chart *chart, double value);
extern double chart_y(const Chart *chart, double value);

/* A line with dots at its points; NaN: unknown, the line is interrupted. */
extern void chart_line(Chart *chart, int series, const char *name, const double *x, const double *y,
					   int points);

/* A number for people to read, to about three digits; NaN is "not known".  In the current context.
 */
extern char *chart_number(double value, bool percent);

#endif /* KANON_CHART_H */
