/*
 * digit_costs.h
 *		What cells of a column of digits cost, as integers: their loss as it is reported
 *		(metric/loss.h), which is no sum over the digits.
 *
 * A record covers its own row, so its cell is the row's value with some digits hidden.
 */
#ifndef KANON_DIGIT_COSTS_H
#define KANON_DIGIT_COSTS_H

#include "postgres.h"

#include "matching/matching.h"

typedef struct DigitCosts DigitCosts;

/*
 * For a column that costs "most" if everything is hidden; in the current context, against the
 * budget, which must both outlive it.  NULL if there are too many cells to count.
 * O(values * log(values)).
 */
extern DigitCosts *digit_costs_create(const DigitDomain *domain, double most, Budget *budget);

/* The number of the value with these letters; -1 for none, such as NULL's.  O(log values). */
extern int32 digit_costs_value(DigitCosts *costs, const int32 *letter);

/*
 * The cost of a value's cell with these digits hidden, by bit.  The first time for some digits
 * O(values * log(values)), then O(1).
 */
extern int32 digit_costs_of(DigitCosts *costs, int32 value, uint32 hidden);

#endif /* KANON_DIGIT_COSTS_H */
