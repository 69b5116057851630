/*
 * recursive_diversity.c
 *		recursive(s, c, l): in every class r1 < c (r_l + r_(l+1) + .. + r_m), where r_i is the count
 *		of its i-th most frequent value of s (Machanavajjhala et al. 2006, definition 4.2; LeFevre,
 *		DeWitt 2007, section 1.1). l = 1 is always satisfied, by definition.  NULL is a value of its
 *		own.
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
#include "postgres.h"

#include "model/recursive_diversity.h"

#include <math.h>

#include "base/interrupt.h"

static int
compare_descending(const void *a, const void *b)
{
	int64 x = ((const HistogramEntry *) a)->count;
	int64 y = ((const HistogramEntry *) b)->count;

	CHECK_FOR_INTERRUPTS();
	return x > y ? -1 : x < y;
}

/* The entries in order of descending count, palloc'd. */
static HistogramEntry *
most_frequent(const Histogram *class)
{
	Size size = sizeof(HistogramEntry) * class->values;
	HistogramEntry *entry = palloc_extended(Max(size, 1), MCXT_ALLOC_HUGE);

	memcpy(entry, class->entry, size);
	qsort(entry, class->values, sizeof(HistogramEntry), compare_descending);
	return entry;
}

/* The count of the most frequent value, and the sum of counts from the l-th on. */
static void
count_frequent(const Model *model, const Histogram *class, int64 *most, int64 *others)
{
	HistogramEntry *entry = most_frequent(class);
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
	return c * p2 - p1 > sample_test_quantile(test) * sqrt(variance * sample_test_correction(test));
}

/* r1 + c (r1 + .. + r_(l-1)) > c n */
static void
recursive_refute(const Model *model, const Histogram *class, const SensitiveDomain *domain,
				 const int32 *code, int32 codes, double *weight)
{
	HistogramEntry *entry = most_frequent(class);
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
