/*
 * part_judge.c
 *		See part.h.
 */
#include "postgres.h"

#include "partition/part.h"

#include "base/interrupt.h"
#include "port/pg_bitutils.h"

static int
add_sides(int32 *values, int *column, int sides, int of_column, int32 count, int times)
{
	for (; times > 0; times--)
	{
		values[sides] = count;
		column[sides++] = of_column;
	}
	return sides;
}

int
part_list_sides(const PartitionRequest *request, int32 *values, int *column)
{
	const RowModels *models = request->models;
	int times = models && models->people ? 2 : 1;
	int sides = 0;

	if (request->split == SPLIT_INFOGAIN)
		sides = add_sides(values, column, sides, -1, request->target_classes, 1);
	if (times > 1)
		sides = add_sides(values, column, sides, -1, 1, times);
	for (int i = 0; models && i < models->demand.columns; i++)
		sides = add_sides(values, column, sides, i, models->demand.domain[i]->codes, times);
	return sides;
}

/* Calls a function of the judge for each sensitive value of a slot, with its rows. */
static void
judge_slot(const PartitionRun *run, int64 slot,
		   void (*judge)(RowJudge *judge, int column, int32 code, int32 rows))
{
	const FrequencyGroup *group = run->group;
	int columns = run->request->models->demand.columns;

	for (int column = 0; column < columns; column++)
	{
		const FrequencySide *side = &group->side[group->sides - columns + column];
		const int32 *rows = side->rows + slot * side->values;

		for (int32 code = 0; code < side->values; code++)
		{
			interrupt_check(code);
			if (rows[code] > 0)
				judge(run->judge, column, code, rows[code]);
		}
	}
}

/* Likewise with people: how many have the lowest and the highest of their rows in the slot. */
static void
judge_people(const PartitionRun *run, int64 slot,
			 void (*judge)(RowJudge *judge, int32 lowest, int32 highest),
			 void (*judge_members)(RowJudge *judge, int column, int32 code, int32 lowest,
								   int32 highest))
{
	const FrequencySide *side = run->group->side;
	int columns = run->request->models->demand.columns;

	judge(run->judge, side[0].rows[slot], side[1].rows[slot]);
	for (int column = 0; column < columns; column++)
	{
		const FrequencySide *lowest = &side[2 + 2 * column];
		int64 first = slot * lowest->values;

		for (int32 code = 0; code < lowest->values; code++)
		{
			interrupt_check(code);
			if (lowest->rows[first + code] > 0 || lowest[1].rows[first + code] > 0)
				judge_members(run->judge, column, code, lowest->rows[first + code],
							  lowest[1].rows[first + code]);
		}
	}
}

void
part_judge_take_slot(const PartitionRun *run, int64 slot)
{
	if (run->request->models->people)
		judge_people(run, slot, row_judge_take_people, row_judge_take_members);
	else
		judge_slot(run, slot, row_judge_take_rows);
}

void
part_judge_add(const PartitionRun *run, Part part, int64 place)
{
	if (run->group && run->request->models->people)
		judge_people(run, place, row_judge_add_people, row_judge_add_members);
	else if (run->group)
		judge_slot(run, place, row_judge_add_rows);
	else
		row_judge_add(run->judge,
					  dataset_row(run->dataset, dataset_record(run->dataset, part.begin + place)));
}

/* Adds the rows with a code of the attribute above the threshold, or those at or below it. */
static void
add_side(const PartitionRun *run, Part part, int attribute, int32 threshold, bool above)
{
	Part places = part_places(run, part, attribute);

	for (int64 place = places.begin; place < places.end; place++)
	{
		interrupt_check(place);
		if (part_rows_at(run, place) > 0 &&
			(part_code_at(run, part, attribute, place) > threshold) == above)
			part_judge_add(run, part, place);
	}
}

static bool
rest_satisfies(const PartitionRun *run)
{
	row_judge_end(run->judge);
	return row_judge_holds(run->judge, GROUP_REST);
}

void
part_judge_begin(const PartitionRun *run, Part part)
{
	if (run->request->test)
		sample_test_split(run->request->test, 2);
	row_judge_begin(run->judge);
	add_side(run, part, run->group ? pg_rightmost_one_pos64(run->group->codes) : 0, PG_INT32_MAX,
			 false);
	row_judge_end(run->judge);
}

bool
part_judge_class(const PartitionRun *run, Part part)
{
	if (run->judge == NULL)
		return true;
	part_judge_begin(run, part);
	return row_judge_holds(run->judge, GROUP_REST);
}

/* Judges one side of a cut or of NULL. */
static bool
side_satisfies(const PartitionRun *run, Part part, const Split *split, bool second)
{
	row_judge_begin(run->judge);
	add_side(run, part, split->attribute, split->threshold, second);
	return rest_satisfies(run);
}

int64
part_child_end(const SortedPart *sorted, int64 begin, const int32 *ancestor)
{
	const SortedRow *row = sorted->row;
	int64 end = begin;

	while (end < sorted->count &&
		   (row[begin].code == DATASET_NULL ? row[end].code == DATASET_NULL
											: ancestor[row[end].code] == ancestor[row[begin].code]))
		end++;
	return end;
}

bool
part_judge_split(const PartitionRun *run, Part part, const Split *split)
{
	Assert(!split->dealt);
	if (run->judge == NULL)
		return true;
	if (run->request->test)
		sample_test_split(run->request->test, 2);
	return side_satisfies(run, part, split, false) && side_satisfies(run, part, split, true);
}
