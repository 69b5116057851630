/*
 * digit_leaves.h
 *		How many ground values have the digits that a cell shows: a column whose dimension
 *		masks digits has an attribute for each, but loses by leaves (metric/loss.h).
 */
#ifndef KANON_DIGIT_LEAVES_H
#define KANON_DIGIT_LEAVES_H

#include "postgres.h"

#include "base/budget.h"
#include "data/recoding.h"

/* The ground values of a dimension, digit by digit. */
typedef struct DigitDomain
{
	int digits;
	int32 values;
	const int32 *letter; /* [value * digits + digit]: < RECODED_MASKED: one that no row has */
	bool has_null;       /* the rows have NULLs */
} DigitDomain;

/* Patterns of digits, each of which is shown or hidden, as a tree: a level for each digit. */
typedef struct DigitLeaves DigitLeaves;

/* Without patterns; keeps the domain.  In the current context, against the budget. */
extern DigitLeaves *digit_leaves_create(const DigitDomain *domain, Budget *budget);

/*
 * The pattern that goes on with this letter, or RECODED_MASKED; the empty one is 0.  _find: -1 if
 * it was not added.  O(letters).  _add: error as budget_check.
 */
extern int32 digit_leaves_add(DigitLeaves *leaves, int32 pattern, int32 letter);
extern int32 digit_leaves_find(const DigitLeaves *leaves, int32 pattern, int32 letter);

/*
 * Counts the values of all patterns.  O(values), and memory for as many, for each way to hide
 * digits.
 */
extern void digit_leaves_count(DigitLeaves *leaves);

/* How many values have what a whole pattern shows that was counted. */
extern int32 digit_leaves_values(const DigitLeaves *leaves, int32 pattern);

/*
 * What a pattern loses that was counted; of a part, the least that patterns lose which begin so.
 */
extern double digit_leaves_loss(const DigitLeaves *leaves, int32 pattern);

#endif /* KANON_DIGIT_LEAVES_H */
