/*
 * split_infogain.c
 *		See split_infogain.h.
 *
 * A part of n rows, n_c of them in class c, has the entropy
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
#include "postgres.h"

#include "partition/split_infogain.h"

#include <math.h>

#include "base/interrupt.h"

#define SMALL 4096
#define STEPS 16777216.0 /* steps of x log x per unit */
#define LEAST_GAIN 0.01
#define PURPOSE "partitioning"

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
	int64 small[SMALL]; /* x log x for small x */
} InfoGain;

static int64
compute_x_log_x(int64 x)
{
	return x < 2 ? 0 : (int64) rint((double) x * log2((double) x) * STEPS);
}

static inline int64
x_log_x(const InfoGain *gain, int64 x)
{
	return x < SMALL ? gain->small[x] : compute_x_log_x(x);
}

static inline void
change_group(const InfoGain *gain, ClassGroup *group, int32 class, int by)
{
	int32 *count = &group->count[class];

	group->sum += x_log_x(gain, *count + by) - x_log_x(gain, *count);
	*count += by;
	group->rows += by;
}

static void
take(SplitMeasure *measure, uint32 place)
{
	InfoGain *gain = (InfoGain *) measure;

	change_group(gain, &gain->taken, gain->class_at[place], 1);
	change_group(gain, &gain->rest, gain->class_at[place], -1);
}

static void
give_back(SplitMeasure *measure, uint32 place)
{
	InfoGain *gain = (InfoGain *) measure;

	change_group(gain, &gain->taken, gain->class_at[place], -1);
	change_group(gain, &gain->rest, gain->class_at[place], 1);
}

/* Moves the rows of a slot between the groups. */
static void
move_slot(InfoGain *gain, ClassGroup *from, ClassGroup *to, uint32 slot)
{
	const int32 *rows = gain->side->rows + (int64) slot * gain->side->values;

	for (int32 class = 0; class < gain->side->values; class ++)
	{
		interrupt_check(class);
		if (rows[class] == 0)
			continue;
		change_group(gain, from, class, -rows[class]);
		change_group(gain, to, class, rows[class]);
	}
}

static void
take_slot(SplitMeasure *measure, uint32 slot)
{
	InfoGain *gain = (InfoGain *) measure;

	move_slot(gain, &gain->rest, &gain->taken, slot);
}

static void
give_back_slot(SplitMeasure *measure, uint32 slot)
{
	InfoGain *gain = (InfoGain *) measure;

	move_slot(gain, &gain->taken, &gain->rest, slot);
}

static double
worth_of(const InfoGain *gain, const ClassGroup *group)
{
	return (double) (group->sum - x_log_x(gain, group->rows));
}

static double
worth_of_taken(const SplitMeasure *measure)
{
	const InfoGain *gain = (const InfoGain *) measure;

	return worth_of(gain, &gain->taken);
}

static double
worth_of_rest(const SplitMeasure *measure)
{
	const InfoGain *gain = (const InfoGain *) measure;

	return worth_of(gain, &gain->rest);
}

/* Is the gain at least LEAST_GAIN bits a row? */
static bool
tells(const SplitMeasure *measure, double worth)
{
	const InfoGain *gain = (const InfoGain *) measure;

	return worth - worth_of_rest(measure) >= LEAST_GAIN * STEPS * (double) gain->rest.rows;
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

/*
 * Puts all rows, from the slots of the first attribute, into the rest; classes keep their numbers.
 */
static void
begin_counts(InfoGain *gain, const FrequencyGroup *group)
{
	gain->measure.take = take_slot;
	gain->measure.give_back = give_back_slot;
	gain->side = &group->side[0];
	memset(gain->taken.count, 0, sizeof(int32) * gain->side->values);
	memset(gain->rest.count, 0, sizeof(int32) * gain->side->values);
	gain->taken.rows = gain->taken.sum = 0;
	gain->rest.rows = gain->rest.sum = 0;
	for (int64 slot = 0; slot < group->first_slot[1]; slot++)
		for (int32 class = 0; class < gain->side->values; class ++)
		{
			int32 rows = gain->side->rows[slot * gain->side->values + class];

			interrupt_check(class);
			if (rows > 0)
				change_group(gain, &gain->rest, class, rows);
		}
}

static void
begin(SplitMeasure *measure, const PartitionRun *run, Part part)
{
	InfoGain *gain = (InfoGain *) measure;
	int32 classes;

	if (run->group)
	{
		begin_counts(gain, run->group);
		return;
	}
	classes = number_classes(gain, run->dataset, part);
	memset(gain->taken.count, 0, sizeof(int32) * classes);
	memset(gain->rest.count, 0, sizeof(int32) * classes);
	gain->taken.rows = gain->taken.sum = 0;
	gain->rest.rows = gain->rest.sum = 0;
	for (int64 place = 0; place < part_rows(part); place++)
	{
		interrupt_check(place);
		gain->rest.count[gain->class_at[place]]++;
	}
	for (int32 class = 0; class < classes; class ++)
	{
		interrupt_check(class);
		gain->rest.sum += x_log_x(gain, gain->rest.count[class]);
	}
	gain->rest.rows = part_rows(part);
}

SplitMeasure *
split_infogain_create(const PartitionRequest *request, int64 records, int64 rows)
{
	InfoGain *gain = palloc0(sizeof(InfoGain));

	gain->measure = (SplitMeasure){.begin = begin,
								   .take = take,
								   .give_back = give_back,
								   .worth_of_taken = worth_of_taken,
								   .worth_of_rest = worth_of_rest,
								   .tells = tells};
	gain->target = request->target_class;
	gain->number =
		budget_allocate(request->budget, request->target_classes, sizeof(int32), PURPOSE);
	gain->taken.count =
		budget_allocate(request->budget, request->target_classes, sizeof(int32), PURPOSE);
	gain->rest.count =
		budget_allocate(request->budget, request->target_classes, sizeof(int32), PURPOSE);
	gain->class_at = budget_allocate(request->budget, records, sizeof(int32), PURPOSE);
	memset(gain->number, 0xFF, sizeof(int32) * request->target_classes);
	for (int x = 0; x < Min(SMALL, rows + 1); x++)
		gain->small[x] = compute_x_log_x(x);
	return &gain->measure;
}
