/*
 * range_windows.c
 *		See range_windows.h.
 *
 * The whole is divided into 2^bits units.  Windows of height h have 2^h units, and begin at
 * multiples of these, or at half of one before.  If a range lies in no window of height h - 1, its
 * ends are in units that are more than 2^(h - 2) apart, so it is wider than 2^(h - 2) units.
 *
 * Example: the ages 20, 21, 30 and 60, in 8 units of 5 years.  The windows of height 1 are the ages
 * from 20 to 29, from 30 to 39, .. and, moved, to 24, from 25 to 34, ..  A range that lies in none
 * of these, such as from 20 to 30, but in the window from 20 to 39 of height 2, is wider than 5.
 */
#include "postgres.h"

#include "matching/range_windows.h"

#include <math.h>

#include "base/interrupt.h"
#include "metric/loss.h"

#define PURPOSE "bound of the loss"
#define BITS_MOST 5

/* The height of the window of all values. */
static int
bits_of(int32 values)
{
	int bits = 2;

	while (bits < BITS_MOST && (1 << (bits - 1)) < values)
		bits++;
	return bits;
}

/* Values, each height twice, all values, and with NULL. */
int
range_windows_levels(int32 values, bool has_null)
{
	return 2 * bits_of(values) + (has_null ? 1 : 0);
}

static double
span_loss(const RecodingColumn *range, int32 low, int32 high)
{
	RecodedCell cell = {.kind = RECODED_SPAN, .low = low, .high = high};

	return loss_of_cell(range, &cell);
}

/* Adds a level of windows of this height. */
static void
add_level(RangeWindows *windows, int level, const RecodingColumn *range, int32 values, int bits,
		  int height, bool moved)
{
	int32 *node = windows->node[level];
	int32 begin = windows->nodes;
	double narrowest = height > 1 ? ldexp(1, height - 2 - bits) : 0;

	for (int32 value = 0; value < values; value++)
	{
		double units = ldexp(span_loss(range, 0, value), bits);
		int32 unit = (int32) Min(floor(units), (1 << bits) - 1);
		int32 window = begin + ((unit + (moved ? 1 << (height - 1) : 0)) >> height);

		interrupt_check(value);
		node[value] = window;
		while (windows->nodes <= window)
			windows->loss[windows->nodes++] = 1;
		/* No range is narrower than the distance of neighbours. */
		if (value > 0 && node[value - 1] == window)
			windows->loss[window] =
				Min(windows->loss[window], Max(span_loss(range, value - 1, value), narrowest));
	}
	node[DATASET_NULL] = DATASET_NULL;
}

RangeWindows
range_windows_create(const RecodingColumn *range, int32 values, bool has_null, Budget *budget)
{
	int bits = bits_of(values);
	RangeWindows windows = {.levels = range_windows_levels(values, has_null), .nodes = values};

	/* Each height has at most 2^(bits - height) + 1 windows, moved. */
	windows.loss = budget_allocate(budget, (Size) values + 1 + (4 << bits) + 2 * bits + 1,
								   sizeof(double), PURPOSE);
	windows.loss -= DATASET_NULL;
	windows.node = palloc(sizeof(int32 *) * windows.levels);
	for (int level = 0; level < windows.levels; level++)
	{
		windows.node[level] = budget_allocate(budget, (Size) values + 1, sizeof(int32), PURPOSE);
		windows.node[level] -= DATASET_NULL;
	}
	for (int32 value = DATASET_NULL; value < values; value++)
	{
		interrupt_check(value);
		windows.node[0][value] = value;
	}
	for (int level = 1; level < 2 * bits; level++)
		add_level(&windows, level, range, values, bits, (level + 1) / 2, level % 2 == 0);
	if (has_null)
	{
		int32 *node = windows.node[windows.levels - 1];

		for (int32 value = DATASET_NULL; value < values; value++)
		{
			interrupt_check(value);
			node[value] = windows.nodes;
		}
		windows.loss[windows.nodes++] = 1;
	}
	return windows;
}
