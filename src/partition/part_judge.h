/*
 * part_judge.h
 *		Do parts and the children of a split satisfy what is demanded beyond k?
 *
 * Where nothing is demanded all is well, and nothing is looked at.
 */
#ifndef KANON_PART_JUDGE_H
#define KANON_PART_JUDGE_H

#include "postgres.h"

#include "partition/part.h"

/* The records [begin, end) as one class.  O(rows). */
extern bool part_judge_class(const PartitionRun *run, int64 begin, int64 end);

/*
 * Each child of a split of the part; a cut that is dealt is not for here, since it says
 * how many rows go left and not which.  Leaves the records where they lie.  The
 * region is that of the part.  O(rows).
 */
extern bool part_judge_split(const PartitionRun *run, Part part, const Split *split);

/* Makes the part the rest of run->judge, of which nothing is taken. */
extern void part_judge_begin(const PartitionRun *run, Part part);

/* Takes the rows of a slot of run->group. */
extern void part_judge_take_slot(const PartitionRun *run, int64 slot);

/* Takes a record of the part, given by its place in it, or all those of a slot. */
static inline void
part_judge_take(const PartitionRun *run, Part part, int64 place)
{
	if (run->group)
		part_judge_take_slot(run, place);
	else
		row_judge_take(run->judge,
					   dataset_row(run->dataset, dataset_record(run->dataset, part.begin + place)));
}

/* Do both the records taken and the rest satisfy? */
static inline bool
part_judge_both(const PartitionRun *run)
{
	return row_judge_both_hold(run->judge);
}

#endif /* KANON_PART_JUDGE_H */
