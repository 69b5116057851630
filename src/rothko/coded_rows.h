/*
 * coded_rows.h
 *		Rows as tuples of codes on a tape, which can be read repeatedly: the input of Mondrian for
 *		rows that do not fit in memory.  They are loaded, sorted, dealt to two sides and sampled.
 *
 * The sides of a tuple (data/dataset.h) are what splits and models need: the target's class for
 * information gain, if any, then the sensitive codes; its target is the value for regression.
 */
#ifndef KANON_CODED_ROWS_H
#define KANON_CODED_ROWS_H

#include "postgres.h"

#include "partition/part.h"

typedef struct CodedRows
{
	const RowLayout *layout;
	CodeTape *tape;
	const int32 **final_code; /* [place in a tuple], as in a dataset; NULL: codes are final */
} CodedRows;

/* Parts of a tuple. */
static inline int32
coded_rows_number(const RowLayout *layout, const int32 *tuple)
{
	return tuple[layout->attributes];
}

static inline const int32 *
coded_rows_sides(const RowLayout *layout, const int32 *tuple)
{
	return tuple + layout->attributes + 1;
}

static inline double
coded_rows_target(const RowLayout *layout, const int32 *tuple)
{
	double value;

	memcpy(&value, tuple + layout->width - layout->target, sizeof(value));
	return value;
}

/* Reads tuples with final codes, a chunk at a time. */
#define CODED_ROWS_CHUNK 128

typedef struct CodedScan
{
	const CodedRows *rows;
	int32 *tuple; /* [CODED_ROWS_CHUNK * width]: the chunk */
	int64 count;  /* of its tuples, .. */
	int64 next;   /* .. and the first that was not taken */
} CodedScan;

/* Starts a scan at the first row; in the current context. */
extern CodedScan coded_scan_begin(const CodedRows *rows);

/* The number of tuples in the next chunk; 0 at the end, which ends the scan. */
extern int64 coded_scan_chunk(CodedScan *scan);

/* The next tuple, valid until the next call; NULL at the end, which ends the scan. */
static inline const int32 *
coded_scan_next(CodedScan *scan)
{
	if (scan->next == scan->count && coded_scan_chunk(scan) == 0)
		return NULL;
	return scan->tuple + scan->next++ * scan->rows->layout->width;
}

/*
 * Rows of a tape in memory, numbered from 0 in the order of the tape; the last side of each is its
 * original number.
 */
typedef struct LoadedRows
{
	Dataset *dataset;
	PartitionRequest request; /* the given request, adapted to these rows */
	RowModels models;
} LoadedRows;

/* The bytes that rows take in memory until they are divided. */
extern Size loaded_rows_bytes(const RowLayout *layout, const PartitionRequest *request, int64 rows);

/* No rows yet, with room for "rows"; in the current context, against the request's budget. */
extern LoadedRows *loaded_rows_room(const RowLayout *layout, const PartitionRequest *request,
									int64 rows);
extern void loaded_rows_add(LoadedRows *loaded, const RowLayout *layout, const int32 *tuple);

/* All rows of the tape, loaded. */
extern LoadedRows *loaded_rows_create(const CodedRows *rows, const PartitionRequest *request);

/*
 * A new tape of the rows, with final codes, sorted by the numbers at these places of a tuple.  It
 * belongs to the same tapes and replaces the old one, which is closed.  Uses the executor's sort,
 * with part of what the budget has left.
 */
extern CodedRows row_sort(const CodedRows *rows, const int *place, int places, CodeTapes *tapes,
						  const Budget *budget);

/* The tapes of the two parts; row numbers are in no particular order. */
typedef struct DealtRows
{
	CodeTape *side[2];
} DealtRows;

/*
 * Cuts the rows, which are kept, by a split that deals.  Rows equal to its threshold go to both
 * sides in the order of the other attributes, of what models look at, and of their numbers
 * (part.c).  Against the budget.  Sorts only those rows.
 */
extern DealtRows row_deal(const CodedRows *rows, const Split *split, CodeTapes *tapes,
						  const Budget *budget);

/*
 * ---- A simple random sample, which depends on the rows but not on their order (row_sample.c).
 *
 * Rows are ordered by a keyed hash of their codes, so that equal rows are adjacent, and every n-th
 * is taken: rows that occur often get their share.  Codes are hashed in the order of ties, so if
 * that does not depend on the order of columns, neither does the sample.
 */

/* The most rows that a sample of "rows" rows may have under the memory limit; 0: none. */
extern int64 row_sample_most(const RowLayout *layout, const PartitionRequest *request, int64 rows);

/* The most bytes needed while a sample of "rows" rows is taken. */
extern Size row_sample_bytes(const Budget *budget, int64 rows);

/*
 * Takes a sample of "sample" rows, at most all; of fewer if too many rows have equal hashes.
 * "lowest": lowest codes of the whole table; distances from these do not depend on the order of
 * rows.  In the current context, against the request's budget.  Reads the tape twice.
 */
extern LoadedRows *row_sample_take(const CodedRows *rows, const CodeBounds *lowest,
								   const PartitionRequest *request, int64 sample);

#endif /* KANON_CODED_ROWS_H */
