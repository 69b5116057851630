/*
 * workload.h
 *		The error of count queries answered from a release (LeFevre, DeWitt, Ramakrishnan 2005b,
 *		section 6.3: mean and standard deviation of the absolute error).
 */
#ifndef KANON_WORKLOAD_H
#define KANON_WORKLOAD_H

#include "postgres.h"

/* Initialize with zeros. */
typedef struct Workload
{
	int64 queries;
	double mean;    /* of the absolute errors */
	double squares; /* sum of their squared distances from the mean */
	int64 relatives;
	double relative; /* sum of error / actual over the queries with actual > 0 */
} Workload;

extern double workload_error(int64 actual, double estimate);

/* Adds one query, by Welford's method.  O(1). */
extern void workload_add(Workload *workload, int64 actual, double estimate);

/* The standard deviation over the queries as a whole population, not as a sample. */
extern double workload_deviation(const Workload *workload);

#endif /* KANON_WORKLOAD_H */
