/*
 * entropy_diversity.c
 *		entropy(s, l): in every class, -sum p log p >= log l over the shares p of its values of s
 *		(Machanavajjhala et al. 2006, section 4, definition 4.1).  NULL is a value of its own.
 *
 * The reported value is exp(entropy): the number of equally frequent values with the same entropy.
 * It is compared with l.
 *
 * With n = sum n_i, the entropy is log n - (sum n_i log n_i) / n.  A class with fewer than l values
 * fails.  One with exactly l satisfies only if all are equally frequent, which whole numbers decide
 * exactly.
 *
 * In a sample of n_i rows, the entropy H is less than the class's on average, with a variance of
 * about (sum p (log p)^2 - H^2) / n_i (Basharin 1959).  So H - log l must exceed z times the square
 * root of that, corrected by (N - n) / N. If the variance is 0, all shares are about equal, and H
 * need only exceed log l.
 *
 * Monotone under generalization: entropy is concave, so that of a union is at least the smaller
 * entropy of its parts.  Not monotone under inclusion: {a, b} satisfies entropy(s, 2), {a, b, b}
 * does not.
 *
 * Refuted by Gibbs' inequality: for any shares q, the entropy of another class is at most the mean
 * of -log q over its members. q are the shares of the class that fails, plus a small share for
 * values it lacks, which costs half of its deficit.
 *
 * Example: a, a, b, c has shares 1/2, 1/4, 1/4 and entropy 1.5 log 2; the value is 2^1.5 = 2.83.
 */
#include "postgres.h"

#include "model/entropy_diversity.h"

#include <math.h>

#include "base/interrupt.h"

static double
entropy_of(const Histogram *class)
{
	double sum = 0;

	for (int32 i = 0; i < class->values; i++)
	{
		double count = (double) class->entry[i].count;

		interrupt_check(i);
		sum += count * log(count);
	}
	return class->members > 0 ? log((double) class->members) - sum / (double) class->members : 0;
}

static bool
all_equally_frequent(const Histogram *class)
{
	for (int32 i = 1; i < class->values; i++)
		if (class->entry[i].count != class->entry[0].count)
			return false;
	return true;
}

static double
entropy_value(const Model *model, const Histogram *class, const SensitiveDomain *domain)
{
	(void) model;
	(void) domain;
	if (all_equally_frequent(class))
		return class->values;
	return exp(entropy_of(class));
}

static bool
entropy_holds(const Model *model, const Histogram *class, const SensitiveDomain *domain)
{
	double l = model->parameter[0];

	(void) domain;
	if (class->values <= l)
		return class->values == l && all_equally_frequent(class);
	return entropy_of(class) >= log(l) - MODEL_TOLERANCE;
}

static bool
entropy_expects(const Model *model, const Histogram *sample, const SensitiveDomain *domain,
				const SampleTest *test)
{
	double entropy = entropy_of(sample);
	double squares = 0; /* mean of the squared logarithms of the shares */
	double variance;

	(void) domain;
	if (model->parameter[0] == 1)
		return true;
	for (int32 i = 0; i < sample->values; i++)
	{
		double share = (double) sample->entry[i].count / (double) sample->members;

		interrupt_check(i);
		squares += share * log(share) * log(share);
	}
	variance = Max(squares - entropy * entropy, 0) / (double) Max(sample->members, 1);
	return entropy - log(model->parameter[0]) >
		   sample_test_quantile(test) * sqrt(variance * sample_test_correction(test));
}

static void
entropy_refute(const Model *model, const Histogram *class, const SensitiveDomain *domain,
			   const int32 *code, int32 codes, double *weight)
{
	double least = log(model->parameter[0]) - MODEL_MARGIN(codes);
	int32 missing = codes - class->values;
	double small = missing > 0 ? Min((least - entropy_of(class)) / 2, 0.5) : 0;
	int32 at = 0;

	(void) domain;
	for (int32 i = 0; i < codes; i++)
	{
		bool has = at < class->values && class->entry[at].code == code[i];
		double share =
			has ? (1 - small) * (double) class->entry[at++].count / (double) class->members
				: small / missing;

		interrupt_check(i);
		weight[code[i]] = least + log(share);
	}
}

const ModelOps entropy_diversity = {
	.name = "entropy",
	.parameters = 1,
	.parameter = {{.name = "l", .least = 1, .greatest = PG_INT32_MAX}},
	.values_parameter = 0,
	.class_alone = true,
	.holds = entropy_holds,
	.expects = entropy_expects,
	.refute = entropy_refute,
	.value = entropy_value,
};
