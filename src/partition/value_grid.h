/*
 * value_grid.h
 *		A numeric target's values as whole numbers, so that sums are exact in any order.
 *
 * The values of a part are put on a grid of 2^30 steps across their range.  The error of a part is
 * at least half the square of its range, so rounding to the grid does not matter, and sums of all
 * rows fit in an int64.
 */
#ifndef KANON_VALUE_GRID_H
#define KANON_VALUE_GRID_H

#include "postgres.h"

#include <math.h>

/* The range of the known values, which are the finite ones, of some rows. */
typedef struct ValueRange
{
	double minimum;
	double maximum;
	int64 rows;
} ValueRange;

/* The number of rows with a known value, and the sums of values and squares on the grid. */
typedef struct ValueSums
{
	int64 rows;
	int64 sum;
	uint64 low; /* sums of the lower and upper halves of the squares: 2^31 squares of up to 2^58
				 * exceed an int64 */
	uint64 high;
} ValueSums;

#define VALUE_NOT_KNOWN PG_INT32_MIN

/* Extends a range by another. */
static inline void
value_range_join(ValueRange *range, const ValueRange *other)
{
	if (other->rows == 0)
		return;
	range->minimum = range->rows == 0 ? other->minimum : Min(range->minimum, other->minimum);
	range->maximum = range->rows == 0 ? other->maximum : Max(range->maximum, other->maximum);
	range->rows += other->rows;
}

/* Extends a range by a value; ignores values that are not finite. */
static inline void
value_range_add(ValueRange *range, double value)
{
	if (!isfinite(value))
		return;
	range->minimum = range->rows == 0 ? value : Min(range->minimum, value);
	range->maximum = range->rows == 0 ? value : Max(range->maximum, value);
	range->rows++;
}

#define VALUE_HALF_STEPS 536870912.0 /* 2^29 steps from the middle of the range to an end */

/*
 * The value on the grid of the range, VALUE_NOT_KNOWN if it is not finite.  Halves are subtracted
 * because the whole range may overflow a double.
 */
static inline int32
value_grid_place(const ValueRange *range, double value)
{
	double middle = range->minimum / 2 + range->maximum / 2;
	double half = range->maximum / 2 - range->minimum / 2;

	if (!isfinite(value))
		return VALUE_NOT_KNOWN;
	return half > 0 ? (int32) rint((value - middle) / half * VALUE_HALF_STEPS) : 0;
}

/* Adds a value on the grid if it is known. */
static inline void
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

/* The mean rounded to the grid, and the squared error around it. */
extern int32 value_sums_mean(const ValueSums *sums);
extern double value_sums_squares(const ValueSums *sums);

#endif /* KANON_VALUE_GRID_H */
