/*
 * value_grid.c
 *		See value_grid.h.
 */
#include "postgres.h"

#include "partition/value_grid.h"

int32
value_sums_mean(const ValueSums *sums)
{
	return sums->rows == 0 ? 0 : (int32) (sums->sum / sums->rows);
}

/* sum (v - m)^2 = sum v^2 - 2 m sum v + rows m^2; cancellation is harmless, see value_grid.h. */
double
value_sums_squares(const ValueSums *sums)
{
	double mean = value_sums_mean(sums);

	return ldexp((double) sums->high, 32) + (double) sums->low -
		   mean * (2 * (double) sums->sum - (double) sums->rows * mean);
}
