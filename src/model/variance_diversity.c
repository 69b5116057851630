/*
 * variance_diversity.c
 *		variance(s, v): in every class the population variance of s is at
 *		least v (LeFevre, DeWitt 2007, section 1.1: the mean of the squared distances
 *		from the class's mean).
 *
 * NULL is left out: who has no number does not spread.  A class without any
 * number has variance 0.
 *
 * Computed in two passes over the values, mean first, so that a mean far from 0
 * costs no digits.
 *
 * Of a sample of n_i numbers: the squared distances from their mean, in all, reach v times the
 * chi-square quantile of n_i - 1 degrees of freedom, as they would if the numbers were normal
 * (LeFevre, DeWitt 2007, section 3.1.3: what is to their right is alpha / m).
 *
 * Monotone under generalization: by the law of total variance a union has at
 * least the smaller variance of its parts (the same paper, appendix, theorem
 * 1).  Not under inclusion: {0, 10} has variance 25, {0, 10, 5, 5} has 12.5.
 *
 * Example: 3, 4, 5 has mean 4 and variance (1 + 0 + 1) / 3 = 0.67.
 */
#include "postgres.h"

#include "model/variance_diversity.h"

#include <math.h>

#include "base/interrupt.h"
#include "model/quantile.h"

/* Squared distances of the numbers from their mean, and how many there are. */
static double
sum_squares(const Histogram *class, const SensitiveDomain *domain, double *numbers)
{
	int32 entries = class->values; /* of numbers */
	double origin;
	double members = 0;
	double mean = 0;
	double squares = 0;

	*numbers = 0;
	/* NULL, the last code, is none. */
	if (entries > 0 && domain->has_null && class->entry[entries - 1].code == domain->codes - 1)
		entries--;
	origin = entries > 0 ? domain->number[class->entry[0].code] : 0;
	for (int32 i = 0; i < entries; i++)
	{
		double count = (double) class->entry[i].count;

		interrupt_check(i);
		members += count;
		mean += count * (domain->number[class->entry[i].code] - origin);
	}
	if (members == 0)
		return 0;
	mean = origin + mean / members;
	for (int32 i = 0; i < entries; i++)
	{
		double distance = domain->number[class->entry[i].code] - mean;

		interrupt_check(i);
		squares += (double) class->entry[i].count * distance * distance;
	}
	*numbers = members;
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

const ModelOps variance_diversity = {
	.name = "variance",
	.parameters = 1,
	.parameter = {{.name = "v", .least = 0, .greatest = INFINITY}},
	.values_parameter = -1,
	.needs = MODEL_NEEDS_NUMBERS,
	.class_alone = true,
	.holds = variance_holds,
	.expects = variance_expects,
	.value = variance_value,
};
