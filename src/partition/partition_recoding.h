/*
 * partition_recoding.h
 *		A partition as a recoding: a class's cells are the region of its rows.
 */
#ifndef KANON_PARTITION_RECODING_H
#define KANON_PARTITION_RECODING_H

#include "postgres.h"

#include "data/recoding.h"
#include "partition/partition.h"

/*
 * In the current context; goes on using the partition, and the dataset as it was left by it.
 * Cells of values and NULLs that could not be told apart are the dimension's single
 * top label or RECODED_ALL.  Cells take O(rows of the class * attributes).
 */
extern Recoding *partition_recoding_create(const Partition *partition, const Dataset *dataset);

#endif /* KANON_PARTITION_RECODING_H */
