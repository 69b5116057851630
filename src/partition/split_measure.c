/*
 * split_measure.c
 *		See part.h.
 */
#include "postgres.h"

#include "partition/part.h"

#include <math.h>

#include "base/interrupt.h"

#define LEAST_GAIN 0.01
#define PURPOSE "partitioning"

/*
 * ---- Information gain.  A part of n rows, n_c of them in class c, has the entropy
 *
 *	H = - sum over c of n_c/n log(n_c/n),    n H = n log n - sum of n_c log n_c
 *
 * The gain of a split is H minus the mean entropy of the children, weighted by their rows.  H is
 * fixed, so the greatest gain is the least sum of n H over the children: a child is worth -n H.
 *
 * x log x is rounded to a multiple of 2^-24.  Then sums over classes are exact integers, updated
 * row by row in any order.  With fewer than 2^31 rows they stay below 2^60.
 *
 * Classes are numbered within the part, so the cost of a part depends on its rows alone, even if
 * nearly every row has a class of its own.
 *
 * Example: classes A A B B. {A A} {B B} is worth 0 + 0, {A} {A B B} is worth 0 - (3 log 3 - 2 log
 * 2) = -2.75.
 */

typedef struct ClassGroup
{
	int32 *count; /* [class within the part] */
	int64 rows;
	int64 sum; /* of count log count */
} ClassGroup;

typedef struct InfoGain
{
	SplitMeasure measure;
	const int32 *target;       /* [row number] */
	int32 *number;             /* [class]: number within the part, -1: not present */
	int32 *class_at;           /* [place in the part]: class within the part */
	const FrequencySide *side; /* if the part is known by counts: its class counts by slot */
	ClassGroup taken;
	ClassGroup rest;
	const LogTable *logs;
} InfoGain;

static inline void
change_group(const InfoGain *gain, ClassGroup *group, int32 class, int by)
{
	int32 *count = &group->count[class];

	group->sum += log_table_get(gain->logs, *count + by) - log_table_get(gain->logs, *count);
	*count += by;
	group->rows += by;
}

static void
gain_move(SplitMeasure *measure, uint32 place, int by)
{
	InfoGain *gain = (InfoGain *) measure;

	change_group(gain, &gain->taken, gain->class_at[place], by);
	change_group(gain, &gain->rest, gain->class_at[place], -by);
}

static void
gain_move_slot(SplitMeasure *measure, uint32 slot, int by)
{
	InfoGain *gain = (InfoGain *) measure;
	const int32 *rows = gain->side->rows + (int64) slot * gain->side->values;

	for (int32 class = 0; class < gain->side->values; class ++)
	{
		interrupt_check(class);
		if (rows[class] == 0)
			continue;
		change_group(gain, &gain->taken, class, rows[class] * by);
		change_group(gain, &gain->rest, class, -rows[class] * by);
	}
}

static double
gain_worth(const SplitMeasure *measure, bool taken)
{
	const InfoGain *gain = (const InfoGain *) measure;
	const ClassGroup *group = taken ? &gain->taken : &gain->rest;

	return (double) (group->sum - log_table_get(gain->logs, group->rows));
}

/* Is the gain at least LEAST_GAIN bits a row? */
static bool
gain_tells(const SplitMeasure *measure, double worth)
{
	const InfoGain *gain = (const InfoGain *) measure;

	return worth - gain_worth(measure, false) >= LEAST_GAIN * LOG_STEPS * (double) gain->rest.rows;
}

/* Numbers the class of each row; returns the number of classes. */
static int32
number_classes(InfoGain *gain, const Dataset *dataset, Part part)
{
	int32 classes = 0;

	for (int64 at = part.begin; at < part.end; at++)
	{
		int32 *number =
			&gain->number[gain->target[dataset_row(dataset, dataset_record(dataset, at))]];

		interrupt_check(at);
		if (*number < 0)
			*number = classes++;
		gain->class_at[at - part.begin] = *number;
	}
	for (int64 at = part.begin; at < part.end; at++)
	{
		interrupt_check(at);
		gain->number[gain->target[dataset_row(dataset, dataset_record(dataset, at))]] = -1;
	}
	return classes;
}

/* Counts take the rows from the slots of the first attribute; classes keep their numbers. */
static void
gain_begin(SplitMeasure *measure, const PartitionRun *run, Part part)
{
	InfoGain *gain = (InfoGain *) measure;
	const FrequencyGroup *group = run->group;
	int32 classes = group ? group->side[0].values : number_classes(gain, run->dataset, part);
	int32 *count = gain->rest.count;

	measure->move = group ? gain_move_slot : gain_move;
	gain->side = group ? &group->side[0] : NULL;
	memset(gain->taken.count, 0, sizeof(int32) * classes);
	memset(count, 0, sizeof(int32) * classes);
	gain->taken.rows = gain->taken.sum = gain->rest.sum = 0;
	gain->rest.rows = part_rows(part);
	for (int64 slot = 0; group && slot < group->first_slot[1]; slot++)
		for (int32 class = 0; class < classes; class ++)
		{
			interrupt_check(class);
			count[class] += gain->side->rows[slot * classes + class];
		}
	for (int64 place = 0; !group && place < part_rows(part); place++)
	{
		interrupt_check(place);
		count[gain->class_at[place]]++;
	}
	for (int32 class = 0; class < classes; class ++)
	{
		interrupt_check(class);
		gain->rest.sum += log_table_get(gain->logs, count[class]);
	}
}

static SplitMeasure *
gain_create(const PartitionRequest *request, int64 records, const LogTable *logs)
{
	InfoGain *gain = palloc0(sizeof(InfoGain));

	gain->measure = (SplitMeasure){
		.begin = gain_begin, .move = gain_move, .worth = gain_worth, .tells = gain_tells};
	gain->target = request->target_class;
	gain->number =
		budget_allocate(request->budget, request->target_classes, sizeof(int32), PURPOSE);
	gain->taken.count =
		budget_allocate(request->budget, request->target_classes, sizeof(int32), PURPOSE);
	gain->rest.count =
		budget_allocate(request->budget, request->target_classes, sizeof(int32), PURPOSE);
	gain->class_at = budget_allocate(request->budget, records, sizeof(int32), PURPOSE);
	memset(gain->number, 0xFF, sizeof(int32) * request->target_classes);
	gain->logs = logs;
	return &gain->measure;
}

/*
 * ---- The least squared error.  With values t of mean m, the squared error of a group is
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

/* Takes this many rows, whose values have this sum; negative numbers return them. */
static void
move_values(Regression *regression, int64 rows, int64 sum)
{
	regression->taken.rows += rows;
	regression->taken.sum += sum;
	regression->rest.rows -= rows;
	regression->rest.sum -= sum;
}

static void
error_move(SplitMeasure *measure, uint32 place, int by)
{
	Regression *regression = (Regression *) measure;
	int32 value = regression->value_at[place];

	if (value != VALUE_NOT_KNOWN)
		move_values(regression, by, (int64) by * value);
}

static void
error_move_slot(SplitMeasure *measure, uint32 slot, int by)
{
	Regression *regression = (Regression *) measure;
	const SlotValues *values = &regression->value_of[slot];

	move_values(regression, by * values->range.rows,
				by * (values->sum - values->range.rows * regression->mean));
}

static double
error_worth(const SplitMeasure *measure, bool taken)
{
	const Regression *regression = (const Regression *) measure;
	const ValueGroup *group = taken ? &regression->taken : &regression->rest;

	return group->rows == 0 ? 0 : (double) group->sum * (double) group->sum / (double) group->rows;
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
error_begin(SplitMeasure *measure, const PartitionRun *run, Part part)
{
	Regression *regression = (Regression *) measure;
	ValueSums sums =
		run->group ? run->group->target.all : gather_values(regression, run->dataset, part);

	measure->move = run->group ? error_move_slot : error_move;
	regression->value_of = run->group ? run->group->target.value : NULL;
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
error_tells(const SplitMeasure *measure, double worth)
{
	const Regression *regression = (const Regression *) measure;
	double whole = error_worth(measure, false);
	double error = regression->squares - whole;

	return worth > whole && worth - whole >= LEAST_GAIN * error;
}

static SplitMeasure *
error_create(const PartitionRequest *request, int64 records)
{
	Regression *regression = palloc0(sizeof(Regression));

	regression->measure = (SplitMeasure){
		.begin = error_begin, .move = error_move, .worth = error_worth, .tells = error_tells};
	regression->target = request->target_value;
	regression->value_at = budget_allocate(request->budget, records, sizeof(int32), "partitioning");
	return &regression->measure;
}

SplitMeasure *
split_measure_create(const PartitionRequest *request, int64 records, const LogTable *logs)
{
	return request->split == SPLIT_INFOGAIN ? gain_create(request, records, logs)
											: error_create(request, records);
}
