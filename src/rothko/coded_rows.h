/*
 * coded_rows.h
 *		Rows as tuples of codes on a tape, which can be read again and again: what Mondrian
 *		works on where they do not fit in memory.
 *
 * A tuple has the codes of the attributes, the row's number, and what splits and models look
 * at: the target's class for information gain, the sensitive codes, the target's value for
 * regression.
 */
#ifndef KANON_CODED_ROWS_H
#define KANON_CODED_ROWS_H

#include "postgres.h"

#include "data/code_tape.h"
#include "partition/partition.h"

typedef struct RowLayout
{
	int attributes;
	int sides;  /* the target's class, if there is one, then the sensitive columns */
	int target; /* int32s of the target's value: 0, or those of a double */
	int width;  /* of all */
} RowLayout;

extern RowLayout row_layout(int attributes, PartitionSplit split, int sensitive);

typedef struct CodedRows
{
	const RowLayout *layout;
	CodeTape *tape;
	/* [attribute, or attributes + 1 + side]: final codes by those on the tape but NULL, where
	 * these are not final; NULL: they are, of all. */
	const int32 **final_code;
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

/* Reading: chunks of tuples with final codes. */
#define CODED_ROWS_CHUNK 128

typedef struct CodedScan
{
	const CodedRows *rows;
	int32 *tuple; /* [CODED_ROWS_CHUNK * width] */
} CodedScan;

/* From the first row on; in the current context. */
extern CodedScan coded_scan_begin(const CodedRows *rows);

/* How many the next ones are; 0 at the end, when the scan is over. */
extern int64 coded_scan_next(CodedScan *scan);

/* Rows of a tape in memory, by numbers of their own, from 0 in the order of the tape. */
typedef struct LoadedRows
{
	Dataset *dataset;
	int32 *number;            /* [row]: its number */
	PartitionRequest request; /* that is given, for them */
	RowModels models;
} LoadedRows;

/* Bytes that rows take in memory until they are divided. */
extern Size loaded_rows_bytes(const RowLayout *layout, const PartitionRequest *request, int64 rows);

/* None yet, with room for so many; in the current context, against the request's budget. */
extern LoadedRows *loaded_rows_room(const RowLayout *layout, const PartitionRequest *request,
									int64 rows);
extern void loaded_rows_add(LoadedRows *loaded, const RowLayout *layout, const int32 *tuple);

/* All rows, likewise. */
extern LoadedRows *loaded_rows_create(const CodedRows *rows, const PartitionRequest *request);

#endif /* KANON_CODED_ROWS_H */
