/*
 * tuple_spool.h
 *		A spool of tuples: written, then read in the same order.  It spills to a temporary file if
 *		it grows beyond so many kilobytes, at most work_mem.
 */
#ifndef KANON_TUPLE_SPOOL_H
#define KANON_TUPLE_SPOOL_H

#include "postgres.h"

#include "access/tupdesc.h"
#include "executor/tuptable.h"

typedef struct TupleSpool TupleSpool;

/* An empty spool of tuples with these fields, in the current context. */
extern TupleSpool *tuple_spool_create(TupleDesc fields, int kilobytes);

/* Appends a tuple. */
extern void tuple_spool_put(TupleSpool *spool, const Datum *values, const bool *nulls);

/* The next tuple, in the spool's own slot; NULL after the last. */
extern TupleTableSlot *tuple_spool_next(TupleSpool *spool);

/* The next one is the first again. */
extern void tuple_spool_rewind(TupleSpool *spool);

/*
 * Between these two, SQL of the current query scope can read the spool's tuples, from the first, by
 * a name that hides relations of that name.  The columns are the fields.
 */
extern void tuple_spool_offer(TupleSpool *spool, const char *name);
extern void tuple_spool_withdraw(const char *name);

/* Call it before the spool's context is reset or deleted. */
extern void tuple_spool_free(TupleSpool *spool);

/*
 * For sorts and others that may have temporary files: calls "end" with the state when the current
 * context is reset or deleted, unless the query failed.  Everything made earlier in the context or
 * below it still exists then.  The files belong to the query's resource owner.  If the query fails,
 * the owner closes them, before or after the memory is freed.  If it succeeds, they must be closed
 * before it ends.
 */
extern void tuple_spool_watch(void (*end)(void *state), void *state);

#endif /* KANON_TUPLE_SPOOL_H */
