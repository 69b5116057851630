/*
 * sample_test.c
 *		See sample_test.h.
 *
 * Example: a sample of n = 100 of N = 1000 rows, k = 10, two parts. p0 = 0.01, with a variance of
 * p0 (1 - p0) / n * (N - n) / (N - 1) = 0.0000892, and z = 1.96 for 0.05 / 2.  A share above 0.01 +
 * 1.96 * 0.00944 = 0.0285 is clearly greater: 3 rows.
 */
#include "postgres.h"

#include "model/sample_test.h"

#include <math.h>

#include "model/quantile.h"

double
sample_test_share(const SampleTest *test)
{
	return test->alpha / test->children;
}

double
sample_test_quantile(const SampleTest *test)
{
	return test->alpha > 0 ? quantile_normal(sample_test_share(test)) : 0;
}

double
sample_test_correction(const SampleTest *test)
{
	return (double) (test->population - test->sample) / (double) test->population;
}

int64
sample_test_least(const SampleTest *test, int64 rows, int children)
{
	SampleTest at_hand = *test;
	double population = (double) test->population;
	double sample = (double) test->sample;
	double p0 = Min((double) rows / population, 1);
	double variance = p0 * (1 - p0) / sample * (population - sample) / Max(population - 1, 1);

	at_hand.children = children;
	return Max(
		1, (int64) ceil((p0 + sample_test_quantile(&at_hand) * sqrt(variance)) * sample - 1e-9));
}
