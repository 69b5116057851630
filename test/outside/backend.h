/*
 * backend.h
 *		What ranks 1 to 4 use of a PostgreSQL backend, without one.
 *
 * palloc is malloc: a chunk is a block of its own, so that AddressSanitizer
 * sees each byte beside it, and it is filled with junk and aligned to 8 bytes
 * and no more, which is all that palloc promises.  A memory context has what its chunks
 * have and no blocks; backend_forget empties and forgets them all.  An error of ereport or Assert
 *goes to the innermost backend_try.  Temporary files lie in memory.
 */
#ifndef OUTSIDE_BACKEND_H
#define OUTSIDE_BACKEND_H

#include "postgres.h"

typedef struct BackendError
{
	int sqlstate;
	char message[512];
} BackendError;

/* Runs a function; false, and what was raised, if it ended with an error. */
extern bool backend_try(void (*run)(void *argument), void *argument, BackendError *error);

/* Bytes in chunks that are not freed, and the most there ever were since backend_forget. */
extern Size backend_memory(void);
extern Size backend_peak(void);

/* Temporary files that are open. */
extern int backend_tapes(void);

/* Frees all chunks and closes all temporary files, as the end of a query does. */
extern void backend_forget(void);

/* The n-th CHECK_FOR_INTERRUPTS from now is answered by a cancel; 0: none is. */
extern void backend_cancel_after(int64 checks);

#endif /* OUTSIDE_BACKEND_H */
