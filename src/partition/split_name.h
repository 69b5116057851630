/*
 * split_name.h
 *		Names of split criteria.
 */
#ifndef KANON_SPLIT_NAME_H
#define KANON_SPLIT_NAME_H

#include "postgres.h"

#include "partition/partition.h"

extern const char *split_name(PartitionSplit split);

/* The criterion of that name; false if there is none. */
extern bool split_name_find(const char *name, PartitionSplit *split);

#endif /* KANON_SPLIT_NAME_H */
