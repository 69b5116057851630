/*
 * limits.c
 *		See limits.h.
 */
#include "postgres.h"

#include "base/limits.h"

#include <float.h>
#include <math.h>

void
limits_check_k(int k)
{
	if (k < 1)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("k must be at least 1, not %d", k)));
}

void
limits_check_suppression(double suppression)
{
	/* NaN fails both comparisons. */
	if (!(suppression >= 0 && suppression < 1))
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("suppression must be at least 0 and below 1, not %g", suppression)));
}

/* The share and the product are each off by at most half an epsilon. */
int64
limits_suppressible(double suppression, int64 rows)
{
	double share = floor(suppression * (double) rows * (1 + DBL_EPSILON));

	return Min((int64) share, Max(rows - 1, 0));
}
