/*
 * digit_leaves.c
 *		See digit_leaves.h.
 *
 * Values are counted for all patterns at once.  Where a letter is shown, the values with that
 * letter continue; where the digit is hidden, all do.  Those that reach the end of a pattern match
 * all the digits that it shows.
 *
 * Example: the values 111, 112, 212 and the patterns 11*, *12.  Two values begin with 1, both
 * continue with 1, and both match where the last digit is hidden: 11* loses (2 - 1) / (3 - 1).  All
 * three continue where the first digit is hidden, all to 1, two of them to 2.
 */
#include "postgres.h"

#include "matching/digit_leaves.h"

#include <math.h>

#include "base/interrupt.h"
#include "metric/loss.h"
#include "miscadmin.h"

#define PURPOSE "digits of values"

typedef struct DigitNode
{
	int32 letter;
	int32 child;   /* first child; 0: none */
	int32 sibling; /* next sibling; 0: none */
	int32 values;  /* values that match */
	double loss;   /* of a prefix, the least of all patterns that begin with it */
} DigitNode;

struct DigitLeaves
{
	const DigitDomain *domain;
	Budget *budget;
	DigitNode *node;
	int32 nodes;
	int64 room;
};

DigitLeaves *
digit_leaves_create(const DigitDomain *domain, Budget *budget)
{
	DigitLeaves *leaves = palloc0(sizeof(DigitLeaves));

	leaves->domain = domain;
	leaves->budget = budget;
	leaves->room = 64;
	leaves->node = budget_allocate(budget, leaves->room, sizeof(DigitNode), PURPOSE);
	leaves->node[leaves->nodes++] = (DigitNode){.letter = RECODED_MASKED};
	return leaves;
}

int32
digit_leaves_find(const DigitLeaves *leaves, int32 pattern, int32 letter)
{
	int32 child = leaves->node[pattern].child;

	while (child > 0 && leaves->node[child].letter != letter)
		child = leaves->node[child].sibling;
	return child > 0 ? child : -1;
}

int32
digit_leaves_add(DigitLeaves *leaves, int32 pattern, int32 letter)
{
	int32 found = digit_leaves_find(leaves, pattern, letter);

	if (found >= 0)
		return found;
	leaves->node = budget_room(leaves->budget, leaves->node, &leaves->room,
							   (int64) leaves->nodes + 1, sizeof(DigitNode), PURPOSE);
	leaves->node[leaves->nodes] =
		(DigitNode){.letter = letter, .sibling = leaves->node[pattern].child};
	return leaves->node[pattern].child = leaves->nodes++;
}

/* Moves the values with this letter to the front; returns their number. */
static int32
bring_forward(const DigitDomain *domain, int32 *value, int32 count, int digit, int32 letter)
{
	int32 found = 0;

	for (int32 i = 0; i < count; i++)
	{
		int32 here = value[i];

		interrupt_check(i);
		if (domain->letter[(int64) here * domain->digits + digit] != letter)
			continue;
		value[i] = value[found];
		value[found++] = here;
	}
	return found;
}

/* Counts a pattern and its extensions; the values given match its digits. */
static double
count_values(DigitLeaves *leaves, int32 pattern, int digit, bool hides_all, int32 *value,
			 int32 count)
{
	const DigitDomain *domain = leaves->domain;
	double loss = 1;

	CHECK_FOR_INTERRUPTS();
	leaves->node[pattern].values = count;
	if (digit == domain->digits)
		loss = hides_all ? loss_of_all(count, domain->has_null)
						 : loss_of_leaves(count, domain->values);
	for (int32 child = leaves->node[pattern].child; child > 0; child = leaves->node[child].sibling)
	{
		int32 letter = leaves->node[child].letter;
		bool hides = letter == RECODED_MASKED;
		int32 having = hides ? count : bring_forward(domain, value, count, digit, letter);
		double least = count_values(leaves, child, digit + 1, hides_all && hides, value, having);

		loss = Min(loss, least);
	}
	return leaves->node[pattern].loss = loss;
}

void
digit_leaves_count(DigitLeaves *leaves)
{
	int32 count = leaves->domain->values;
	int32 *value = budget_allocate(leaves->budget, count, sizeof(int32), PURPOSE);

	for (int32 i = 0; i < count; i++)
	{
		interrupt_check(i);
		value[i] = i;
	}
	count_values(leaves, 0, 0, true, value, count);
	pfree(value);
}

int32
digit_leaves_values(const DigitLeaves *leaves, int32 pattern)
{
	return leaves->node[pattern].values;
}

double
digit_leaves_loss(const DigitLeaves *leaves, int32 pattern)
{
	return leaves->node[pattern].loss;
}

/*
 * ---- Costs.
 *
 * Example: the values 111, 112, 212 and a cost of 10 for all of them.  With the last digit hidden
 * 111 and 112 look alike, so each costs 10 * (2 - 1) / (3 - 1) = 5 and 212 nothing.
 */

#define DIGITS_MOST 12
#define CELLS_MOST (INT64CONST(1) << 22)

struct DigitCosts
{
	MemoryContext context;
	Budget *budget;
	const DigitDomain *domain;
	double most;
	uint32 hidden; /* of the current sort */
	int32 *order;  /* values, sorted by the digits that are not hidden */
	int32 *sorted; /* values, sorted by all digits */
	uint16 **cost; /* [hidden digits]: [value]; NULL: not known yet */
};

/* Compares values by the digits that are shown. */
static int
compare_values(const void *a, const void *b, void *arg)
{
	const DigitCosts *costs = arg;
	const DigitDomain *domain = costs->domain;
	const int32 *one = domain->letter + (int64) * (const int32 *) a * domain->digits;
	const int32 *other = domain->letter + (int64) * (const int32 *) b * domain->digits;

	CHECK_FOR_INTERRUPTS();
	for (int digit = 0; digit < domain->digits; digit++)
		if (!(costs->hidden & 1U << digit) && one[digit] != other[digit])
			return one[digit] < other[digit] ? -1 : 1;
	return 0;
}

static void
sort_values(DigitCosts *costs, int32 *order, uint32 hidden)
{
	for (int32 i = 0; i < costs->domain->values; i++)
		order[i] = i;
	costs->hidden = hidden;
	qsort_arg(order, costs->domain->values, sizeof(int32), compare_values, costs);
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
	costs->order = budget_allocate(budget, domain->values, sizeof(int32), PURPOSE);
	costs->sorted = budget_allocate(budget, domain->values, sizeof(int32), PURPOSE);
	costs->cost = budget_allocate(budget, (Size) 1 << domain->digits, sizeof(uint16 *), PURPOSE);
	sort_values(costs, costs->sorted, 0);
	return costs;
}

int
digit_costs_digits(const DigitCosts *costs)
{
	return costs->domain->digits;
}

int32
digit_costs_value(const DigitCosts *costs, const int32 *letter)
{
	const DigitDomain *domain = costs->domain;
	int32 begin = 0;
	int32 end = domain->values;

	while (begin < end)
	{
		int32 middle = begin + (end - begin) / 2;
		const int32 *here = domain->letter + (int64) costs->sorted[middle] * domain->digits;
		int digit = 0;

		while (digit < domain->digits && here[digit] == letter[digit])
			digit++;
		if (digit == domain->digits)
			return costs->sorted[middle];
		if (here[digit] < letter[digit])
			begin = middle + 1;
		else
			end = middle;
	}
	return -1;
}

/* Values that look alike stand side by side. */
static uint16 *
count_cells(DigitCosts *costs, uint32 hidden)
{
	int32 values = costs->domain->values;
	uint16 *cost = budget_allocate_in(costs->budget, costs->context,
									  mul_size(sizeof(uint16), values), PURPOSE);

	sort_values(costs, costs->order, hidden);
	for (int32 begin = 0, end; begin < values; begin = end)
	{
		double loss;

		for (end = begin + 1;
			 end < values && compare_values(&costs->order[begin], &costs->order[end], costs) == 0;)
			end++;
		loss = loss_of_leaves(end - begin, values);
		for (int32 i = begin; i < end; i++)
			cost[costs->order[i]] = loss > 0 ? (uint16) Max(rint(loss * costs->most), 1) : 0;
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
