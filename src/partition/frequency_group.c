/*
 * frequency_group.c
 *		See frequency_group.h.
 *
 * Example: ages 20 .. 22 and two classes of a target; the rows (20, A), (22, B), (NULL, A), (22,
 * B):
 *
 * slot   0: NULL   1: 20   2: 21   3: 22
 * rows   1         1       0       2
 * side   1 0       1 0     0 0     0 2
 */
#include "postgres.h"

#include "partition/frequency_group.h"

#include "port/pg_bitutils.h"

#define PURPOSE "frequency group"

static int64
slots_of(const CodeBounds *bounds)
{
	return bounds->maximum < bounds->minimum
			   ? 1
			   : (int64) bounds->maximum - (int64) bounds->minimum + 2;
}

static int64
slots_of_attribute(const FrequencyRequest *request, int attribute)
{
	return (request->codes >> attribute) & 1 ? slots_of(&request->bounds[attribute]) : 0;
}

static int64
count_slots(const FrequencyRequest *request)
{
	int64 slots = 0;

	for (int i = 0; i < request->attributes; i++)
		slots += slots_of_attribute(request, i);
	return slots;
}

Size
frequency_group_bytes(const FrequencyRequest *request)
{
	int64 numbers = 1;

	for (int i = 0; i < request->sides; i++)
		numbers += request->side_values[i];
	return mul_size(sizeof(int32) * numbers + (request->target ? sizeof(SlotValues) : 0),
					count_slots(request));
}

FrequencyGroup *
frequency_group_create(const FrequencyRequest *request, const Budget *budget)
{
	FrequencyGroup *group = palloc0(sizeof(FrequencyGroup));
	int attributes = request->attributes;
	int64 slots = count_slots(request);

	group->attributes = attributes;
	group->codes = request->codes;
	group->bounds = palloc(sizeof(CodeBounds) * attributes);
	memcpy(group->bounds, request->bounds, sizeof(CodeBounds) * attributes);
	group->nulls = palloc0(sizeof(int64) * attributes);
	group->lowest = palloc(sizeof(uint32) * attributes);
	memset(group->lowest, 0xFF, sizeof(uint32) * attributes);
	group->highest = palloc(sizeof(int32) * attributes);
	memset(group->highest, 0xFF, sizeof(int32) * attributes);
	group->first_slot = palloc0(sizeof(int64) * (attributes + 1));
	for (int i = 0; i < attributes; i++)
		group->first_slot[i + 1] = group->first_slot[i] + slots_of_attribute(request, i);
	group->rows = budget_allocate(budget, slots, sizeof(int32), PURPOSE);
	group->sides = request->sides;
	group->side = palloc0(sizeof(FrequencySide) * Max(group->sides, 1));
	for (int i = 0; i < group->sides; i++)
	{
		int32 values = request->side_values[i];

		group->side[i] = (FrequencySide){
			.values = values,
			.rows = budget_allocate(budget, mul_size(slots, values), sizeof(int32), PURPOSE)};
	}
	if (request->target)
		group->target =
			(FrequencyTarget){.range = *request->target,
							  .value = budget_allocate(budget, slots, sizeof(SlotValues), PURPOSE)};
	return group;
}

static inline int64
slot_of(const FrequencyGroup *group, int attribute, int32 code)
{
	return group->first_slot[attribute] +
		   (code == DATASET_NULL ? 0 : (int64) code - group->bounds[attribute].minimum + 1);
}

static inline void
add_value(SlotValues *values, double value, int32 on_grid)
{
	value_range_add(&values->range, value);
	values->sum += on_grid == VALUE_NOT_KNOWN ? 0 : on_grid;
}

void
frequency_group_add(FrequencyGroup *group, const int32 *code, const int32 *side, double target)
{
	int32 on_grid = group->target.value ? value_grid_place(&group->target.range, target) : 0;

	for (int i = 0; i < group->attributes; i++)
	{
		group->nulls[i] += code[i] == DATASET_NULL;
		group->lowest[i] = Min(group->lowest[i], (uint32) code[i]);
		group->highest[i] = Max(group->highest[i], code[i]);
	}
	for (AttributeSet left = group->codes; left != 0; left &= left - 1)
	{
		int attribute = pg_rightmost_one_pos64(left);
		int64 slot = slot_of(group, attribute, code[attribute]);

		group->rows[slot]++;
		for (int s = 0; s < group->sides; s++)
			group->side[s].rows[slot * group->side[s].values + side[s]]++;
		if (group->target.value)
			add_value(&group->target.value[slot], target, on_grid);
	}
	if (group->target.value)
		value_sums_add(&group->target.all, on_grid);
	group->counted++;
}

void
frequency_group_free(FrequencyGroup *group)
{
	for (int i = 0; i < group->sides; i++)
		pfree(group->side[i].rows);
	pfree(group->side);
	if (group->target.value)
		pfree(group->target.value);
	pfree(group->rows);
	pfree(group->first_slot);
	pfree(group->highest);
	pfree(group->lowest);
	pfree(group->nulls);
	pfree(group->bounds);
	pfree(group);
}

/* ---- values on a grid */

int32
value_sums_mean(const ValueSums *sums)
{
	return sums->rows == 0 ? 0 : (int32) (sums->sum / sums->rows);
}

/* sum (v - m)^2 = sum v^2 - 2 m sum v + rows m^2; cancellation is harmless, see frequency_group.h.
 */
double
value_sums_squares(const ValueSums *sums)
{
	double mean = value_sums_mean(sums);

	return ldexp((double) sums->high, 32) + (double) sums->low -
		   mean * (2 * (double) sums->sum - (double) sums->rows * mean);
}
