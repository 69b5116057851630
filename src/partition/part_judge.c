/*
 * part_judge.c
 *		See part_judge.h.
 */
#include "postgres.h"

#include "partition/part_judge.h"

#include "base/interrupt.h"
#include "port/pg_bitutils.h"

static inline void
add_record(const PartitionRun *run, const int32 *record)
{
	row_judge_add(run->judge, dataset_row(run->dataset, record));
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

void
part_judge_take_slot(const PartitionRun *run, int64 slot)
{
	judge_slot(run, slot, row_judge_take_rows);
}

/* Adds the slots of an attribute above the threshold, or those at or below it. */
static void
add_slots(const PartitionRun *run, int attribute, int32 threshold, bool above)
{
	const FrequencyGroup *group = run->group;

	for (int64 slot = group->first_slot[attribute]; slot < group->first_slot[attribute + 1]; slot++)
	{
		interrupt_check(slot);
		if (group->rows[slot] > 0 &&
			(frequency_group_code(group, attribute, slot) > threshold) == above)
			judge_slot(run, slot, row_judge_add_rows);
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
		run->request->test->children = 2;
	row_judge_begin(run->judge);
	if (run->group)
		add_slots(run, pg_rightmost_one_pos64(run->group->codes), PG_INT32_MAX, false);
	for (int64 at = part.begin; !run->group && at < part.end; at++)
	{
		interrupt_check(at);
		add_record(run, dataset_record(run->dataset, at));
	}
	row_judge_end(run->judge);
}

bool
part_judge_class(const PartitionRun *run, int64 begin, int64 end)
{
	if (run->judge == NULL)
		return true;
	part_judge_begin(run, (Part){begin, end});
	return row_judge_holds(run->judge, GROUP_REST);
}

/* Judges the records of one side of a cut or of NULL. */
static bool
side_satisfies(const PartitionRun *run, Part part, const Split *split, bool second)
{
	row_judge_begin(run->judge);
	if (run->group)
		add_slots(run, split->attribute, split->threshold, second);
	for (int64 at = part.begin; !run->group && at < part.end; at++)
	{
		const int32 *record = dataset_record(run->dataset, at);

		interrupt_check(at);
		if ((record[split->attribute] > split->threshold) == second)
			add_record(run, record);
	}
	return rest_satisfies(run);
}

/* Adds the sorted entries [begin, end). */
static void
add_sorted(const PartitionRun *run, Part part, const SortedPart *sorted, int64 begin, int64 end)
{
	for (int64 i = begin; i < end; i++)
	{
		interrupt_check(i);
		if (run->group)
			judge_slot(run, sorted->row[i].place, row_judge_add_rows);
		else
			add_record(run, dataset_record(run->dataset, part.begin + sorted->row[i].place));
	}
}

static bool
children_satisfy(const PartitionRun *run, Part part, const Split *split)
{
	const int32 *ancestor = run->column[split->attribute].dimension->ancestor[split->level];
	SortedPart sorted = part_sort(run, part, split->attribute);
	const SortedRow *row = sorted.row;
	int64 nulls = 0;
	int64 begin;

	while (row[nulls].code == DATASET_NULL)
		nulls++;
	begin = nulls;
	for (int child = 0; child < split->children; child++)
	{
		int64 end = begin;

		/* A child's rows are those with the label of its first row. */
		while (end < sorted.count && ancestor[row[end].code] == ancestor[row[begin].code])
			end++;
		row_judge_begin(run->judge);
		add_sorted(run, part, &sorted, 0, child == split->null_child ? nulls : 0);
		add_sorted(run, part, &sorted, begin, end);
		if (!rest_satisfies(run))
			return false;
		begin = end;
	}
	return true;
}

bool
part_judge_split(const PartitionRun *run, Part part, const Split *split)
{
	Assert(!split->dealt);
	if (run->judge == NULL)
		return true;
	if (run->request->test)
		run->request->test->children = split->children;
	if (split->kind == PARTITION_SPECIALIZE)
		return children_satisfy(run, part, split);
	return side_satisfies(run, part, split, false) && side_satisfies(run, part, split, true);
}
