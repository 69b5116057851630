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
