/*
 * value_grid.c
 *		See value_grid.h.
 */
#include "postgres.h"

#include "partition/value_grid.h"

#include <math.h>

#define HALF_STEPS 536870912.0 /* 2^29, from the middle of the range to an end */

void
value_range_add(ValueRange *range, double value)
{
	if (isfinite(value))
		value_range_join(range, &(ValueRange){.minimum = value, .maximum = value, .rows = 1});
}

void
value_range_join(ValueRange *range, const ValueRange *other)
{
	if (other->rows == 0)
		return;
	range->minimum = range->rows == 0 ? other->minimum : Min(range->minimum, other->minimum);
	range->maximum = range->rows == 0 ? other->maximum : Max(range->maximum, other->maximum);
	range->rows += other->rows;
}

/* Halves are subtracted, since the whole range may exceed a double. */
int32
value_grid_place(const ValueRange *range, double value)
{
	double middle = range->minimum / 2 + range->maximum / 2;
	double half = range->maximum / 2 - range->minimum / 2;

	if (!isfinite(value))
		return VALUE_NOT_KNOWN;
	return half > 0 ? (int32) rint((value - middle) / half * HALF_STEPS) : 0;
}

void
value_sums_add(ValueSums *sums, int32 value)
{
	uint64 square = (uint64) ((int64) value * value);

	if (value == VALUE_NOT_KNOWN)
		return;
	sums->rows++;
	sums->sum += value;
	sums->low += (uint32) square;
	sums->high += square >> 32;
}

int32
value_sums_mean(const ValueSums *sums)
{
	return sums->rows == 0 ? 0 : (int32) (sums->sum / sums->rows);
}

/* sum (v - m)^2 = sum v^2 - 2 m sum v + rows m^2, which is not small: see value_grid.h. */
double
value_sums_squares(const ValueSums *sums)
{
	double mean = value_sums_mean(sums);

	return ldexp((double) sums->high, 32) + (double) sums->low -
		   mean * (2 * (double) sums->sum - (double) sums->rows * mean);
}
