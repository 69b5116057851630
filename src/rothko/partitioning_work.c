/*
 * partitioning_work.c
 *		See partitioning_work.h.
 */
#include "postgres.h"

#include "rothko/partitioning_work.h"

static PartitioningWork last_partitioning;

PartitioningWork *
partitioning_work_begin(void)
{
	last_partitioning = (PartitioningWork){0};
	return &last_partitioning;
}

const PartitioningWork *
partitioning_work_last(void)
{
	return &last_partitioning;
}
