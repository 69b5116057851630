/*
 * part_choose.h
 *		Chooses how to divide a part, by the request's criterion: at the median (split_median.h), or
 *		by the best of all allowable splits for a target (split_measure.h).
 */
#ifndef KANON_PART_CHOOSE_H
#define KANON_PART_CHOOSE_H

#include "postgres.h"

#include "partition/part.h"
#include "partition/split_measure.h"

/* The most children that any division can have. */
extern int32 part_most_children(const PartitionRequest *request, int attributes);

/*
 * The state of a run over the dataset, in the current context, against the request's budget.
 * "children": at most.  Columns are those of region_columns.
 */
extern PartitionRun *part_run_create(Dataset *dataset, const PartitionRequest *request,
									 const RecodingColumn *column, int32 children);

/*
 * Sets "split" to the division of the part; false if no split is allowable.  Sets run->region to
 * that of the part if it has at least 2k rows. measure: NULL with SPLIT_MEDIAN.
 */
extern bool part_choose(const PartitionRun *run, SplitMeasure *measure, Part part, Split *split);

#endif /* KANON_PART_CHOOSE_H */
