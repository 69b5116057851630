/*
 * sensitive_domain.c
 *		See sensitive_domain.h.
 *
 * Example: salaries 3, 4, 5 with 2, 1 and 3 members: below = {2, 3, 6},
 * sum_below = {0, 2, 5, 11}.
 */
#include "postgres.h"

#include "model/sensitive_domain.h"

#include "base/interrupt.h"

static void *
allocate(Size count, Size size, Budget *budget)
{
	Size bytes = mul_size(Max(count, 1), size);

	budget_take(budget, bytes, "distribution of a sensitive column");
	return palloc_extended(bytes, MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
}

static void
sum_levels(SensitiveDomain *domain, Budget *budget)
{
	const Dimension *hierarchy = domain->hierarchy;

	domain->level_count = palloc0(sizeof(int64 *) * (hierarchy->height + 1));
	for (int level = 1; level <= hierarchy->height; level++)
	{
		int64 *count = allocate(hierarchy->cardinality[level], sizeof(int64), budget);

		for (int32 code = 0; code < domain->codes; code++)
		{
			interrupt_check(code);
			count[hierarchy->ancestor[level][code]] += domain->count[code];
		}
		domain->level_count[level] = count;
	}
}

void
sensitive_domain_prepare(SensitiveDomain *domain, Budget *budget)
{
	domain->below = allocate(domain->codes, sizeof(int64), budget);
	domain->sum_below = allocate((Size) domain->codes + 1, sizeof(double), budget);
	domain->members = 0;
	for (int32 code = 0; code < domain->codes; code++)
	{
		interrupt_check(code);
		domain->members += domain->count[code];
		domain->below[code] = domain->members;
		domain->sum_below[code + 1] = domain->sum_below[code] + (double) domain->members;
	}
	if (domain->hierarchy)
		sum_levels(domain, budget);
}
