/*
 * coded_rows.h
 *		Rows as tuples of codes on a tape, which can be read repeatedly: the input of Mondrian for
 *		rows that do not fit in memory.
 *
 * The sides of a tuple (data/dataset.h) are what splits and models need: the target's class for
 * information gain, if any, then the sensitive codes; its target is the value for regression.
 */
#ifndef KANON_CODED_ROWS_H
#define KANON_CODED_ROWS_H

#include "postgres.h"

#include "partition/partition.h"

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

#endif /* KANON_CODED_ROWS_H */
