/*
 * recoding_loss.c
 *		See recoding_loss.h.
 */
#include "postgres.h"

#include "io/recoding_loss.h"

static RecodingLoss last_recoding;

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
		mean[i] = last_recoding.sum[i] / (double) last_recoding.rows;
	return true;
}
