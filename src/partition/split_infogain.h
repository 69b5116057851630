/*
 * split_infogain.h
 *		Information gain about a class label (LeFevre, DeWitt 2007, section 1.2).
 */
#ifndef KANON_SPLIT_INFOGAIN_H
#define KANON_SPLIT_INFOGAIN_H

#include "postgres.h"

#include "partition/split_measure.h"

/*
 * A measure over request->target_class for parts of up to "records" records, or "rows" rows that
 * are only counted, in the current context: 4 bytes a record and 12 bytes a class.
 */
extern SplitMeasure *split_infogain_create(const PartitionRequest *request, int64 records,
										   int64 rows);

#endif /* KANON_SPLIT_INFOGAIN_H */
