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

/* One more value, whatever it is; all of another range. */
extern void value_range_add(ValueRange *range, double value);
extern void value_range_join(ValueRange *range, const ValueRange *other);

/* The value on the grid of the range, VALUE_NOT_KNOWN if it is not finite. */
extern int32 value_grid_place(const ValueRange *range, double value);

/* Adds a value on the grid, if it is known. */
extern void value_sums_add(ValueSums *sums, int32 value);

/* The mean, rounded to the grid; the squared error from there. */
extern int32 value_sums_mean(const ValueSums *sums);
extern double value_sums_squares(const ValueSums *sums);

#endif /* KANON_VALUE_GRID_H */
