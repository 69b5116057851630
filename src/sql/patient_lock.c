/*
 * patient_lock.c
 *		See patient_lock.h.
 */
#include "postgres.h"

#include "sql/patient_lock.h"

#include "access/xact.h"
#include "miscadmin.h"
#include "sql/text_settings.h"
#include "storage/latch.h"
#include "storage/lmgr.h"
#include "storage/proc.h"
#include "utils/resowner.h"
#include "utils/timestamp.h"
#include "utils/wait_event.h"

#define SLACK 100 /* milliseconds of delay allowed for the deadlock check */
#define PAUSES 10 /* moments outside the queue for each one in it */
#define LOOK 20   /* milliseconds between looks outside the queue */

/* Undoes the subtransaction if the error is that of lock_timeout; otherwise raises it again. */
static void
catch_timeout(MemoryContext context, ResourceOwner owner)
{
	ErrorData *error;

	MemoryContextSwitchTo(context);
	error = CopyErrorData();
	FlushErrorState();
	RollbackAndReleaseCurrentSubTransaction();
	MemoryContextSwitchTo(context);
	CurrentResourceOwner = owner;
	if (error->sqlerrcode != ERRCODE_LOCK_NOT_AVAILABLE)
		ReThrowError(error);
	FreeErrorData(error);
}

/* Waits in the lock queue for this many milliseconds.  True if it got the lock. */
static bool
queue(Oid relation, int moment)
{
	MemoryContext context = CurrentMemoryContext;
	ResourceOwner owner = CurrentResourceOwner;
	volatile bool locked = false;

	BeginInternalSubTransaction(NULL);
	MemoryContextSwitchTo(context);
	PG_TRY();
	{
		int guc_nest_level = text_settings_begin();

		text_settings_pin_one("lock_timeout", psprintf("%d", moment));
		LockRelationOid(relation, AccessExclusiveLock);
		text_settings_end(guc_nest_level);
		ReleaseCurrentSubTransaction();
		MemoryContextSwitchTo(context);
		CurrentResourceOwner = owner;
		locked = true;
	}
	PG_CATCH();
	{
		catch_timeout(context, owner);
	}
	PG_END_TRY();
	return locked;
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
