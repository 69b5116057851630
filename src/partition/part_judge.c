/*
 * part_judge.c
 *		See part_judge.h.
 */
#include "postgres.h"

#include "partition/part_judge.h"

#include "base/interrupt.h"

static inline void
add_record(const PartitionRun *run, const int32 *record)
{
	row_judge_add(run->judge, dataset_row(run->dataset, record));
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
	row_judge_begin(run->judge);
	for (int64 at = part.begin; at < part.end; at++)
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

/* The records of one side of a cut or of NULL. */
static bool
side_satisfies(const PartitionRun *run, Part part, const Split *split, bool second)
{
	row_judge_begin(run->judge);
	for (int64 at = part.begin; at < part.end; at++)
	{
		const int32 *record = dataset_record(run->dataset, at);

		interrupt_check(at);
		if ((record[split->attribute] > split->threshold) == second)
			add_record(run, record);
	}
	return rest_satisfies(run);
}

/* The records of sorted rows [begin, end), and the first "nulls" of all with them. */
static bool
child_satisfies(const PartitionRun *run, Part part, const SortedRow *row, int64 begin, int64 end,
				int64 nulls)
{
	row_judge_begin(run->judge);
	for (int64 i = 0; i < nulls; i++)
	{
		interrupt_check(i);
		add_record(run, dataset_record(run->dataset, part.begin + row[i].place));
	}
	for (int64 i = begin; i < end; i++)
	{
		interrupt_check(i);
		add_record(run, dataset_record(run->dataset, part.begin + row[i].place));
	}
	return rest_satisfies(run);
}

static bool
children_satisfy(const PartitionRun *run, Part part, const Split *split)
{
	const int32 *ancestor = run->column[split->attribute].dimension->ancestor[split->level];
	const SortedRow *row = part_sort(run, part, split->attribute);
	int64 nulls = 0;
	int64 begin;

	while (row[nulls].code == DATASET_NULL)
		nulls++;
	begin = nulls;
	for (int child = 0; child < split->children; child++)
	{
		int64 end = begin;

		/* A child's rows are those under the label of its first one. */
		while (end < part_rows(part) && ancestor[row[end].code] == ancestor[row[begin].code])
			end++;
		if (!child_satisfies(run, part, row, begin, end, child == split->null_child ? nulls : 0))
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
	if (split->kind == PARTITION_SPECIALIZE)
		return children_satisfy(run, part, split);
	return side_satisfies(run, part, split, false) && side_satisfies(run, part, split, true);
}
