/*
 * workload.h
 *		The error of count queries answered from a release (LeFevre, DeWitt, Ramakrishnan 2005b,
 *		section 6.3: mean and standard deviation of the absolute error).
 *
 * Example: actual 4, 2, 0 and estimates 3, 2, 5 are off by 1, 0 and 5: mean 2, standard deviation
 * sqrt((1 + 4 + 9) / 3) = 2.16; relative to the first two, (1/4 + 0) / 2.
 */
#ifndef KANON_WORKLOAD_H
#define KANON_WORKLOAD_H

#include "postgres.h"

#include <math.h>

/* Initialize with zeros. */
typedef struct Workload
{
	int64 queries;
	double mean;    /* of the absolute errors */
	double squares; /* sum of their squared distances from the mean */
	int64 relatives;
	double relative; /* sum of error / actual over the queries with actual > 0 */
} Workload;

static inline double
workload_error(int64 actual, double estimate)
{
	return fabs(estimate - (double) actual);
}

/* Adds one query, by Welford's method.  O(1). */
static inline void
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

/* The standard deviation over the queries as a whole population, not as a sample. */
static inline double
workload_deviation(const Workload *workload)
{
	return workload->queries > 0 ? sqrt(workload->squares / (double) workload->queries) : 0;
}

#endif /* KANON_WORKLOAD_H */
