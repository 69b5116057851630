/*
 * rothko.h
 *		Mondrian over more rows than memory holds: Rothko-T (LeFevre, DeWitt 2007, section 2).
 *
 * The upper part of the tree is grown from counts; rows are set apart by its leaves, each on a
 * tape; a part that fits in memory is partitioned there.  One that does not is begun with again.
 * The recoding comes in pieces, in the order of the tree: the same classes, with the same
 * numbers and cells, as partition_run makes of all rows.
 *
 * Rothko-S (section 3): the upper part is grown from a sample of the rows where that tells clearly
 * enough how to divide them, and pruned when the rows are set apart; where it does not, counts
 * tell. Then classes satisfy and cannot be divided, too, but other cuts may have been chosen. They
 * depend on the rows, the memory limit and "most", and not on the order of the rows.
 */
#ifndef KANON_ROTHKO_H
#define KANON_ROTHKO_H

#include "postgres.h"

#include "rothko/coded_rows.h"
#include "rothko/growing_tree.h"
#include "rothko/partitioning_work.h"

typedef struct RothkoRequest
{
	/* Columns with the extent of the table; codes and targets of rows mean nothing.
	 * Without people. */
	const PartitionRequest *partition;
	const CodedRows *rows; /* which are closed when they have been read */
	const CodeBounds *bounds;
	CodeTapes *tapes;
	int64 most;  /* rows that may be partitioned in memory at once */
	bool sample; /* trees of larger parts are grown from samples, where these tell enough */
	PartitioningWork *work;
} RothkoRequest;

/*
 * In the current context, against the partition request's budget, of which rows in memory take
 * three quarters at most.  NULL: the rows do not satisfy, or are fewer than k.  There is no
 * group_of_row.  Nodes, if the request asks for them, are complete with the last piece.
 */
extern Recoding *rothko_run(const RothkoRequest *request);

#endif /* KANON_ROTHKO_H */
