/*
 * partitioning_work.h
 *		Statistics of the session's last partitioning: the rows of kanon_last_partitioning.
 */
#ifndef KANON_PARTITIONING_WORK_H
#define KANON_PARTITIONING_WORK_H

#include "postgres.h"

#include "data/code_tape.h"

typedef struct PartitioningWork
{
	const char *way; /* kanon.partitioning: "memory", "tree" or "sample" */
	int64 rows;
	int64 classes; /* so far, like all counts here */
	int64 counted; /* tapes read to count their rows */
	int64 spread;  /* .. or to spread them over other tapes */
	int64 nodes;   /* grown from counts or samples */
	int64 pruned;  /* .. of these, removed by pruning */
	int64 loaded;  /* parts partitioned in memory */
	TapeTraffic traffic;
} PartitioningWork;

/* Resets the statistics and returns them to be filled in. */
extern PartitioningWork *partitioning_work_begin(void);

/* The statistics; no rows: nothing was partitioned. */
extern const PartitioningWork *partitioning_work_last(void);

#endif /* KANON_PARTITIONING_WORK_H */
