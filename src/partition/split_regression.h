/*
 * split_regression.h
 *		The least squared error of a numeric target (LeFevre, DeWitt 2007, section 1.2).
 */
#ifndef KANON_SPLIT_REGRESSION_H
#define KANON_SPLIT_REGRESSION_H

#include "postgres.h"

#include "partition/split_measure.h"

/*
 * A measure over request->target_value for parts of up to "records" records, in the current
 * context: 4 bytes each.  Rows whose value is not finite count as rows but add no error.
 */
extern SplitMeasure *split_regression_create(const PartitionRequest *request, int64 records);

#endif /* KANON_SPLIT_REGRESSION_H */
