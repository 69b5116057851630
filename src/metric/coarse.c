/*
 * coarse.c
 *		See coarse.h.
 *
 * Example: for 45,222 rows and k = 10, 1 % are 452 rows.  The step is 200, because 2k and 10 are
 * less.  That is 0.4 % of the rows, so shares have steps of 1 %.  For 60 rows the step is 20, a
 * third of them, and shares are 0, 50 or 100 %.
 */
#include "postgres.h"

#include "metric/coarse.h"

#include <math.h>

#define LEAST_STEP 10.0
#define LEAST_SHARE 0.01
#define GREATEST_SHARE 0.5

/* The greatest of 1, 2, 5, 10, .. that is at most the value; the value is at least 1. */
static double
round_down(double value)
{
	double power = pow(10, floor(log10(value)));
	double digit = value / power;

	return power * (digit >= 5 ? 5 : digit >= 2 ? 2 : 1);
}

/* The least of them that is at least the value. */
static double
round_up(double value)
{
	double below = round_down(value);

	return below >= value ? below : round_down(below * 2.5);
}

Coarse
coarse_of(int64 rows, int k)
{
	double least = round_up(Max(2.0 * k, LEAST_STEP));
	double step = Max(least, round_down(Max((double) rows / 100, 1)));
	double share = rows > 0 ? step / (double) rows : 1;

	return (Coarse){.step = step,
					.share = share <= LEAST_SHARE      ? LEAST_SHARE
							 : share >= GREATEST_SHARE ? GREATEST_SHARE
													   : round_up(share * 100) / 100};
}

double
coarse_rows(const Coarse *coarse, double rows)
{
	return rint(rows / coarse->step) * coarse->step;
}

double
coarse_share(const Coarse *coarse, double share)
{
	return rint(share / coarse->share) * coarse->share;
}

double
coarse_bound(const Coarse *coarse, double share)
{
	return share <= coarse->share ? coarse->share : round_up(share * 100) / 100;
}

double
coarse_size(int64 size, int k)
{
	double reached = Max(k, 1);

	if ((double) size < reached)
		return 0;
	while (reached * 2 <= (double) size)
		reached *= 2;
	return reached;
}
