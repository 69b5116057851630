/*
 * value_grid.h
 *		Values of a numeric target as whole numbers: sums that are exact in any order.
 *
 * The values of a part are put on a grid of 2^30 steps across their range.  The error of a part is
 * at least half the square of its range, so what is lost by that does not matter; but sums of all
 * rows fit an int64.
 */
#ifndef KANON_VALUE_GRID_H
#define KANON_VALUE_GRID_H

#include "postgres.h"

#include <math.h>

/* Where the known values of some rows lie: those that are finite. */
typedef struct ValueRange
{
	double minimum;
	double maximum;
	int64 rows;
} ValueRange;

/* Rows with a known value, the sum of these on the grid, and that of their squares. */
typedef struct ValueSums
{
	int64 rows;
	int64 sum;
	uint64 low; /* lower halves of the squares, and the upper ones: 2^31 of them may be 2^58 */
	uint64 high;
} ValueSums;

#define VALUE_NOT_KNOWN PG_INT32_MIN

/* All values of another range. */
static inline void
value_range_join(ValueRange *range, const ValueRange *other)
{
	if (other->rows == 0)
		return;
	range->minimum = range->rows == 0 ? other->minimum : Min(range->minimum, other->minimum);
	range->maximum = range->rows == 0 ? other->maximum : Max(range->maximum, other->maximum);
	range->rows += other->rows;
}

/* One more value, whatever it is. */
static inline void
value_range_add(ValueRange *range, double value)
{
	if (!isfinite(value))
		return;
	range->minimum = range->rows == 0 ? value : Min(range->minimum, value);
	range->maximum = range->rows == 0 ? value : Max(range->maximum, value);
	range->rows++;
}

#define VALUE_HALF_STEPS 536870912.0 /* 2^29, from the middle of the range to an end */

/*
 * The value on the grid of the range, VALUE_NOT_KNOWN if it is not finite.  Halves are subtracted,
 * since the whole range may exceed a double.
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

/* Adds a value on the grid, if it is known. */
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

/* The mean, rounded to the grid; the squared error from there. */
extern int32 value_sums_mean(const ValueSums *sums);
extern double value_sums_squares(const ValueSums *sums);

#endif /* KANON_VALUE_GRID_H */
