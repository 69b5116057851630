/*
 * loss_sum.h
 *		Sums of shares over many rows, the same in whatever order these are added.
 */
#ifndef KANON_LOSS_SUM_H
#define KANON_LOSS_SUM_H

#include "postgres.h"

#include <math.h>

/*
 * A sum of shares (losses, or others), each 0 .. 1, over many rows.  It does not depend on the
 * order. Initially zero.
 */
typedef struct LossSum
{
	int64 units; /* of 2^-30 */
	int64 rest;  /* of 2^-60 */
} LossSum;

#define LOSS_SUM_UNIT 1073741824.0 /* 2^30: the sum of 2^32 whole losses fits an int64 */

/* Adds the share for each of these rows, at most 2^32 in all. */
static inline void
loss_sum_add(LossSum *sum, double share, int64 rows)
{
	double units = floor(share * LOSS_SUM_UNIT);

	sum->units += (int64) units * rows;
	sum->rest += (int64) rint((share * LOSS_SUM_UNIT - units) * LOSS_SUM_UNIT) * rows;
}

static inline double
loss_sum_total(const LossSum *sum)
{
	return ((double) sum->units + (double) sum->rest / LOSS_SUM_UNIT) / LOSS_SUM_UNIT;
}

/* The mean over that many rows; 0 of none. */
static inline double
loss_sum_mean(const LossSum *sum, int64 rows)
{
	return rows > 0 ? loss_sum_total(sum) / (double) rows : 0;
}

#endif /* KANON_LOSS_SUM_H */
