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

#define PURPOSE "distribution of a sensitive column"

static void
sum_levels(SensitiveDomain *domain, Budget *budget)
{
	const Dimension *hierarchy = domain->hierarchy;

	domain->level_count = palloc0(sizeof(int64 *) * (hierarchy->height + 1));
	for (int level = 1; level <= hierarchy->height; level++)
	{
		int64 *count =
			budget_allocate(budget, hierarchy->cardinality[level], sizeof(int64), PURPOSE);

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
	domain->below = budget_allocate(budget, domain->codes, sizeof(int64), PURPOSE);
	domain->sum_below = budget_allocate(budget, (Size) domain->codes + 1, sizeof(double), PURPOSE);
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
