/*
 * interrupt.h
 *		Checks for cancels in tight loops and sorts, and whether a query has failed.
 */
#ifndef KANON_INTERRUPT_H
#define KANON_INTERRUPT_H

#include "postgres.h"

#include "access/xact.h"
#include "miscadmin.h"

#define INTERRUPT_ROUNDS 65536

/*
 * Calls CHECK_FOR_INTERRUPTS once in INTERRUPT_ROUNDS rounds, for loops whose rounds take
 * nanoseconds.
 */
static inline void
interrupt_check(int64 round)
{
	if (round % INTERRUPT_ROUNDS == 0)
		CHECK_FOR_INTERRUPTS();
}

/* Compare what begins with such a number, for qsort and bsearch. */
static inline int
interrupt_compare_int32(const void *a, const void *b)
{
	int32 one = *(const int32 *) a;
	int32 other = *(const int32 *) b;

	CHECK_FOR_INTERRUPTS();
	return one < other ? -1 : one > other;
}

static inline int
interrupt_compare_double(const void *a, const void *b)
{
	double one = *(const double *) a;
	double other = *(const double *) b;

	CHECK_FOR_INTERRUPTS();
	return one < other ? -1 : one > other;
}

/* Has the query failed?  For callbacks that run while its memory and files are cleaned up. */
static inline bool
interrupt_failed(void)
{
	return !IsTransactionState();
}

#endif /* KANON_INTERRUPT_H */
