/*
 * row_sample.h
 *		A simple random sample of rows on a tape, which depends on the rows but not on their order.
 *
 * Rows are ordered by a keyed hash of their codes, so that equal rows are adjacent, and every n-th
 * is taken: rows that occur often get their share.
 */
#ifndef KANON_ROW_SAMPLE_H
#define KANON_ROW_SAMPLE_H

#include "postgres.h"

#include "partition/frequency_group.h"
#include "rothko/coded_rows.h"

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

#endif /* KANON_ROW_SAMPLE_H */
