/*
 * split_argument.h
 *		Arguments "split" and "target" of SQL functions that partition.
 */
#ifndef KANON_SPLIT_ARGUMENT_H
#define KANON_SPLIT_ARGUMENT_H

#include "postgres.h"

#include "partition/split_name.h"

/* The criterion of that name, or ERRCODE_INVALID_PARAMETER_VALUE. */
static inline PartitionSplit
split_argument(const char *name)
{
	PartitionSplit split;

	if (!split_name_find(name, &split))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("unknown split \"%s\"", name),
				 errhint("Splits are median, infogain and regression.")));
	return split;
}

/* ERRCODE_INVALID_PARAMETER_VALUE unless there is a target where the criterion needs one only. */
static inline void
split_argument_check_target(PartitionSplit split, const char *target)
{
	if (split == SPLIT_MEDIAN && target)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("split \"median\" takes no target"),
						errhint("Splits with a target are infogain and regression.")));
	if (split != SPLIT_MEDIAN && target == NULL)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("split \"%s\" needs a target", split_name(split)),
						errhint("Name a field of the rows as target.")));
}

#endif /* KANON_SPLIT_ARGUMENT_H */
