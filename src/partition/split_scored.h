/*
 * split_scored.h
 *		The best of all allowable splits by a measure (LeFevre, DeWitt 2007, section 1.2).
 */
#ifndef KANON_SPLIT_SCORED_H
#define KANON_SPLIT_SCORED_H

#include "postgres.h"

#include "partition/split_measure.h"

/*
 * The measure that the request asks for, in the current context, for parts of up to "records"
 * records, or "rows" rows that are only counted.
 */
extern SplitMeasure *split_scored_create(const PartitionRequest *request, int64 records,
										 int64 rows);

/*
 * Sets "split" to the best division of the part, whose region is run->region and which has at least
 * 2k rows; to split_median's if no split tells enough about the target; false if no split is
 * allowable.  O(rows) for each attribute.
 */
extern bool split_scored(SplitMeasure *measure, const PartitionRun *run, Part part, Split *split);

#endif /* KANON_SPLIT_SCORED_H */
