/*
 * split_name.c
 *		See split_name.h.
 */
#include "postgres.h"

#include "partition/split_name.h"

static const char *const names[] = {
	[SPLIT_MEDIAN] = "median",
	[SPLIT_INFOGAIN] = "infogain",
	[SPLIT_REGRESSION] = "regression",
};

const char *
split_name(PartitionSplit split)
{
	return names[split];
}

bool
split_name_find(const char *name, PartitionSplit *split)
{
	for (int i = 0; i < (int) lengthof(names); i++)
		if (strcmp(name, names[i]) == 0)
		{
			*split = (PartitionSplit) i;
			return true;
		}
	return false;
}
