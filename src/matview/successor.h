/*
 * successor.h
 *		New contents for a materialized view, filled beside the old ones and swapped in at once; and
 *		another query for it.
 *
 * REFRESH blocks readers for its whole duration.  REFRESH CONCURRENTLY needs a unique index and
 * keeps unchanged rows in place, so the order shows which rows are new.  Here a separate table is
 * filled, as REFRESH does, while the view stays readable; the order of its rows is that of the
 * view's query and reveals nothing of the old contents.  Its indexes are built there, too.  Then
 * the files are swapped.  The view keeps its OID, and with it grants, dependent views, comments and
 * all other references to it and its indexes.
 *
 * After a rollback or crash, the view has its old contents.
 */
#ifndef KANON_SUCCESSOR_H
#define KANON_SUCCESSOR_H

#include "postgres.h"

#include "nodes/parsenodes.h"
#include "tcop/dest.h"
#include "utils/relcache.h"

typedef struct Successor
{
	Relation view; /* open */
	Oid table;     /* with the same columns and owner, in its schema; invisible to others */
	uint64 rows;
	List *indexes; /* OIDs of its indexes, in the order of the view's */
} Successor;

/*
 * Parses a SELECT as the query of a materialized view; in the current context.  Raises the errors
 * of CREATE MATERIALIZED VIEW.  _columns are those of its rows.
 */
extern Query *successor_parse(const char *select);
extern TupleDesc successor_columns(const Query *query);

/*
 * Replaces the view's query by one with columns of the same types, like CREATE OR REPLACE VIEW: the
 * view and its dependents stay.  Keeps the contents but deletes their statistics, which would show
 * readers values that are to disappear.  Run as the view's owner, with AccessExclusiveLock.
 */
extern void successor_take_query(Oid view, const Query *query);

/*
 * Fills a successor of the view by "query", or by the view's own query if that is NULL, in the
 * active snapshot.  The caller has locked the view with at least ExclusiveLock and runs as its
 * owner.  "watcher" sees all rows as well, in their order.  Cost: the query, rows written a page at
 * a time, and the index builds.  Errors: those of the query and of unique indexes;
 * ERRCODE_OBJECT_IN_USE if this session is reading the view.
 */
extern Successor successor_fill(Oid view, Query *query, DestReceiver *watcher);

/*
 * Takes the strongest lock on a view without blocking readers for long.
 *
 * A backend that waits for AccessExclusiveLock blocks all readers that come after it.  A single
 * open transaction could then keep everybody out for an hour.  So this waits in the lock queue only
 * for a moment, then outside it for ten times as long, over and over.  It takes the lock as soon as
 * it is free.  Readers wait for a moment at most, an eleventh of the time.
 *
 * The moment is a little longer than deadlock_timeout, so PostgreSQL still detects a deadlock with
 * a reader that waits for a lock of this transaction.
 *
 * Takes AccessExclusiveLock until the end of the transaction on a relation that this transaction
 * has already locked against all but readers. "name" is qualified and quoted.  Waits up to
 * lock_timeout; 0: forever.  Errors: ERRCODE_LOCK_NOT_AVAILABLE after lock_timeout;
 * ERRCODE_T_R_DEADLOCK_DETECTED.  Answers a cancel.
 */
extern void successor_lock(Oid relation, const char *name);

/*
 * Gives the view the successor's contents and drops the successor.  The caller holds
 * AccessExclusiveLock on the view and should commit soon, because readers wait from now on.  Cost:
 * a few catalog rows for each index.
 */
extern void successor_swap(Successor *successor);

#endif /* KANON_SUCCESSOR_H */
