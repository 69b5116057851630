/*
 * split_name.h
 *		The names of split criteria.
 */
#ifndef KANON_SPLIT_NAME_H
#define KANON_SPLIT_NAME_H

#include "postgres.h"

#include "partition/partition.h"

/* All of them, by PartitionSplit; NULL at the end. */
extern const char *const split_names[];

extern const char *split_name(PartitionSplit split);

/* Finds the criterion with that name; false if there is none. */
extern bool split_name_find(const char *name, PartitionSplit *split);

/* The same; ERRCODE_INVALID_PARAMETER_VALUE if there is none. */
extern PartitionSplit split_name_require(const char *name);

/*
 * Raises ERRCODE_INVALID_PARAMETER_VALUE unless a target is given exactly if the criterion needs
 * one.
 */
extern void split_name_check_target(PartitionSplit split, const char *target);

#endif /* KANON_SPLIT_NAME_H */
