/*
 * part_judge.h
 *		Do parts and the children of a split satisfy the demand beyond k?
 *
 * Without such a demand the answer is always yes, at no cost.
 */
#ifndef KANON_PART_JUDGE_H
#define KANON_PART_JUDGE_H

#include "postgres.h"

#include "partition/part.h"

/* Judges the records [begin, end) as one class.  O(rows). */
extern bool part_judge_class(const PartitionRun *run, int64 begin, int64 end);

/*
 * Judges each child of a split; does not move records.  The region is that of the part.  Not for a
 * cut that is dealt, which does not say which rows go to which side.  O(rows).
 */
extern bool part_judge_split(const PartitionRun *run, Part part, const Split *split);

/* Puts the part into the rest of run->judge, with nothing taken. */
extern void part_judge_begin(const PartitionRun *run, Part part);

/* Takes the rows of one slot of run->group. */
extern void part_judge_take_slot(const PartitionRun *run, int64 slot);

/* Takes the record at a place of the part, or all rows of a slot. */
static inline void
part_judge_take(const PartitionRun *run, Part part, int64 place)
{
	if (run->group)
		part_judge_take_slot(run, place);
	else
		row_judge_take(run->judge,
					   dataset_row(run->dataset, dataset_record(run->dataset, part.begin + place)));
}

/* Do both the rows taken and the rest satisfy? */
static inline bool
part_judge_both(const PartitionRun *run)
{
	return row_judge_both_hold(run->judge);
}

#endif /* KANON_PART_JUDGE_H */
