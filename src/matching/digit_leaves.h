/*
 * digit_leaves.h
 *		Counts the ground values that match the digits a cell shows.  A column whose dimension masks
 *		digits has an attribute for each digit, but loses by leaves (metric/loss.h).
 */
#ifndef KANON_DIGIT_LEAVES_H
#define KANON_DIGIT_LEAVES_H

#include "postgres.h"

#include "base/budget.h"
#include "data/recoding.h"

/* The ground values of a dimension as digits. */
typedef struct DigitDomain
{
	int digits;
	int32 values;
	const int32 *letter; /* [value * digits + digit]; below RECODED_MASKED: a letter that no row
						  * has */
	bool has_null;       /* the rows have NULLs */
} DigitDomain;

/* A trie of patterns of shown or hidden digits, one level for each digit. */
typedef struct DigitLeaves DigitLeaves;

/* Without patterns; keeps a pointer to the domain.  In the current context, against the budget. */
extern DigitLeaves *digit_leaves_create(const DigitDomain *domain, Budget *budget);

/*
 * The pattern extended by this letter, or by RECODED_MASKED; the empty pattern is 0. _find: -1 if
 * it was not added.  O(letters). _add raises the error of budget_check.
 */
extern int32 digit_leaves_add(DigitLeaves *leaves, int32 pattern, int32 letter);
extern int32 digit_leaves_find(const DigitLeaves *leaves, int32 pattern, int32 letter);

/* Counts the values of all patterns.  For each way to hide digits, O(values) time and memory. */
extern void digit_leaves_count(DigitLeaves *leaves);

/* The number of values that match a whole pattern, after counting. */
extern int32 digit_leaves_values(const DigitLeaves *leaves, int32 pattern);

/*
 * The loss of a pattern, after counting; for a prefix, the least loss of any pattern that begins
 * with it.
 */
extern double digit_leaves_loss(const DigitLeaves *leaves, int32 pattern);

/*
 * ---- What cells of a column of digits cost, as integers: their loss as it is reported
 * (digit_leaves.h), which is no sum over the digits.
 *
 * A record covers its own row, so its cell is the row's value with some digits hidden.
 */

typedef struct DigitCosts DigitCosts;

/*
 * For a column that costs "most" if everything is hidden; in the current context, against the
 * budget, which must both outlive it.  NULL if there are too many cells to count.
 */
extern DigitCosts *digit_costs_create(const DigitDomain *domain, double most, Budget *budget);

extern int digit_costs_digits(const DigitCosts *costs);

/* The number of the value with these letters; -1 for none, such as NULL's.  O(log values). */
extern int32 digit_costs_value(const DigitCosts *costs, const int32 *letter);

/*
 * The cost of a value's cell with these digits hidden, by bit.  The first time for some digits
 * O(values * log(values)), then O(1).
 */
extern int32 digit_costs_of(DigitCosts *costs, int32 value, uint32 hidden);

#endif /* KANON_DIGIT_LEAVES_H */
