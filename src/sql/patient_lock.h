/*
 * patient_lock.h
 *		The strongest lock on a relation, taken without keeping others from reading it meanwhile.
 *
 * Whoever waits for AccessExclusiveLock stands in a queue, and all who come after stand behind
 * them: one reader whose transaction stays open for an hour would so keep all others out for an
 * hour.  So this waits in the queue for a moment only, and then beside it for ten times as long,
 * over and over: it takes the lock as soon as there is nobody, and others wait for that moment at
 * most, an eleventh of the time.
 *
 * The moment is a little longer than deadlock_timeout.  So PostgreSQL still finds out when a
 * reader waits for a lock that this transaction holds, at the latest in the next moment.
 */
#ifndef KANON_PATIENT_LOCK_H
#define KANON_PATIENT_LOCK_H

#include "postgres.h"

/*
 * Takes AccessExclusiveLock, until the end of the transaction, on a relation that this
 * transaction has locked against all but readers.  Waits as long as lock_timeout allows for, 0:
 * for ever.  "name" is qualified and quoted.  Errors: ERRCODE_LOCK_NOT_AVAILABLE after
 * lock_timeout; ERRCODE_T_R_DEADLOCK_DETECTED.  Answers a cancel.
 */
extern void patient_lock(Oid relation, const char *name);

#endif /* KANON_PATIENT_LOCK_H */
