/*
 * histogram.c
 *		See histogram.h.
 */
#include "postgres.h"

#include "model/histogram.h"

#include "base/interrupt.h"

Histogram *
histogram_create(int32 capacity, Budget *budget)
{
	Histogram *histogram = palloc0(sizeof(Histogram));

	histogram->entry = budget_allocate(budget, capacity, sizeof(HistogramEntry),
									   "histogram of a sensitive column");
	histogram->capacity = capacity;
	return histogram;
}

void
histogram_reset(Histogram *histogram)
{
	histogram->members = 0;
	histogram->values = 0;
}

void
histogram_add(Histogram *histogram, int32 code, int64 count)
{
	Assert(histogram->values < histogram->capacity && count > 0);
	histogram->entry[histogram->values++] = (HistogramEntry){.code = code, .count = count};
	histogram->members += count;
}

static int
compare_counts(const void *a, const void *b)
{
	const HistogramEntry *x = a;
	const HistogramEntry *y = b;

	CHECK_FOR_INTERRUPTS();
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return x->code < y->code ? -1 : x->code > y->code;
}

void
histogram_finish(Histogram *histogram)
{
	for (int32 i = 1; i < histogram->values; i++)
	{
		interrupt_check(i);
		if (histogram->entry[i - 1].code > histogram->entry[i].code)
		{
			qsort(histogram->entry, histogram->values, sizeof(HistogramEntry),
				  interrupt_compare_int32);
			return;
		}
	}
}

Histogram
histogram_copy(const Histogram *histogram)
{
	Size size = sizeof(HistogramEntry) * histogram->values;
	Histogram copy = *histogram;

	copy.entry = memcpy(palloc_extended(Max(size, 1), MCXT_ALLOC_HUGE), histogram->entry, size);
	copy.capacity = histogram->values;
	return copy;
}

HistogramEntry *
histogram_by_count(const Histogram *histogram)
{
	HistogramEntry *entry = histogram_copy(histogram).entry;

	qsort(entry, histogram->values, sizeof(HistogramEntry), compare_counts);
	return entry;
}

void
histogram_most_frequent(const Histogram *histogram, int64 members, Histogram *part)
{
	HistogramEntry *entry = histogram_by_count(histogram);

	histogram_reset(part);
	for (int32 i = 0; part->members < members && i < histogram->values; i++)
	{
		interrupt_check(i);
		histogram_add(part, entry[i].code, Min(entry[i].count, members - part->members));
	}
	pfree(entry);
	histogram_finish(part);
}

/*
 * ---- The values of one sensitive column, as privacy models see them.
 *
 * Example: salaries 3, 4, 5 with 2, 1 and 3 members: below = {2, 3, 6},
 * sum_below = {0, 2, 5, 11}.
 */

#define PURPOSE "distribution of a sensitive column"

void
sensitive_domain_prepare(SensitiveDomain *domain, Budget *budget)
{
	const Dimension *hierarchy = domain->hierarchy;

	domain->below = budget_allocate(budget, domain->codes, sizeof(int64), PURPOSE);
	domain->sum_below = budget_allocate(budget, (Size) domain->codes + 1, sizeof(double), PURPOSE);
	if (hierarchy)
		domain->level_count = palloc0(sizeof(int64 *) * (hierarchy->height + 1));
	for (int level = 1; hierarchy && level <= hierarchy->height; level++)
		domain->level_count[level] =
			budget_allocate(budget, hierarchy->cardinality[level], sizeof(int64), PURPOSE);
	sensitive_domain_sum(domain);
}

void
sensitive_domain_sum(SensitiveDomain *domain)
{
	const Dimension *hierarchy = domain->hierarchy;

	domain->members = 0;
	for (int32 code = 0; code < domain->codes; code++)
	{
		interrupt_check(code);
		domain->members += domain->count[code];
		domain->below[code] = domain->members;
		domain->sum_below[code + 1] = domain->sum_below[code] + (double) domain->members;
	}
	for (int level = 1; hierarchy && level <= hierarchy->height; level++)
	{
		int64 *count = domain->level_count[level];

		memset(count, 0, sizeof(int64) * hierarchy->cardinality[level]);
		for (int32 code = 0; code < domain->codes; code++)
		{
			interrupt_check(code);
			count[hierarchy->ancestor[level][code]] += domain->count[code];
		}
	}
}

Histogram
sensitive_domain_whole(const SensitiveDomain *domain)
{
	Histogram whole = {.members = domain->members, .values = domain->codes};

	whole.entry = palloc_extended(sizeof(HistogramEntry) * Max(domain->codes, 1), MCXT_ALLOC_HUGE);
	for (int32 code = 0; code < domain->codes; code++)
	{
		interrupt_check(code);
		whole.entry[code] = (HistogramEntry){.code = code, .count = domain->count[code]};
	}
	return whole;
}
