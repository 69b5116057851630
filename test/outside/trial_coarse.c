/*
 * trial_coarse.c
 *		Trials of figures that are made coarse, against steps that are counted; see trial.h.
 */
#include "postgres.h"

#include "trial.h"

#include "metric/coarse.h"

#include <math.h>

/* The least of 1, 2, 5, 10, .. that is at least the value, or the greatest that is at most it. */
static double
count_steps(double value, bool up)
{
	static const int digit[] = {1, 2, 5};
	double below = 1;

	for (int i = 0;; i++)
	{
		double step = digit[i % 3];

		for (int j = 0; j < i / 3; j++)
			step *= 10;
		if (step >= value && (up || step > value))
			return up ? step : below;
		below = step;
	}
}

static void
check_step(const Coarse *coarse, int64 rows, int k)
{
	double step = count_steps(Max(2 * k, 10), true);
	double percent;

	if (rows >= 100)
		step = Max(step, count_steps((double) (rows / 100), false));
	if (coarse->step != step)
		elog(ERROR, "a step of %g instead of %g", coarse->step, step);
	percent = rows > 0 ? Max(count_steps(Max(100 * step / (double) rows, 1), true), 1) : 50;
	if (fabs(coarse->share - Min(percent, 50) / 100) > 1e-9)
		elog(ERROR, "shares of %g instead of %g", coarse->share, Min(percent, 50) / 100);
}

/*
 * One person more is seen in one of as many tables as a step has rows, and in a share at most as
 * often.
 */
static void
check_neighbors(const Coarse *coarse, int64 rows)
{
	int64 step = (int64) coarse->step;
	int flips = 0;

	for (int64 n = rows; n < rows + step; n++)
	{
		double here = coarse_rows(coarse, (double) n);
		double next = coarse_rows(coarse, (double) n + 1);

		if (fmod(here, coarse->step) != 0 || fabs(here - (double) n) > coarse->step / 2)
			elog(ERROR, "%g rows for " INT64_FORMAT, here, n);
		if (next != here && next != here + coarse->step)
			elog(ERROR, "one more row makes " INT64_FORMAT " rows %g instead of %g", n, next, here);
		flips += next != here;
	}
	/* Halves go to even steps: two neighboring edges may lie a row closer, or apart. */
	if (flips > 2 || (flips == 0 && step % 2 == 1))
		elog(ERROR, "%d edges within a step", flips);
}

static void
check_shares(const Coarse *coarse, Draw *draw)
{
	double share = draw_below(draw, 10001) / 10000.0;
	double shown = coarse_share(coarse, share);
	double bound = coarse_bound(coarse, share);

	if (fabs(shown - share) > coarse->share / 2 + 1e-9)
		elog(ERROR, "a share of %g is shown as %g", share, shown);
	if (fabs(shown / coarse->share - rint(shown / coarse->share)) > 1e-9)
		elog(ERROR, "a share of %g is between steps of %g", shown, coarse->share);
	if (bound < share - 1e-9 || bound < coarse->share)
		elog(ERROR, "a share of %g is said to be at most %g", share, bound);
	if (!isnan(coarse_share(coarse, NAN)) || !isnan(coarse_rows(coarse, NAN)))
		elog(ERROR, "what nobody knows is shown");
}

static void
check_size(int64 size, int k)
{
	double shown = coarse_size(size, k);
	double power = k;

	while (power < shown)
		power *= 2;
	if (size < k ? shown != 0
				 : shown != power || shown > (double) size || 2 * shown <= (double) size)
		elog(ERROR, "a class of " INT64_FORMAT " is shown as %g", size, shown);
}

void
trial_coarse(Trial *trial)
{
	static const int most[] = {100, 10000, 10000000};
	int k = draw_between(trial->draw, 1, draw_one_in(trial->draw, 4) ? 1000 : 20);
	int64 rows = draw_below(trial->draw, draw_size(trial->draw, most, lengthof(most)));
	Coarse coarse = coarse_of(rows, k);

	check_step(&coarse, rows, k);
	check_neighbors(&coarse, rows);
	check_shares(&coarse, trial->draw);
	check_size(draw_below(trial->draw, 100 * k), k);
}
