/*
 * progress.c
 *		See progress.h.
 *
 * Each backend has an entry in shared memory and is its only writer.  Nobody clears entries,
 * because an error may end a statement anywhere.  Instead, an entry says which statement it belongs
 * to, and pg_stat_activity says which one is running.
 */
#include "postgres.h"

#include "base/progress.h"

#include "access/parallel.h"
#include "access/xact.h"
#include "base/compat.h"
#include "catalog/pg_authid.h"
#include "miscadmin.h"
#include "storage/spin.h"
#include "utils/timestamp.h"

#define QUIET_MILLISECONDS 2000
#define EVERY_MILLISECONDS 1000

/* A segment with this name and another size is an error, so a new layout needs a new name. */
#define SEGMENT "kanon_progress 2"

typedef struct ProgressSlot
{
	slock_t mutex;
	ProgressEntry entry;
} ProgressSlot;

bool progress_wanted = false;

/* This backend's progress, and when it last reported it. */
static ProgressEntry current;
static TimestampTz told;

/* What its phases are for, in the statement that started then. */
static char task[PROGRESS_TASK_BYTES];
static TimestampTz task_statement;

static void
empty_slots(void *segment)
{
	ProgressSlot *slot = segment;

	for (int i = 0; i < MaxBackends; i++)
	{
		SpinLockInit(&slot[i].mutex);
		slot[i].entry.pid = 0;
	}
}

/* One slot for each backend; NULL: no shared memory. */
static ProgressSlot *
open_slots(void)
{
	return compat_shared_memory(SEGMENT, mul_size(MaxBackends, sizeof(ProgressSlot)), empty_slots);
}

static void
publish(void)
{
	ProgressSlot *slots = open_slots();
	int own = compat_backend_number();

	if (slots == NULL || own < 0 || own >= MaxBackends)
		return;
	SpinLockAcquire(&slots[own].mutex);
	slots[own].entry = current;
	SpinLockRelease(&slots[own].mutex);
}

static void
tell(TimestampTz now)
{
	double seconds = (double) (now - current.statement) / USECS_PER_SEC;
	char total[32] = ""; /* no memory: where tell is called must not count */

	if (current.total > 0)
		snprintf(total, sizeof(total), " of " INT64_FORMAT, current.total);

	ereport(INFO,
			(errmsg("%s: " INT64_FORMAT "%s, %.0f s", current.phase, current.done, total, seconds),
			 errhidestmt(true), errhidecontext(true)));
}

void
progress_task(const char *name)
{
	snprintf(task, sizeof(task), "%s", name);
	task_statement = GetCurrentStatementStartTimestamp();
}

void
progress_phase(const char *phase, int64 total)
{
	TimestampTz statement = GetCurrentStatementStartTimestamp();

	if (!progress_wanted || IsParallelWorker())
		return;
	if (statement != current.statement)
		told = statement;
	current = (ProgressEntry){.pid = MyProcPid,
							  .role = GetSessionUserId(),
							  .statement = statement,
							  .began = GetCurrentTimestamp(),
							  .total = total};
	snprintf(current.phase, sizeof(current.phase), "%s%s%s",
			 statement == task_statement ? task : "",
			 statement == task_statement && task[0] ? ": " : "", phase);
	publish();
}

void
progress_done(int64 done)
{
	TimestampTz now;

	if (!progress_wanted || IsParallelWorker() || current.pid == 0)
		return;
	current.done = done;
	now = GetCurrentTimestamp();
	if (!TimestampDifferenceExceeds(current.statement, now, QUIET_MILLISECONDS) ||
		!TimestampDifferenceExceeds(told, now, EVERY_MILLISECONDS))
		return;
	told = now;
	publish();
	tell(now);
}

void
progress_still(void)
{
	progress_done(current.done);
}

ProgressEntry *
progress_entries(int *count)
{
	ProgressSlot *slots = open_slots();
	ProgressEntry *entries;
	int found = 0;

	*count = 0;
	if (slots == NULL)
		return NULL;
	entries = palloc(mul_size(MaxBackends, sizeof(ProgressEntry)));
	for (int i = 0; i < MaxBackends; i++)
	{
		ProgressEntry *entry = &entries[found];

		SpinLockAcquire(&slots[i].mutex);
		*entry = slots[i].entry;
		SpinLockRelease(&slots[i].mutex);
		if (entry->pid != 0 && (has_privs_of_role(GetUserId(), ROLE_PG_READ_ALL_STATS) ||
								has_privs_of_role(GetUserId(), entry->role)))
			found++;
	}
	*count = found;
	return entries;
}
