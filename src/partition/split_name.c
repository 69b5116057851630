/*
 * split_name.c
 *		See split_name.h.
 */
#include "postgres.h"

#include "partition/split_name.h"

const char *const split_names[] = {
	[SPLIT_MEDIAN] = "median",
	[SPLIT_INFOGAIN] = "infogain",
	[SPLIT_REGRESSION] = "regression",
	NULL,
};

const char *
split_name(PartitionSplit split)
{
	return split_names[split];
}

bool
split_name_find(const char *name, PartitionSplit *split)
{
	for (int i = 0; split_names[i]; i++)
		if (strcmp(name, split_names[i]) == 0)
		{
			*split = (PartitionSplit) i;
			return true;
		}
	return false;
}

PartitionSplit
split_name_require(const char *name)
{
	PartitionSplit split;

	if (!split_name_find(name, &split))
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("unrecognized split \"%s\"", name),
						errhint("Splits are median, infogain and regression.")));
	return split;
}

void
split_name_check_target(PartitionSplit split, const char *target)
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
