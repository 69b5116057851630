/*
 * split_infogain.h
 *		Information gain about a class label (LeFevre, DeWitt 2007, section 1.2).
 */
#ifndef KANON_SPLIT_INFOGAIN_H
#define KANON_SPLIT_INFOGAIN_H

#include "postgres.h"

#include "partition/split_measure.h"

/*
 * A measure over request->target_class, in the current context: 4 bytes a row and 16 bytes
 * a class.
 */
extern SplitMeasure *split_infogain_create(const Dataset *dataset, const PartitionRequest *request);

#endif /* KANON_SPLIT_INFOGAIN_H */
