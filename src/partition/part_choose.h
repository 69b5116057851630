/*
 * part_choose.h
 *		How a part is divided, by whatever the request asks for.
 */
#ifndef KANON_PART_CHOOSE_H
#define KANON_PART_CHOOSE_H

#include "postgres.h"

#include "partition/part.h"
#include "partition/split_measure.h"

/* The most children that a division of a part can have. */
extern int32 part_most_children(const PartitionRequest *request, int attributes);

/*
 * What a run over the dataset works with, in the current context, against the request's budget;
 * "children" at most.  Columns are those of region_columns.
 */
extern PartitionRun *part_run_create(Dataset *dataset, const PartitionRequest *request,
									 const RecodingColumn *column, int32 children);

/*
 * Fills "split" with how to divide the part; false if no allowable split is left.  Makes
 * run->region that of the part if it has 2k rows.  measure: NULL with SPLIT_MEDIAN.
 */
extern bool part_choose(const PartitionRun *run, SplitMeasure *measure, Part part, Split *split);

#endif /* KANON_PART_CHOOSE_H */
