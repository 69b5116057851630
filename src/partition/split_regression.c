/*
 * split_regression.c
 *		See split_regression.h.
 *
 * With values t of mean m, the squared error of a group is
 *
 *		sum (t - m)^2 = sum t^2 - (sum t)^2 / rows
 *
 * and sum t^2 adds up to the same whatever the split.  So the least error is
 * the greatest sum over the children of (sum t)^2 / rows, which is what a child
 * is worth.  Values are taken relative to the part's mean: then the squares of
 * sums are what the split itself explains, and nothing cancels.
 *
 * Within a part values are put on a grid of 2^30 steps across their range.  The
 * error of a part is at least half the square of its range, so what is lost by
 * that does not matter; but sums of all rows fit an int64, are exact, and do
 * not depend on the order of the rows.
 *
 * Example: values 1, 2, 9, 10, mean 5.5: relative -4.5, -3.5, 3.5, 4.5.  {1, 2}
 * {9, 10} is worth 64/2 + 64/2 = 64, {1} {2, 9, 10} 20.25 + 20.25/3 = 27.
 */
#include "postgres.h"

#include "partition/split_regression.h"

#include <math.h>

#include "base/interrupt.h"

#define HALF_STEPS 536870912.0 /* 2^29, from the middle of the range to an end */
#define LEAST_GAIN 0.01
#define NOT_KNOWN PG_INT32_MIN

typedef struct ValueGroup
{
	int64 rows; /* whose value is known */
	int64 sum;
} ValueGroup;

typedef struct Regression
{
	SplitMeasure measure;
	const double *target; /* [row number] */
	int32 *value_at;      /* [place in the part]: on the grid, relative to the mean */
	ValueGroup taken;
	ValueGroup rest;
	double squares; /* of all values */
} Regression;

/* Where the known values of a part lie. */
typedef struct ValueRange
{
	double minimum;
	double maximum;
	int64 rows;
} ValueRange;

static void
take(SplitMeasure *measure, uint32 place)
{
	Regression *regression = (Regression *) measure;
	int32 value = regression->value_at[place];

	if (value == NOT_KNOWN)
		return;
	regression->taken.rows++;
	regression->taken.sum += value;
	regression->rest.rows--;
	regression->rest.sum -= value;
}

static void
give_back(SplitMeasure *measure, uint32 place)
{
	Regression *regression = (Regression *) measure;
	int32 value = regression->value_at[place];

	if (value == NOT_KNOWN)
		return;
	regression->taken.rows--;
	regression->taken.sum -= value;
	regression->rest.rows++;
	regression->rest.sum += value;
}

static double
worth_of(const ValueGroup *group)
{
	return group->rows == 0 ? 0 : (double) group->sum * (double) group->sum / (double) group->rows;
}

static double
worth_of_taken(const SplitMeasure *measure)
{
	return worth_of(&((const Regression *) measure)->taken);
}

static double
worth_of_rest(const SplitMeasure *measure)
{
	return worth_of(&((const Regression *) measure)->rest);
}

static inline double
target_of(const Regression *regression, const Dataset *dataset, int64 at)
{
	return regression->target[dataset_row(dataset, dataset_record(dataset, at))];
}

static ValueRange
find_range(const Regression *regression, const Dataset *dataset, Part part)
{
	ValueRange range = {0};

	for (int64 at = part.begin; at < part.end; at++)
	{
		double value = target_of(regression, dataset, at);

		interrupt_check(at);
		if (!isfinite(value))
			continue;
		range.minimum = range.rows == 0 ? value : Min(range.minimum, value);
		range.maximum = range.rows == 0 ? value : Max(range.maximum, value);
		range.rows++;
	}
	return range;
}

/* Halves are subtracted, since the whole range may exceed a double. */
static int32
put_on_grid(ValueRange range, double value)
{
	double middle = range.minimum / 2 + range.maximum / 2;
	double half = range.maximum / 2 - range.minimum / 2;

	if (!isfinite(value))
		return NOT_KNOWN;
	return half > 0 ? (int32) rint((value - middle) / half * HALF_STEPS) : 0;
}

/* Values of the part on its grid; their sum. */
static int64
gather_values(Regression *regression, const Dataset *dataset, Part part, ValueRange range)
{
	int64 sum = 0;

	for (int64 at = part.begin; at < part.end; at++)
	{
		int32 value = put_on_grid(range, target_of(regression, dataset, at));

		interrupt_check(at);
		regression->value_at[at - part.begin] = value;
		sum += value == NOT_KNOWN ? 0 : value;
	}
	return sum;
}

/* Subtracts the mean, and adds up the squares: in two halves, for 2^31 of them may be 2^60. */
static void
shift_values(Regression *regression, int64 rows, int32 mean)
{
	uint64 low = 0;
	uint64 high = 0;

	for (int64 place = 0; place < rows; place++)
	{
		int32 *value = &regression->value_at[place];
		uint64 square;

		interrupt_check(place);
		if (*value == NOT_KNOWN)
			continue;
		*value -= mean;
		square = (uint64) ((int64) *value * *value);
		low += (uint32) square;
		high += square >> 32;
	}
	regression->squares = ldexp((double) high, 32) + (double) low;
}

static void
begin(SplitMeasure *measure, const PartitionRun *run, Part part)
{
	Regression *regression = (Regression *) measure;
	ValueRange range = find_range(regression, run->dataset, part);
	int64 sum = gather_values(regression, run->dataset, part, range);
	int32 mean = range.rows == 0 ? 0 : (int32) (sum / range.rows);

	shift_values(regression, part_rows(part), mean);
	regression->taken = (ValueGroup){0};
	regression->rest = (ValueGroup){.rows = range.rows, .sum = sum - mean * range.rows};
}

/* A share of LEAST_GAIN of the squared error. */
static bool
tells(const SplitMeasure *measure, double worth)
{
	const Regression *regression = (const Regression *) measure;
	double whole = worth_of_rest(measure);
	double error = regression->squares - whole;

	return worth > whole && worth - whole >= LEAST_GAIN * error;
}

SplitMeasure *
split_regression_create(const PartitionRequest *request, int64 records)
{
	Regression *regression = palloc0(sizeof(Regression));

	regression->measure = (SplitMeasure){.begin = begin,
										 .take = take,
										 .give_back = give_back,
										 .worth_of_taken = worth_of_taken,
										 .worth_of_rest = worth_of_rest,
										 .tells = tells};
	regression->target = request->target_value;
	regression->value_at = budget_allocate(request->budget, records, sizeof(int32), "partitioning");
	return &regression->measure;
}
