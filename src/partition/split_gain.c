/*
 * split_gain.c
 *		See part.h.
 *
 * A division's gain is how much less the cells of its attribute lose (metric/loss.h): the rows of
 * the part times the loss of its label or range, less the same of its children.  Its bits are what
 * it takes to say for all rows in which child they are:
 *
 *	sum of n_i log2(n / n_i) = n log2 n - sum of n_i log2 n_i
 *
 * Plain gain would prefer attributes of many labels, which leave little to divide by the others.
 * Losses are whole numbers of steps, and so are the logarithms; sums do not depend on their order.
 *
 * The cut of a plain attribute gains nothing until a side has a single value, which is shown.  It
 * is worth as much for each bit as the division that it begins: the values that enough rows have,
 * each apart, and all others together.
 *
 * Example: 8 rows of a label that loses 1.  Two halves that lose .5 each gain 4 for 8 bits; four
 * children of two rows that lose .25 each gain 6 for 16 bits: the halves are better.
 */
#include "postgres.h"

#include "partition/part.h"

#include <math.h>

#include "base/interrupt.h"
#include "metric/loss.h"

const LogTable *
log_table_find(void)
{
	static LogTable table; /* filled once */

	for (int64 x = 2; table.small[LOG_SMALL - 1] == 0 && x < LOG_SMALL; x++)
		table.small[x] = log_table_compute(x);
	return &table;
}

int64
log_table_compute(int64 x)
{
	return x < 2 ? 0 : (int64) rint((double) x * log2((double) x) * LOG_STEPS);
}

int64
split_gain_cost(const PartitionRun *run, int attribute, int32 minimum, int32 maximum)
{
	RecodedCell cell = region_cell(&run->column[attribute], minimum, maximum);

	return (int64) rint(
		ldexp(loss_of_cell(&run->column[attribute], &cell) * run->weight[attribute], 32));
}

/* The gain so far, and n log n less that of the children so far. */
typedef struct Gain
{
	const PartitionRun *run;
	int attribute;
	int64 gain;
	int64 bits;
} Gain;

static Gain
begin_gain(const PartitionRun *run, Part part, int attribute)
{
	int64 rows = part_rows(part);

	return (Gain){.run = run,
				  .attribute = attribute,
				  .gain = rows * split_gain_cost(run, attribute, run->region->minimum[attribute],
												 run->region->maximum[attribute]),
				  .bits = log_table_get(run->logs, rows)};
}

/* Adds a child. */
static void
add_child(Gain *gain, int64 rows, int32 minimum, int32 maximum)
{
	gain->gain -= rows * split_gain_cost(gain->run, gain->attribute, minimum, maximum);
	gain->bits -= log_table_get(gain->run->logs, rows);
}

static double
gain_for_bits(const Gain *gain)
{
	return (double) gain->gain / (double) gain->bits;
}

/* Rows of a plain attribute, by its values. */
typedef struct ValueRows
{
	int64 shown; /* of values that enough rows have */
	int64 bits;  /* n log n less that of each such value */
	int64 least; /* rows of the rarest of them */
} ValueRows;

static ValueRows
count_values(const PartitionRun *run, Part part, int attribute)
{
	SortedPart sorted = part_sort(run, part, attribute);
	ValueRows values = {.bits = log_table_get(run->logs, part_rows(part)), .least = PG_INT64_MAX};
	int64 rows = 0;

	for (int64 i = 0; i < sorted.count; i++)
	{
		int32 code = sorted.row[i].code;

		interrupt_check(i);
		rows += sorted_part_rows(run, &sorted, i);
		if (i + 1 < sorted.count && sorted.row[i + 1].code == code)
			continue;
		if (code != DATASET_NULL && rows >= run->least)
		{
			values.shown += rows;
			values.bits -= log_table_get(run->logs, rows);
			values.least = Min(values.least, rows);
		}
		rows = 0;
	}
	return values;
}

/* .. of dividing a plain attribute into its values; too few other rows take the rarest along. */
static double
gain_of_values(const PartitionRun *run, Part part, int attribute)
{
	ValueRows values = count_values(run, part, attribute);
	int64 others = part_rows(part) - values.shown;

	if (others > 0 && others < run->least && values.shown > 0)
	{
		values.shown -= values.least;
		values.bits += log_table_get(run->logs, values.least);
		others += values.least;
	}
	if (values.shown == 0)
		return 0;
	return (double) values.shown *
		   (double) split_gain_cost(run, attribute, run->region->minimum[attribute],
									run->region->maximum[attribute]) /
		   (double) (values.bits - log_table_get(run->logs, others));
}

double
split_gain_beside(const PartitionRun *run, Part part, const Split *split, CodesBeside codes)
{
	int attribute = split->attribute;
	Gain gain = begin_gain(run, part, attribute);

	add_child(&gain, split->first, run->region->minimum[attribute], codes.below);
	add_child(&gain, part_rows(part) - split->first, codes.above, run->region->maximum[attribute]);
	return gain_for_bits(&gain);
}

double
split_gain_of_cut(const PartitionRun *run, Part part, const Split *split)
{
	if (run->column[split->attribute].plain)
		return gain_of_values(run, part, split->attribute);
	return split_gain_beside(run, part, split,
							 part_beside(run, part, split->attribute, split->threshold));
}

double
split_gain_of_nulls(const PartitionRun *run, Part part, const Split *split)
{
	int attribute = split->attribute;
	Gain gain = begin_gain(run, part, attribute);

	add_child(&gain, split->first, DATASET_NULL, DATASET_NULL);
	add_child(&gain, part_rows(part) - split->first, part_lowest_value(run, part, attribute),
			  run->region->maximum[attribute]);
	return gain_for_bits(&gain);
}

static void
add_label(Gain *gain, const PartLabel *label, int64 nulls)
{
	add_child(gain, label->rows + nulls, nulls > 0 ? DATASET_NULL : label->low, label->high);
}

double
split_gain_of_labels(const PartitionRun *run, Part part, const Split *split)
{
	const PartChildren *children = run->labels->examined;
	Gain gain = begin_gain(run, part, split->attribute);

	for (int32 i = 0; i < children->count; i++)
	{
		int32 code = children->code[i];

		if (!children->label[code].in_rest)
			add_label(&gain, &children->label[code],
					  code == children->null_label ? children->nulls : 0);
	}
	if (split->rest)
		add_label(&gain, &children->rest, children->null_label == PART_REST ? children->nulls : 0);
	return gain_for_bits(&gain);
}
