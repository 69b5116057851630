/*
 * diversity.c
 *		The three kinds of l-diversity: distinct(s, l), entropy(s, l) and recursive(s, c, l)
 *		(Machanavajjhala et al. 2006).  NULL is a value of its own in all three.
 */
#include "postgres.h"

#include "model/model.h"

#include <math.h>

#include "base/interrupt.h"

/*
 * ---- distinct(s, l): every class has at least l different values of s (section 4).
 *
 * Of a sample: all its values are in the class, so there is nothing to test.
 *
 * Monotone under generalization and under inclusion: what contains a class has all its values.
 *
 * Example: flu, flu, cold has 2 different values; it satisfies distinct(s, 2) and not distinct(s,
 * 3).
 */

static double
distinct_value(const Model *model, const Histogram *class, const SensitiveDomain *domain)
{
	(void) model;
	(void) domain;
	return class->values;
}

static bool
distinct_holds(const Model *model, const Histogram *class, const SensitiveDomain *domain)
{
	return distinct_value(model, class, domain) >= model->parameter[0];
}

const ModelOps distinct_diversity = {
	.name = "distinct",
	.parameters = 1,
	.parameter = {{.name = "l", .whole = true, .least = 1, .greatest = PG_INT32_MAX}},
	.values_parameter = 0,
	.monotone_under_inclusion = true,
	.class_alone = true,
	.holds = distinct_holds,
	.value = distinct_value,
};

/*
 * ---- entropy(s, l): in every class, -sum p log p >= log l over the shares p of its values of s
 * (section 4, definition 4.1).
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
		   test->quantile * sqrt(variance * sample_test_correction(test));
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

/*
 * ---- recursive(s, c, l): in every class r1 < c (r_l + r_(l+1) + .. + r_m), where r_i is the count
 * of its i-th most frequent value of s (definition 4.2; LeFevre, DeWitt 2007, section 1.1). l = 1
 * is always satisfied, by definition.
 *
 * The reported value is r1 / (r_l + .. + r_m), which must be below c; infinite if a class has fewer
 * than l values.
 *
 * For a sample of n_i rows, with shares p1 of the most frequent value and p2 of those from the l-th
 * on: c p2 - p1 > z sqrt((c^2 p2 (1 - p2) + p1 (1 - p1)) / (n_i - 1) (N - n) / N) (LeFevre, DeWitt
 * 2007, section 3.1.2).
 *
 * Monotone under generalization: the most frequent value of a union occurs at most as often as
 * those of its parts together, and so do its l - 1 most frequent values; so the rest is at least
 * the sum of the parts' rests.  Not monotone under inclusion: {a, b} satisfies recursive(s, 2, 2),
 * {a, a, a, b} does not.
 *
 * Refuted by the identity of the most frequent values: in any class, its own most frequent values
 * have at least these counts.
 *
 * Example: counts 5, 3, 2, 1 with l = 3: 5 / (2 + 1) = 1.67, so c = 2 holds and c = 1.5 does not.
 */

/* The count of the most frequent value, and the sum of counts from the l-th on. */
static void
count_frequent(const Model *model, const Histogram *class, int64 *most, int64 *others)
{
	HistogramEntry *entry = histogram_by_count(class);
	int32 frequent = Min((int32) model->parameter[1] - 1, class->values);

	*others = class->members; /* without the l - 1 most frequent values */
	*most = class->values > 0 ? entry[0].count : 0;
	for (int32 i = 0; i < frequent; i++)
	{
		interrupt_check(i);
		*others -= entry[i].count;
	}
	pfree(entry);
}

static double
recursive_value(const Model *model, const Histogram *class, const SensitiveDomain *domain)
{
	int64 first;
	int64 rest;

	(void) domain;
	count_frequent(model, class, &first, &rest);
	return rest > 0 ? (double) first / (double) rest : INFINITY;
}

static bool
recursive_holds(const Model *model, const Histogram *class, const SensitiveDomain *domain)
{
	double value;

	if (model->parameter[1] == 1)
		return true;
	value = recursive_value(model, class, domain);
	return value < model->parameter[0] * (1 - MODEL_TOLERANCE);
}

static bool
recursive_expects(const Model *model, const Histogram *sample, const SensitiveDomain *domain,
				  const SampleTest *test)
{
	double c = model->parameter[0];
	double members = (double) sample->members;
	double p1;
	double p2;
	double variance;
	int64 most;
	int64 others;

	(void) domain;
	if (model->parameter[1] == 1)
		return true;
	if (sample->members < 2)
		return false;
	count_frequent(model, sample, &most, &others);
	p1 = (double) most / members;
	p2 = (double) others / members;
	variance = (c * c * p2 * (1 - p2) + p1 * (1 - p1)) / (members - 1);
	return c * p2 - p1 > test->quantile * sqrt(variance * sample_test_correction(test));
}

/* r1 + c (r1 + .. + r_(l-1)) > c n */
static void
recursive_refute(const Model *model, const Histogram *class, const SensitiveDomain *domain,
				 const int32 *code, int32 codes, double *weight)
{
	HistogramEntry *entry = histogram_by_count(class);
	int32 frequent = Min((int32) model->parameter[1] - 1, class->values);
	double c = model->parameter[0];

	(void) domain;
	for (int32 i = 0; i < codes; i++)
		weight[code[i]] = -c;
	for (int32 i = 0; i < frequent; i++)
		weight[entry[i].code] = i == 0 ? 1 : 0;
	pfree(entry);
}

const ModelOps recursive_diversity = {
	.name = "recursive",
	.parameters = 2,
	.parameter = {{.name = "c", .least = 0, .above = true, .greatest = INFINITY},
				  {.name = "l", .whole = true, .least = 1, .greatest = PG_INT32_MAX}},
	.values_parameter = 1,
	.at_most = true,
	.class_alone = true,
	.holds = recursive_holds,
	.expects = recursive_expects,
	.refute = recursive_refute,
	.value = recursive_value,
};
