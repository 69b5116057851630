/*
 * tuple_spool.h
 *		Tuples that are put down and then read once in the same order: in memory while they are
 *		few, else in a temporary file.
 */
#ifndef KANON_TUPLE_SPOOL_H
#define KANON_TUPLE_SPOOL_H

#include "postgres.h"

#include "access/tupdesc.h"
#include "executor/tuptable.h"

typedef struct TupleSpool TupleSpool;

/* An empty one, of tuples with these fields; in the current context, within work_mem. */
extern TupleSpool *tuple_spool_create(TupleDesc fields);

/* Behind the last one. */
extern void tuple_spool_put(TupleSpool *spool, const Datum *values, const bool *nulls);
extern void tuple_spool_put_slot(TupleSpool *spool, TupleTableSlot *slot);

/* The next tuple, in a slot that is the spool's; NULL behind the last one. */
extern TupleTableSlot *tuple_spool_next(TupleSpool *spool);

/* Before its context goes. */
extern void tuple_spool_free(TupleSpool *spool);

#endif /* KANON_TUPLE_SPOOL_H */
