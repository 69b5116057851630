/*
 * interrupt.h
 *		Checks for cancels in tight loops, and whether a query has failed.
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

/* Has the query failed?  For callbacks that run while its memory and files are cleaned up. */
static inline bool
interrupt_failed(void)
{
	return !IsTransactionState();
}

#endif /* KANON_INTERRUPT_H */
