/*
 * workload.c
 *		See workload.h.
 *
 * Example: actual 4, 2, 0 and estimates 3, 2, 5 are off by 1, 0 and 5: mean 2,
 * standard deviation sqrt((1 + 4 + 9) / 3) = 2.16; relative to the first two,
 * (1/4 + 0) / 2.
 */
#include "postgres.h"

#include "metric/workload.h"

#include <math.h>

double
workload_error(int64 actual, double estimate)
{
	return fabs(estimate - (double) actual);
}

void
workload_add(Workload *workload, int64 actual, double estimate)
{
	double error = workload_error(actual, estimate);
	double distance = error - workload->mean;

	workload->queries++;
	workload->mean += distance / (double) workload->queries;
	workload->squares += distance * (error - workload->mean);
	if (actual > 0)
	{
		workload->relatives++;
		workload->relative += error / (double) actual;
	}
}

double
workload_deviation(const Workload *workload)
{
	return workload->queries > 0 ? sqrt(workload->squares / (double) workload->queries) : 0;
}
