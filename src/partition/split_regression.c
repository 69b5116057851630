/*
 * split_regression.c
 *		See split_regression.h.
 *
 * With values t of mean m, the squared error of a group is
 *
 *	sum (t - m)^2 = sum t^2 - (sum t)^2 / rows
 *
 * and sum t^2 is the same for every split.  So the least error is the greatest sum over the
 * children of (sum t)^2 / rows, which is a child's worth.  Values are taken relative to the part's
 * mean: then the squared sums are what the split explains, and nothing cancels.
 *
 * Example: values 1, 2, 9, 10, mean 5.5: relative -4.5, -3.5, 3.5, 4.5. {1, 2} {9, 10} is worth
 * 64/2 + 64/2 = 64, {1} {2, 9, 10} 20.25 + 20.25/3 = 27.
 */
#include "postgres.h"

#include "partition/split_regression.h"

#include "base/interrupt.h"
#include "partition/value_grid.h"

#define LEAST_GAIN 0.01

typedef struct ValueGroup
{
	int64 rows; /* with a known value */
	int64 sum;
} ValueGroup;

typedef struct Regression
{
	SplitMeasure measure;
	const double *target;       /* [row number] */
	int32 *value_at;            /* [place in the part]: on the grid, relative to the mean */
	const SlotValues *value_of; /* if the part is known by counts: [slot], on the grid */
	int32 mean;                 /* .. and the mean */
	ValueGroup taken;
	ValueGroup rest;
	double squares; /* of all values, relative to the mean */
} Regression;

/* Moves this many rows, whose values have this sum, between the groups. */
static void
move_values(ValueGroup *from, ValueGroup *to, int64 rows, int64 sum)
{
	to->rows += rows;
	to->sum += sum;
	from->rows -= rows;
	from->sum -= sum;
}

static void
move_place(const Regression *regression, uint32 place, ValueGroup *from, ValueGroup *to)
{
	int32 value = regression->value_at[place];

	if (value != VALUE_NOT_KNOWN)
		move_values(from, to, 1, value);
}

static void
take(SplitMeasure *measure, uint32 place)
{
	Regression *regression = (Regression *) measure;

	move_place(regression, place, &regression->rest, &regression->taken);
}

static void
give_back(SplitMeasure *measure, uint32 place)
{
	Regression *regression = (Regression *) measure;

	move_place(regression, place, &regression->taken, &regression->rest);
}

static void
move_slot(const Regression *regression, uint32 slot, ValueGroup *from, ValueGroup *to)
{
	const SlotValues *values = &regression->value_of[slot];

	move_values(from, to, values->range.rows, values->sum - values->range.rows * regression->mean);
}

static void
take_slot(SplitMeasure *measure, uint32 slot)
{
	Regression *regression = (Regression *) measure;

	move_slot(regression, slot, &regression->rest, &regression->taken);
}

static void
give_back_slot(SplitMeasure *measure, uint32 slot)
{
	Regression *regression = (Regression *) measure;

	move_slot(regression, slot, &regression->taken, &regression->rest);
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
		interrupt_check(at);
		value_range_add(&range, target_of(regression, dataset, at));
	}
	return range;
}

/* Puts the part's values on its grid. */
static ValueSums
gather_values(Regression *regression, const Dataset *dataset, Part part)
{
	ValueRange range = find_range(regression, dataset, part);
	ValueSums sums = {0};

	for (int64 at = part.begin; at < part.end; at++)
	{
		int32 value = value_grid_place(&range, target_of(regression, dataset, at));

		interrupt_check(at);
		regression->value_at[at - part.begin] = value;
		value_sums_add(&sums, value);
	}
	return sums;
}

/* .. and makes them relative to the mean. */
static void
shift_values(Regression *regression, int64 rows)
{
	for (int64 place = 0; place < rows; place++)
	{
		interrupt_check(place);
		if (regression->value_at[place] != VALUE_NOT_KNOWN)
			regression->value_at[place] -= regression->mean;
	}
}

static void
begin(SplitMeasure *measure, const PartitionRun *run, Part part)
{
	Regression *regression = (Regression *) measure;
	ValueSums sums =
		run->group ? run->group->target->all : gather_values(regression, run->dataset, part);

	measure->take = run->group ? take_slot : take;
	measure->give_back = run->group ? give_back_slot : give_back;
	regression->value_of = run->group ? run->group->target->value : NULL;
	regression->mean = value_sums_mean(&sums);
	regression->squares = value_sums_squares(&sums);
	regression->taken = (ValueGroup){0};
	regression->rest =
		(ValueGroup){.rows = sums.rows, .sum = sums.sum - regression->mean * sums.rows};
	if (run->group == NULL)
		shift_values(regression, part_rows(part));
}

/* Is it at least a share of LEAST_GAIN of the squared error? */
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
										 .worth_of_taken = worth_of_taken,
										 .worth_of_rest = worth_of_rest,
										 .tells = tells};
	regression->target = request->target_value;
	regression->value_at = budget_allocate(request->budget, records, sizeof(int32), "partitioning");
	return &regression->measure;
}
