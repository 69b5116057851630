/*
 * progress.h
 *		How far a call has got, for those who wait: kanon.progress and kanon_progress.
 *
 * Work is a row of phases, one at a time: a phase begins where the one before it ends, and the
 * last one ends with the statement.  Loops that may take seconds tell how far they are; with the
 * setting off that is a test of one variable.
 */
#ifndef KANON_PROGRESS_H
#define KANON_PROGRESS_H

#include "postgres.h"

#include "base/interrupt.h"
#include "datatype/timestamp.h"

/* kanon.progress. */
extern bool progress_wanted;

/*
 * A phase begins: a literal such as "dividing rows", and how much there is to do, in units of its
 * own; 0: nobody knows.
 */
extern void progress_phase(const char *phase, int64 total);

/*
 * So much of it is done.  From the statement's third second on, and once a second, the
 * client is told by a message of level INFO.
 */
extern void progress_done(int64 done);

/* CHECK_FOR_INTERRUPTS and progress_done once in many rounds, of which this is that number. */
static inline void
progress_check(int64 round)
{
	interrupt_check(round);
	if (progress_wanted && round % INTERRUPT_ROUNDS == 0)
		progress_done(round);
}

/* What a session does, as others see it. */
typedef struct ProgressEntry
{
	int pid; /* 0: nothing */
	Oid role;
	TimestampTz
		statement;     /* when its statement began; another one of that session is none of this */
	TimestampTz began; /* the phase */
	char phase[32];
	int64 done;
	int64 total; /* 0: unknown */
} ProgressEntry;

/*
 * The entries of all sessions with the setting on whose role the current user may
 * watch, as pg_stat_activity tells; in the current context.  Those of statements that ended are
 * among them.  None before PostgreSQL 17, which has no shared memory for libraries that are
 * loaded late.
 */
extern ProgressEntry *progress_entries(int *count);

#endif /* KANON_PROGRESS_H */
