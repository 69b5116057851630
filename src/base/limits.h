/*
 * limits.h
 *		Bounds of parameters that many functions share.
 */
#ifndef KANON_LIMITS_H
#define KANON_LIMITS_H

#include "postgres.h"

#include <float.h>
#include <math.h>

/* Raises ERRCODE_INVALID_PARAMETER_VALUE if k is below 1. */
static inline void
limits_check_k(int k)
{
	if (k < 1)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("k must be at least 1, not %d", k)));
}

/* .. if fewer than one column is known. */
static inline void
limits_check_known(int known)
{
	if (known < 1)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("known must be at least 1, not %d", known),
						errdetail("It is the number of quasi-identifiers that somebody may know "
								  "of a row; NULL means all.")));
}

/* Raises ERRCODE_INVALID_PARAMETER_VALUE if the share is not in [0, 1). */
static inline void
limits_check_suppression(double suppression)
{
	/* NaN fails both comparisons. */
	if (!(suppression >= 0 && suppression < 1))
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("suppression must be at least 0 and below 1, not %g", suppression)));
}

/*
 * The number of rows that may be suppressed, always below "rows": floor(suppression * rows),
 * computed as if in decimals.  So 0.29 of 100 rows is 29, although the double nearest to 0.29 is
 * smaller.
 */
static inline int64
limits_suppressible(double suppression, int64 rows)
{
	/* The share and the product are each off by at most half an epsilon. */
	double share = floor(suppression * (double) rows * (1 + DBL_EPSILON));

	return Min((int64) share, Max(rows - 1, 0));
}

#endif /* KANON_LIMITS_H */
