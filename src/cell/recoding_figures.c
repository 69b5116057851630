/*
 * recoding_figures.c
 *		See recoding_figures.h.
 *
 * PostgreSQL's own REFRESH fills a release by a query that calls kanon's window functions, and
 * nothing but cells comes out of it.  The code that records the refresh asks here afterwards.  Only
 * recodings read to their end keep figures, so those kept last belong to the outermost window
 * function of the release's query.  They are taken once, before anything else runs, so that no
 * later release gets them.
 */
#include "postgres.h"

#include "cell/recoding_figures.h"

static RecodingFigures last_recoding;

void
recoding_figures_keep(const RecodingFigures *figures)
{
	last_recoding = *figures;
}

RecodingFigures
recoding_figures_take(void)
{
	RecodingFigures taken = last_recoding;

	last_recoding = (RecodingFigures){0};
	return taken;
}

bool
recoding_figures_loss(const RecodingFigures *figures, int attributes, double *mean)
{
	if (figures->rows == 0 || figures->attributes != attributes)
		return false;
	for (int i = 0; i < attributes; i++)
		mean[i] = loss_sum_mean(&figures->loss[i], figures->rows);
	return true;
}

double
recoding_figures_weigh(const double *mean, const double *weight, int attributes)
{
	double loss = 0;
	double weights = 0;

	for (int i = 0; i < attributes; i++)
	{
		loss += weight[i] * mean[i];
		weights += weight[i];
	}
	return weights > 0 ? loss / weights : 0;
}
