/*
 * patient_lock.h
 *		Takes the strongest lock on a relation without blocking readers for long.
 *
 * A backend that waits for AccessExclusiveLock blocks all readers that come after it.  A single
 * open transaction could then keep everybody out for an hour.  So this waits in the lock queue only
 * for a moment, then outside it for ten times as long, over and over.  It takes the lock as soon as
 * it is free.  Readers wait for a moment at most, an eleventh of the time.
 *
 * The moment is a little longer than deadlock_timeout, so PostgreSQL still detects a deadlock with
 * a reader that waits for a lock of this transaction.
 */
#ifndef KANON_PATIENT_LOCK_H
#define KANON_PATIENT_LOCK_H

#include "postgres.h"

/*
 * Takes AccessExclusiveLock until the end of the transaction on a relation that this transaction
 * has already locked against all but readers. "name" is qualified and quoted.  Waits up to
 * lock_timeout; 0: forever.  Errors: ERRCODE_LOCK_NOT_AVAILABLE after lock_timeout;
 * ERRCODE_T_R_DEADLOCK_DETECTED.  Answers a cancel.
 */
extern void patient_lock(Oid relation, const char *name);

#endif /* KANON_PATIENT_LOCK_H */
