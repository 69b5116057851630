/*
 * recoding_loss.h
 *		What the last recoding of this session lost.
 *
 * A release is filled by PostgreSQL's own REFRESH, whose query calls kanon's window
 * functions: nothing but the cells comes out of it.  Whoever recorded the refresh asks
 * here afterwards.  What is kept are plain numbers, and of recodings only that were
 * read to their end; a release that has rows was filled by the last one of these,
 * since its window function is the outermost of its query.
 */
#ifndef KANON_RECODING_LOSS_H
#define KANON_RECODING_LOSS_H

#include "postgres.h"

#include "record/record_shape.h"

typedef struct RecodingLoss
{
	int attributes;
	int64 rows; /* so far */
	/* [attribute]: over those rows, of the share lost (NCP); in units of 2^-30 and 2^-60 */
	int64 sum[RECORD_SHAPE_MOST];
	int64 rest[RECORD_SHAPE_MOST];
} RecodingLoss;

/*
 * So many rows, PG_INT32_MAX in all, lose a share, 0 .. 1, of an attribute.  The sum is that of
 * whole numbers: the order of the rows does not matter.  "rows" is the caller's to count.
 */
extern void recoding_loss_add(RecodingLoss *loss, int attribute, double share, int64 rows);

/* Of a recoding all of whose rows have their cells. */
extern void recoding_loss_keep(const RecodingLoss *loss);

/* The mean over its rows for each attribute; false if there was none with so many attributes. */
extern bool recoding_loss_last(int attributes, double *mean);

#endif /* KANON_RECODING_LOSS_H */
