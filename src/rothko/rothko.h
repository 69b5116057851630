/*
 * rothko.h
 *		Mondrian over more rows than memory holds: Rothko-T (LeFevre, DeWitt 2007, section 2).
 *
 * The upper part of the tree is grown from counts; rows are set apart by its leaves, each on a
 * tape; a part that fits in memory is partitioned there.  One that does not is begun with again.
 * Classes come out piece by piece, in the order of the tree: the same classes, with the same
 * numbers, as partition_run makes of all rows.
 */
#ifndef KANON_ROTHKO_H
#define KANON_ROTHKO_H

#include "postgres.h"

#include "data/row_classes.h"
#include "rothko/coded_rows.h"
#include "rothko/growing_tree.h"

typedef struct RothkoRequest
{
	/* Columns with the extent of the table; codes and targets of rows mean nothing.  Strict. */
	const PartitionRequest *partition;
	const CodedRows *rows; /* which are closed when they have been read */
	const CodeBounds *bounds;
	CodeTapes *tapes;
	int64 most; /* rows that may be partitioned in memory at once */
} RothkoRequest;

/* What a run did so far. */
typedef struct RothkoWork
{
	int64 scans;  /* of a tape to count */
	int64 spread; /* .. to set its rows apart */
	int64 nodes;  /* grown from counts */
	int64 loaded; /* parts that were partitioned in memory */
} RothkoWork;

/* Classes that follow each other. */
typedef struct RothkoPiece
{
	int32 before;      /* classes before them */
	int64 rows_before; /* rows in these */
	/* Some, of rows in memory. */
	LoadedRows *loaded; /* records in the order of the classes; NULL: one class */
	Recoding *recoding; /* of them */
	/* One of more rows than that, which nothing divides. */
	const CodedRows *rows;
	const GrowingNode *node; /* its region, and how many */
} RothkoPiece;

typedef struct Rothko Rothko;

/*
 * In the current context, against the partition request's budget: two thirds of it for rows in
 * memory. Nodes, if the request asks for them, are complete at the end.
 */
extern Rothko *rothko_create(const RothkoRequest *request);

/* The next piece, good until the next call; false at the end: no piece at all means no classes. */
extern bool rothko_next(Rothko *rothko, RothkoPiece *piece);

/* Puts down the class of each row of a piece. */
extern void rothko_classes(const RothkoPiece *piece, RowClasses *classes);

extern const RothkoWork *rothko_work(const Rothko *rothko);

#endif /* KANON_ROTHKO_H */
