/*
 * partitioning_work.h
 *		What the last partitioning of this session did: the rows of kanon_last_partitioning.
 */
#ifndef KANON_PARTITIONING_WORK_H
#define KANON_PARTITIONING_WORK_H

#include "postgres.h"

#include "data/code_tape.h"

typedef struct PartitioningWork
{
	const char *way; /* kanon.partitioning: "memory", "tree" or "sample" */
	int64 rows;
	int64 classes; /* so far, as is all else */
	int64 counted; /* tapes that were read to count their rows */
	int64 spread;  /* .. to set these apart */
	int64 nodes;   /* grown from counts or samples */
	int64 pruned;  /* .. and pruned */
	int64 loaded;  /* parts that were partitioned in memory */
	TapeTraffic traffic;
} PartitioningWork;

/* Forgets what was before, and is filled in. */
extern PartitioningWork *partitioning_work_begin(void);

/* No rows: there was none. */
extern const PartitioningWork *partitioning_work_last(void);

#endif /* KANON_PARTITIONING_WORK_H */
