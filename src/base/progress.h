/*
 * progress.h
 *		Progress of a call: kanon.progress and kanon_progress.
 *
 * A call works in phases.  A phase ends when the next one begins, and the last one ends with the
 * statement.  Loops that may take seconds report how far they are; with the setting off this is a
 * test of one variable.
 */
#ifndef KANON_PROGRESS_H
#define KANON_PROGRESS_H

#include "postgres.h"

#include "base/interrupt.h"
#include "datatype/timestamp.h"

/* kanon.progress. */
extern bool progress_wanted;

/* Bytes of a task's and a phase's name. */
#define PROGRESS_TASK_BYTES 64
#define PROGRESS_PHASE_BYTES (PROGRESS_TASK_BYTES + 32)

/*
 * Says what the next phases of this statement are for, such as "ring, k = 5", if it does one thing
 * after the other; "": for nothing in particular.
 */
extern void progress_task(const char *name);

/*
 * Begins a phase: its name, a literal such as "dividing rows", and the amount of work in units of
 * its own; 0: unknown.
 */
extern void progress_phase(const char *phase, int64 total);

/*
 * Reports the work done in this phase.  From the third second of the statement on, the client gets
 * an INFO message at most once a second.
 */
extern void progress_done(int64 done);

/* Reports the same again: from loops that take seconds without completing anything. */
extern void progress_still(void);

/*
 * In one of INTERRUPT_ROUNDS rounds, calls CHECK_FOR_INTERRUPTS and progress_done with the number
 * of the round.
 */
static inline void
progress_check(int64 round)
{
	interrupt_check(round);
	if (progress_wanted && round % INTERRUPT_ROUNDS == 0)
		progress_done(round);
}

/* The progress of a session, as others see it. */
typedef struct ProgressEntry
{
	int pid; /* 0: no progress yet */
	Oid role;
	TimestampTz statement;            /* start of its statement; the entry says nothing of others */
	TimestampTz began;                /* start of the phase */
	char phase[PROGRESS_PHASE_BYTES]; /* with the task before it */
	int64 done;
	int64 total; /* 0: unknown */
} ProgressEntry;

/*
 * The entries of all sessions that have the setting on and that the current user may watch by the
 * rules of pg_stat_activity, in the current context.  Entries of ended statements are among them.
 * NULL before PostgreSQL 17, where libraries that are not preloaded have no shared memory.
 */
extern ProgressEntry *progress_entries(int *count);

#endif /* KANON_PROGRESS_H */
