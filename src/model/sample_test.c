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

/*
 * ---- Quantiles of the normal and the chi-square distribution.
 *
 * Normal: M. J. Wichura: Algorithm AS 241: the percentage points of the normal distribution.
 * Applied Statistics 37, 1988 (PPND16): quotients of polynomials, in three ranges.
 *
 * Chi-square: the cube root of a chi-square variable by its degrees of freedom is nearly normal
 * (E. B. Wilson, M. M. Hilferty: The distribution of chi-square. PNAS 17, 1931).  That is the first
 * guess, which Newton's method improves: the distribution is the incomplete gamma function, by its
 * series (M. Abramowitz, I. A. Stegun: Handbook of Mathematical Functions, 1964, 6.5.29).
 */

#define TERMS 8
#define EXACT_DEGREES 1000 /* beyond, the series would be long */
#define STEPS 20

static double
polynomial(const double coefficient[TERMS], double x)
{
	double sum = 0;

	for (int i = TERMS - 1; i >= 0; i--)
		sum = sum * x + coefficient[i];
	return sum;
}

double
quantile_normal(double right)
{
	static const double middle[2][TERMS] = {
		{3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
		 1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
		 3.3430575583588128105e4, 2.5090809287301226727e3},
		{1, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3,
		 2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4,
		 5.2264952788528545610e3}};
	static const double tail[2][TERMS] = {
		{1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0,
		 3.64784832476320460504e0, 1.27045825245236838258e0, 2.41780725177450611770e-1,
		 2.27238449892691845833e-2, 7.74545014278341407640e-4},
		{1, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
		 1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4,
		 1.05075007164441684324e-9}};
	static const double far[2][TERMS] = {
		{6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0,
		 2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
		 2.71155556874348757815e-5, 2.01033439929228813265e-7},
		{1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
		 7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7,
		 2.04426310338993978564e-15}};
	double distance = 0.5 - right;
	double r;
	double z;

	if (fabs(distance) <= 0.425)
	{
		r = 0.180625 - distance * distance;
		return distance * polynomial(middle[0], r) / polynomial(middle[1], r);
	}
	r = sqrt(-log(Min(right, 1 - right)));
	z = r <= 5 ? polynomial(tail[0], r - 1.6) / polynomial(tail[1], r - 1.6)
			   : polynomial(far[0], r - 5) / polynomial(far[1], r - 5);
	return distance < 0 ? -z : z;
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
