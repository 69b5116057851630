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

void
sample_test_split(SampleTest *test, int children)
{
	test->share = test->alpha / children;
	test->quantile = test->alpha > 0 ? quantile_normal(test->share) : 0;
}

double
sample_test_correction(const SampleTest *test)
{
	return (double) (test->population - test->sample) / (double) test->population;
}

int64
sample_test_least(const SampleTest *test, int64 rows, int children)
{
	SampleTest split = *test;
	double population = (double) test->population;
	double sample = (double) test->sample;
	double p0 = Min((double) rows / population, 1);
	double variance = p0 * (1 - p0) / sample * (population - sample) / Max(population - 1, 1);

	sample_test_split(&split, children);
	return Max(1, (int64) ceil((p0 + split.quantile * sqrt(variance)) * sample - 1e-9));
}

/*
 * ---- Quantiles of the normal and the chi-square distribution.
 *
 * Normal: by Newton's method, for the logarithm of the probability, which is concave: it comes down
 * from a first guess that is not too low, because exp(-z^2 / 2) / 2 is at least the probability.
 *
 * Chi-square: the cube root of a chi-square variable by its degrees of freedom is nearly normal
 * (E. B. Wilson, M. M. Hilferty: The distribution of chi-square. PNAS 17, 1931).  That is the first
 * guess, which Newton's method improves: the distribution is the incomplete gamma function, by its
 * series (M. Abramowitz, I. A. Stegun: Handbook of Mathematical Functions, 1964, 6.5.29).
 */

#define EXACT_DEGREES 1000 /* beyond, the series would be long */
#define STEPS 20

double
quantile_normal(double right)
{
	double z;

	if (right > 0.5)
		return -quantile_normal(1 - right);
	z = sqrt(-2 * log(2 * right));
	for (int i = 0; i < STEPS; i++)
	{
		double above = erfc(z / sqrt(2)) / 2;
		double density = exp(-z * z / 2) / sqrt(2 * M_PI);
		double step = above * log(above / right) / density;

		z += step;
		if (fabs(step) <= z * 1e-15)
			break;
	}
	return z;
}

/* The share of the gamma distribution with that shape below x. */
static double
gamma_below(double shape, double x)
{
	double term = exp(shape * log(x) - x - lgamma(shape + 1));
	double sum = term;

	for (int i = 1; term > sum * 1e-16; i++)
	{
		term *= x / (shape + i);
		sum += term;
	}
	return sum;
}

double
quantile_chi_square(double right, double degrees)
{
	double part = 2 / (9 * degrees);
	double root = 1 - part + quantile_normal(right) * sqrt(part);
	double x = degrees * Max(root * root * root, 1e-6);
	double shape = degrees / 2;

	for (int i = 0; degrees <= EXACT_DEGREES && i < STEPS; i++)
	{
		double density = exp((shape - 1) * log(x / 2) - x / 2 - lgamma(shape)) / 2;
		double step = (gamma_below(shape, x / 2) - (1 - right)) / density;

		x = Max(x - step, x / 2);
		if (fabs(step) < x * 1e-12)
			break;
	}
	return x;
}
