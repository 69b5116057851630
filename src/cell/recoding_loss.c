/*
 * recoding_loss.c
 *		See recoding_loss.h.
 */
#include "postgres.h"

#include "cell/recoding_loss.h"

#include <math.h>

#define UNIT 1073741824.0 /* 2^30: that many rows of a whole share each, twice, fit an int64 */

static RecodingLoss last_recoding;

void
recoding_loss_add(RecodingLoss *loss, int attribute, double share, int64 rows)
{
	double units = floor(share * UNIT);

	loss->sum[attribute] += (int64) units * rows;
	loss->rest[attribute] += (int64) rint((share * UNIT - units) * UNIT) * rows;
}

void
recoding_loss_keep(const RecodingLoss *loss)
{
	last_recoding = *loss;
}

bool
recoding_loss_last(int attributes, double *mean)
{
	if (last_recoding.rows == 0 || last_recoding.attributes != attributes)
		return false;
	for (int i = 0; i < attributes; i++)
		mean[i] = ((double) last_recoding.sum[i] + (double) last_recoding.rest[i] / UNIT) / UNIT /
				  (double) last_recoding.rows;
	return true;
}
