/*
 * variance_diversity.c
 *		variance(s, v): in every class, the population variance of s is at least v (LeFevre, DeWitt
 *		2007, section 1.1: the mean squared distance from the class's mean).
 *
 * NULL is left out: it is no number and spreads nothing.  A class without numbers has variance 0.
 *
 * Two passes over the values, mean first, so that a mean far from 0 costs no digits.
 *
 * For a sample of n_i numbers, the sum of squared distances from their mean must reach v times the
 * chi-square quantile of n_i - 1 degrees of freedom at alpha / m, as if the numbers were normal
 * (LeFevre, DeWitt 2007, section 3.1.3).
 *
 * Monotone under generalization: by the law of total variance, the variance of a union is at least
 * the smaller variance of its parts (same paper, appendix, theorem 1).  Not monotone under
 * inclusion: {0, 10} has variance 25, {0, 10, 5, 5} has 12.5.
 *
 * Refuted by the mean of the class that fails: squared distances from any point but their own mean
 * only overstate the variance of others.
 *
 * Example: 3, 4, 5 has mean 4 and variance (1 + 0 + 1) / 3 = 0.67.
 */
#include "postgres.h"

#include "model/variance_diversity.h"

#include <math.h>

#include "base/interrupt.h"
#include "model/quantile.h"

/* The number of entries that are numbers; NULL, the last code, is not. */
static int32
number_entries(const Histogram *class, const SensitiveDomain *domain)
{
	int32 last = class->values - 1;

	return last >= 0 && domain->has_null && class->entry[last].code == domain->codes - 1
			   ? last
			   : class->values;
}

static double
mean_of(const Histogram *class, const SensitiveDomain *domain, double *members)
{
	int32 entries = number_entries(class, domain);
	double origin = entries > 0 ? domain->number[class->entry[0].code] : 0;
	double sum = 0;

	*members = 0;
	for (int32 i = 0; i < entries; i++)
	{
		double count = (double) class->entry[i].count;

		interrupt_check(i);
		*members += count;
		sum += count * (domain->number[class->entry[i].code] - origin);
	}
	return *members > 0 ? origin + sum / *members : 0;
}

/* The sum of squared distances of the numbers from their mean, and their count. */
static double
sum_squares(const Histogram *class, const SensitiveDomain *domain, double *numbers)
{
	int32 entries = number_entries(class, domain);
	double mean = mean_of(class, domain, numbers);
	double squares = 0;

	for (int32 i = 0; i < entries; i++)
	{
		double distance = domain->number[class->entry[i].code] - mean;

		interrupt_check(i);
		squares += (double) class->entry[i].count * distance * distance;
	}
	return squares;
}

static double
variance_value(const Model *model, const Histogram *class, const SensitiveDomain *domain)
{
	double numbers;
	double squares = sum_squares(class, domain, &numbers);

	(void) model;
	return numbers > 0 ? squares / numbers : 0;
}

static bool
variance_holds(const Model *model, const Histogram *class, const SensitiveDomain *domain)
{
	double value = variance_value(model, class, domain);

	return value >= model->parameter[0] * (1 - MODEL_TOLERANCE);
}

static bool
variance_expects(const Model *model, const Histogram *sample, const SensitiveDomain *domain,
				 const SampleTest *test)
{
	double v = model->parameter[0];
	double numbers;
	double squares = sum_squares(sample, domain, &numbers);

	if (v == 0)
		return true;
	return numbers > 1 && squares / v >= quantile_chi_square(sample_test_share(test), numbers - 1);
}

static void
variance_refute(const Model *model, const Histogram *class, const SensitiveDomain *domain,
				const int32 *code, int32 codes, double *weight)
{
	double least = model->parameter[0];
	double members;
	double mean = mean_of(class, domain, &members);
	double greatest = 0;
	double rounding; /* of a mean */

	if (codes > 0 && domain->has_null && code[codes - 1] == domain->codes - 1)
		weight[code[--codes]] = 0;
	for (int32 i = 0; i < codes; i++)
		greatest = Max(greatest, fabs(domain->number[code[i]]));
	rounding = DBL_EPSILON * greatest * (codes + 8);
	for (int32 i = 0; i < codes; i++)
	{
		double distance = domain->number[code[i]] - mean;

		interrupt_check(i);
		weight[code[i]] =
			1 - MODEL_MARGIN(codes) - (distance * distance + rounding * rounding) / least;
	}
}

const ModelOps variance_diversity = {
	.name = "variance",
	.parameters = 1,
	.parameter = {{.name = "v", .least = 0, .greatest = INFINITY}},
	.values_parameter = -1,
	.needs = MODEL_NEEDS_NUMBERS,
	.class_alone = true,
	.holds = variance_holds,
	.expects = variance_expects,
	.refute = variance_refute,
	.value = variance_value,
};
