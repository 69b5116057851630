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

#endif /* KANON_DIGIT_LEAVES_H */
