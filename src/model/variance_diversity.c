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

#include "model/model.h"

#include <math.h>

#include "base/interrupt.h"

/* The number of entries that are numbers. */
static int32
number_entries(const Histogram *class, const SensitiveDomain *domain)
{
	return class->values - (histogram_nulls(class, domain) > 0);
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
	return numbers > 1 && squares / v >= quantile_chi_square(test->share, numbers - 1);
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

/* ---- the members that lie closest together */

/* A number of a class, in ascending order, with sums over the members with lower ones. */
typedef struct Place
{
	double distance; /* from the class's mean */
	HistogramEntry entry;
	int64 members; /* before this number */
	double sum;    /* of their distances */
	double squares;
} Place;

/* One for each number, and one for the end; palloc'd. */
static Place *
places_create(const Histogram *class, const SensitiveDomain *domain, int32 entries)
{
	Place *place = palloc_extended(sizeof(Place) * (entries + 1), MCXT_ALLOC_HUGE);
	double members;
	double mean = mean_of(class, domain, &members);

	for (int32 i = 0; i < entries; i++)
		place[i] = (Place){.entry = class->entry[i],
						   .distance = domain->number[class->entry[i].code] - mean};
	qsort(place, entries, sizeof(Place), interrupt_compare_double);
	place[entries] = (Place){.members = 0};
	for (int32 i = 0; i < entries; i++)
	{
		double count = (double) place[i].entry.count;
		double distance = place[i].distance;

		interrupt_check(i);
		place[i + 1].members = place[i].members + place[i].entry.count;
		place[i + 1].sum = place[i].sum + count * distance;
		place[i + 1].squares = place[i].squares + count * distance * distance;
	}
	return place;
}

/* The number to which a member belongs, counted from 0. */
static int32
place_find(const Place *place, int32 entries, int64 member)
{
	int32 low = 0;
	int32 high = entries;

	while (low < high)
	{
		int32 middle = low + (high - low + 1) / 2;

		if (place[middle].members <= member)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

/* The sum of squared distances of so many members from their mean, up to rounding errors. */
static double
window_squares(const Place *place, int32 entries, int64 first, int64 members)
{
	const Place *from = &place[place_find(place, entries, first)];
	const Place *to = &place[place_find(place, entries, first + members)];
	double before = (double) (first - from->members);
	double after = (double) (first + members - to->members);
	double sum = to->sum - from->sum + after * to->distance - before * from->distance;
	double squares = to->squares - from->squares + after * to->distance * to->distance -
					 before * from->distance * from->distance;

	return squares - sum * sum / (double) members;
}

/* Adds so many members to a part. */
static void
window_take(const Place *place, int32 entries, int64 first, int64 members, Histogram *part)
{
	int64 end = first + members;

	for (int32 i = place_find(place, entries, first); i < entries && place[i].members < end; i++)
	{
		interrupt_check(i);
		histogram_add(part, place[i].entry.code,
					  Min(place[i + 1].members, end) - Max(place[i].members, first));
	}
	histogram_finish(part);
}

/*
 * NULLs first, then numbers side by side.  A window that moves by one member swaps one number for
 * another, and its variance is a concave function of how often it does: the least one begins or
 * ends with all members of a number.  Prefix sums find it, up to rounding errors; of several within
 * these, exact sums do.
 */
static void
variance_hardest(const Model *model, const Histogram *class, const SensitiveDomain *domain,
				 int64 members, Histogram *part)
{
	int32 entries = number_entries(class, domain);
	Place *place = places_create(class, domain, entries);
	int64 numbers = place[entries].members;
	int64 nulls = Min(class->members - numbers, members);
	int64 window = members - nulls;
	int64 best = 0;
	double least = INFINITY;
	double exact = INFINITY;
	double error = 16 * DBL_EPSILON * (entries + 8) * place[entries].squares * (double) numbers /
				   (double) Max(window, 1);

	for (int32 i = 0; window > 0 && i < 2 * entries; i++)
	{
		int64 first = i % 2 == 0 ? place[i / 2].members : place[i / 2 + 1].members - window;

		interrupt_check(i);
		if (first >= 0 && first + window <= numbers)
			least = Min(least, window_squares(place, entries, first, window));
	}
	for (int32 i = 0; window > 0 && i < 2 * entries; i++)
	{
		int64 first = i % 2 == 0 ? place[i / 2].members : place[i / 2 + 1].members - window;
		double value;

		if (first < 0 || first + window > numbers ||
			window_squares(place, entries, first, window) > least + error)
			continue;
		histogram_reset(part);
		window_take(place, entries, first, window, part);
		value = variance_value(model, part, domain);
		if (value >= exact)
			continue;
		exact = value;
		best = first;
	}
	histogram_reset(part);
	if (nulls > 0)
		histogram_add(part, domain->codes - 1, nulls);
	window_take(place, entries, best, window, part);
	pfree(place);
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
	.hardest = variance_hardest,
	.value = variance_value,
};
