/*
 * rothko.h
 *		Mondrian over more rows than memory holds: Rothko-T (LeFevre, DeWitt 2007, section 2).
 *
 * The upper part of the tree is grown from counts.  Rows are spread over tapes by its leaves.  A
 * part that fits in memory is partitioned there; for one that does not, this starts over.  The
 * recoding comes in pieces, in tree order.  It has the same classes, numbers and cells as
 * partition_run over all rows.  A caller may recode the parts at which the division stops in its
 * own way.
 *
 * Rothko-S (section 3): the upper part is grown from a sample of the rows if that shows clearly
 * enough how to divide them, and is pruned while the rows are spread; otherwise it is grown from
 * counts.  Classes then still satisfy and cannot be divided, but other cuts may have been chosen.
 * They depend on the rows, the memory limit and "most", but not on the order of the rows.
 */
#ifndef KANON_ROTHKO_H
#define KANON_ROTHKO_H

#include "postgres.h"

#include "rothko/coded_rows.h"
#include "rothko/growing_tree.h"

/* Statistics of the session's last partitioning: the row of kanon_last_partitioning. */
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

typedef struct RothkoRequest
{
	/*
	 * Columns have the extent of the table; codes and targets by row are unused.  Not for people.
	 */
	const PartitionRequest *partition;
	const CodedRows *rows; /* closed once they have been read */
	const CodeBounds *bounds;
	CodeTapes *tapes;
	int64 most; /* rows that may be partitioned in memory at once */
	/*
	 * Recodes rows in memory instead of partition_run: those of parts that are not divided further,
	 * or of several at once, in their order.  It gets the state and needs so many bytes beyond
	 * those of partition_run.  Not with nodes or samples.
	 */
	Recoding *(*recode)(Dataset *rows, const PartitionRequest *request, void *state);
	void *state;
	Size bytes;
	bool sample; /* grow trees of larger parts from samples if these show enough */
	PartitioningWork *work;
} RothkoRequest;

/*
 * In the current context, against the partition request's budget; rows in memory take at most three
 * quarters of it.  Returns NULL if the rows do not satisfy or are fewer than k.  There is no
 * group_of_row.  Nodes, if requested, are complete with the last piece.  Cost: about one scan for
 * each round of counts, and a write and a read of the rows for each tree that they pass through.
 */
extern Recoding *rothko_run(const RothkoRequest *request);

#endif /* KANON_ROTHKO_H */
