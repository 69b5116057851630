/*
 * patient_lock.c
 *		See patient_lock.h.
 */
#include "postgres.h"

#include "sql/patient_lock.h"

#include "miscadmin.h"
#include "sql/query_jobs.h"
#include "sql/text_settings.h"
#include "storage/latch.h"
#include "storage/lmgr.h"
#include "storage/proc.h"
#include "utils/timestamp.h"
#include "utils/wait_event.h"

#define SLACK 100 /* milliseconds of delay allowed for the deadlock check */
#define PAUSES 10 /* moments outside the queue for each one in it */
#define LOOK 20   /* milliseconds between looks outside the queue */

typedef struct LockWait
{
	Oid relation;
	int moment; /* milliseconds */
} LockWait;

static void
wait_in_queue(void *state)
{
	const LockWait *wait = state;
	int guc_nest_level = text_settings_begin();

	text_settings_pin_one("lock_timeout", psprintf("%d", wait->moment));
	LockRelationOid(wait->relation, AccessExclusiveLock);
	text_settings_end(guc_nest_level);
}

/* Waits in the lock queue for this many milliseconds.  True if it got the lock. */
static bool
queue(Oid relation, int moment)
{
	ErrorData *error =
		query_undo(wait_in_queue, &(LockWait){.relation = relation, .moment = moment});

	if (error == NULL)
		return true;
	if (error->sqlerrcode != ERRCODE_LOCK_NOT_AVAILABLE)
		ReThrowError(error);
	FreeErrorData(error);
	return false;
}

/* Tries the lock repeatedly for this many milliseconds.  True if it got the lock. */
static bool
look(Oid relation, int pause)
{
	TimestampTz start = GetCurrentTimestamp();

	for (;;)
	{
		CHECK_FOR_INTERRUPTS();
		if (ConditionalLockRelationOid(relation, AccessExclusiveLock))
			return true;
		if (TimestampDifferenceExceeds(start, GetCurrentTimestamp(), pause))
			return false;
		(void) WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH, LOOK,
						 WAIT_EVENT_PG_SLEEP);
		ResetLatch(MyLatch);
	}
}

void
patient_lock(Oid relation, const char *name)
{
	TimestampTz start = GetCurrentTimestamp();
	int moment = DeadlockTimeout + SLACK;
	int allowed = LockTimeout;

	for (;;)
	{
		long left = allowed - TimestampDifferenceMilliseconds(start, GetCurrentTimestamp());

		if (allowed > 0 && left <= 0)
			ereport(
				ERROR,
				(errcode(ERRCODE_LOCK_NOT_AVAILABLE),
				 errmsg("could not lock relation %s within lock_timeout because it was being read",
						name)));
		if (look(relation, 0) || queue(relation, allowed > 0 ? (int) Min(moment, left) : moment))
			return;
		left = allowed - TimestampDifferenceMilliseconds(start, GetCurrentTimestamp());
		if (look(relation,
				 allowed > 0 ? (int) Max(Min(PAUSES * moment, left), 0) : PAUSES * moment))
			return;
	}
}
