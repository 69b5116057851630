/*
 * row_sample.h
 *		A simple random sample of rows on a tape, which depends on what the rows are and not on
 *		their order.
 *
 * Rows are put in the order of a keyed hash of their codes, in which equal rows stand together,
 * and one of every so many is taken: of rows that occur often as many as is their share.
 */
#ifndef KANON_ROW_SAMPLE_H
#define KANON_ROW_SAMPLE_H

#include "postgres.h"

#include "partition/frequency_group.h"
#include "rothko/coded_rows.h"

/* How many rows a sample of so many may have, by the memory limit alone; 0: none. */
extern int64 row_sample_most(const RowLayout *layout, const PartitionRequest *request, int64 rows);

/* Bytes that the largest one of so many rows takes while it is taken. */
extern Size row_sample_bytes(const Budget *budget, int64 rows);

/*
 * A sample of so many rows, at most as many as there are, or of fewer where rows of equal hashes
 * are too many.  "lowest": codes of the whole table, from which distances are the same whatever
 * the order.  In the current context, against the request's budget.  Reads the tape twice.
 */
extern LoadedRows *row_sample_take(const CodedRows *rows, const CodeBounds *lowest,
								   const PartitionRequest *request, int64 sample);

#endif /* KANON_ROW_SAMPLE_H */
