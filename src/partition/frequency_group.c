/*
 * frequency_group.c
 *		See frequency_group.h.
 *
 * Example: ages 20 .. 22 and two classes of a target; the rows (20, A), (22, B), (NULL, A), (22,
 * B):
 *
 *		slot   0: NULL   1: 20   2: 21   3: 22
 *		rows   1         1       0       2
 *		side   1 0       1 0     0 0     0 2
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
count_slots(const CodeBounds *bounds, int attributes, AttributeSet codes)
{
	int64 slots = 0;

	for (int i = 0; i < attributes; i++)
		slots += (codes >> i) & 1 ? slots_of(&bounds[i]) : 0;
	return slots;
}

Size
frequency_group_bytes(const CodeBounds *bounds, int attributes, AttributeSet codes,
					  const int32 *side_values, int sides)
{
	int64 numbers = 1;

	for (int i = 0; i < sides; i++)
		numbers += side_values[i];
	return mul_size(mul_size(sizeof(int32), numbers), count_slots(bounds, attributes, codes));
}

FrequencyGroup *
frequency_group_create(const CodeBounds *bounds, int attributes, AttributeSet codes,
					   const int32 *side_values, int sides, const Budget *budget)
{
	FrequencyGroup *group = palloc0(sizeof(FrequencyGroup));
	int64 slots = count_slots(bounds, attributes, codes);

	group->attributes = attributes;
	group->codes = codes;
	group->bounds = palloc(sizeof(CodeBounds) * attributes);
	memcpy(group->bounds, bounds, sizeof(CodeBounds) * attributes);
	group->nulls = palloc0(sizeof(int64) * attributes);
	group->lowest = palloc(sizeof(uint32) * attributes);
	memset(group->lowest, 0xFF, sizeof(uint32) * attributes);
	group->highest = palloc(sizeof(int32) * attributes);
	memset(group->highest, 0xFF, sizeof(int32) * attributes);
	group->first_slot = palloc0(sizeof(int64) * (attributes + 1));
	for (int i = 0; i < attributes; i++)
		group->first_slot[i + 1] =
			group->first_slot[i] + ((codes >> i) & 1 ? slots_of(&bounds[i]) : 0);
	group->rows = budget_allocate(budget, slots, sizeof(int32), PURPOSE);
	group->sides = sides;
	group->side = palloc0(sizeof(FrequencySide) * Max(sides, 1));
	for (int i = 0; i < sides; i++)
		group->side[i] =
			(FrequencySide){.values = side_values[i],
							.rows = budget_allocate(budget, mul_size(slots, side_values[i]),
													sizeof(int32), PURPOSE)};
	return group;
}

static inline int64
slot_of(const FrequencyGroup *group, int attribute, int32 code)
{
	return group->first_slot[attribute] +
		   (code == DATASET_NULL ? 0 : (int64) code - group->bounds[attribute].minimum + 1);
}

void
frequency_group_add(FrequencyGroup *group, const int32 *code, const int32 *side)
{
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
	}
	group->counted++;
}

void
frequency_group_free(FrequencyGroup *group)
{
	for (int i = 0; i < group->sides; i++)
		pfree(group->side[i].rows);
	pfree(group->side);
	pfree(group->rows);
	pfree(group->first_slot);
	pfree(group->highest);
	pfree(group->lowest);
	pfree(group->nulls);
	pfree(group->bounds);
	pfree(group);
}
