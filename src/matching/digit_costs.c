/*
 * digit_costs.c
 *		See digit_costs.h.
 *
 * Example: the values 111, 112, 212 and a cost of 10 for all of them.  With the last digit hidden
 * 111 and 112 look alike, so each costs 10 * (2 - 1) / (3 - 1) = 5 and 212 nothing.
 */
#include "postgres.h"

#include "matching/digit_costs.h"

#include <math.h>

#include "metric/loss.h"
#include "miscadmin.h"

#define PURPOSE "digits of values"
#define DIGITS_MOST 12
#define CELLS_MOST (INT64CONST(1) << 22)

struct DigitCosts
{
	MemoryContext context;
	Budget *budget;
	const DigitDomain *domain;
	double most;
	uint32 hidden;        /* digits that comparisons ignore */
	const int32 **order;  /* letters of values, sorted by the digits that are not hidden */
	const int32 **sorted; /* letters of values, sorted by all digits */
	uint16 **cost;        /* [hidden digits]: [value]; NULL: not known yet */
};

/* Compares letters of values by the digits that are shown. */
static int
compare_letters(const void *a, const void *b, void *arg)
{
	const DigitCosts *costs = arg;
	const int32 *one = *(const int32 *const *) a;
	const int32 *other = *(const int32 *const *) b;

	CHECK_FOR_INTERRUPTS();
	for (int digit = 0; digit < costs->domain->digits; digit++)
		if (!(costs->hidden & 1U << digit) && one[digit] != other[digit])
			return one[digit] < other[digit] ? -1 : 1;
	return 0;
}

static void
sort_letters(DigitCosts *costs, const int32 **order, uint32 hidden)
{
	for (int32 i = 0; i < costs->domain->values; i++)
		order[i] = costs->domain->letter + (int64) i * costs->domain->digits;
	costs->hidden = hidden;
	qsort_arg(order, costs->domain->values, sizeof(int32 *), compare_letters, costs);
}

/* The value with these letters of the domain. */
static inline int32
value_of(const DigitCosts *costs, const int32 *letter)
{
	return (int32) ((letter - costs->domain->letter) / costs->domain->digits);
}

DigitCosts *
digit_costs_create(const DigitDomain *domain, double most, Budget *budget)
{
	DigitCosts *costs;

	if (domain->digits > DIGITS_MOST || (int64) domain->values << domain->digits > CELLS_MOST)
		return NULL;
	costs = palloc0(sizeof(DigitCosts));
	costs->context = CurrentMemoryContext;
	costs->budget = budget;
	costs->domain = domain;
	costs->most = most;
	costs->order = budget_allocate(budget, domain->values, sizeof(int32 *), PURPOSE);
	costs->sorted = budget_allocate(budget, domain->values, sizeof(int32 *), PURPOSE);
	costs->cost = budget_allocate(budget, (Size) 1 << domain->digits, sizeof(uint16 *), PURPOSE);
	sort_letters(costs, costs->sorted, 0);
	return costs;
}

int32
digit_costs_value(DigitCosts *costs, const int32 *letter)
{
	const int32 **found;

	costs->hidden = 0;
	found = bsearch_arg(&letter, costs->sorted, costs->domain->values, sizeof(int32 *),
						compare_letters, costs);
	return found ? value_of(costs, *found) : -1;
}

/* Values that look alike stand side by side. */
static uint16 *
count_cells(DigitCosts *costs, uint32 hidden)
{
	int32 values = costs->domain->values;
	uint16 *cost = budget_allocate_in(costs->budget, costs->context,
									  mul_size(sizeof(uint16), values), PURPOSE);

	sort_letters(costs, costs->order, hidden);
	for (int32 begin = 0, end; begin < values; begin = end)
	{
		double loss;

		for (end = begin + 1;
			 end < values && compare_letters(&costs->order[begin], &costs->order[end], costs) == 0;)
			end++;
		loss = loss_of_leaves(end - begin, values);
		for (int32 i = begin; i < end; i++)
			cost[value_of(costs, costs->order[i])] =
				loss > 0 ? (uint16) Max(rint(loss * costs->most), 1) : 0;
	}
	return cost;
}

int32
digit_costs_of(DigitCosts *costs, int32 value, uint32 hidden)
{
	const DigitDomain *domain = costs->domain;

	if (hidden == 0)
		return 0;
	if (value < 0 || hidden == (1U << domain->digits) - 1)
		return (int32) rint(loss_of_all(domain->values, domain->has_null) * costs->most);
	if (costs->cost[hidden] == NULL)
		costs->cost[hidden] = count_cells(costs, hidden);
	return costs->cost[hidden][value];
}
