/*
 * interrupt.h
 *		Cancels in tight loops, and what follows them.
 */
#ifndef KANON_INTERRUPT_H
#define KANON_INTERRUPT_H

#include "postgres.h"

#include "access/xact.h"
#include "miscadmin.h"

#define INTERRUPT_ROUNDS 65536

/* CHECK_FOR_INTERRUPTS once in many rounds: where a round takes nanoseconds. */
static inline void
interrupt_check(int64 round)
{
	if (round % INTERRUPT_ROUNDS == 0)
		CHECK_FOR_INTERRUPTS();
}

/* Has the query failed?  For who is called while what is left of it goes. */
static inline bool
interrupt_failed(void)
{
	return !IsTransactionState();
}

#endif /* KANON_INTERRUPT_H */
