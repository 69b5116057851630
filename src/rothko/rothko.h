/*
 * rothko.h
 *		Mondrian over more rows than memory holds: Rothko-T (LeFevre, DeWitt 2007, section 2).
 *
 * The upper part of the tree is grown from counts.  Rows are spread over tapes by its leaves.  A
 * part that fits in memory is partitioned there; for one that does not, this starts over.  The
 * recoding comes in pieces, in tree order.  It has the same classes, numbers and cells as
 * partition_run over all rows.
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
#include "rothko/partitioning_work.h"

typedef struct RothkoRequest
{
	/*
	 * Columns have the extent of the table; codes and targets by row are unused.  Not for people.
	 */
	const PartitionRequest *partition;
	const CodedRows *rows; /* closed once they have been read */
	const CodeBounds *bounds;
	CodeTapes *tapes;
	int64 most;  /* rows that may be partitioned in memory at once */
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
