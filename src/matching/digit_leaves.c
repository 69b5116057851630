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

#include "base/interrupt.h"
#include "metric/loss.h"

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
	int32 room;
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
	if (leaves->nodes == leaves->room)
	{
		leaves->node = budget_enlarge(leaves->budget, leaves->node, leaves->room,
									  2 * (Size) leaves->room, sizeof(DigitNode), PURPOSE);
		leaves->room *= 2;
	}
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
