/*
 * successor.h
 *		New contents for a materialized view, or for a table that is filled like one, beside the old
 *		ones and swapped in at once; and another query for it.
 *
 * REFRESH blocks readers for its whole duration.  REFRESH CONCURRENTLY needs a unique index and
 * keeps unchanged rows in place, so the order shows which rows are new.  Here a separate table is
 * filled, as REFRESH does, while the view stays readable; the order of its rows is that of the
 * view's query and reveals nothing of the old contents.  Its indexes are built there, too.  Then
 * the files are swapped, and with them the TOAST tables.  The view keeps its OID, and with it
 * grants, dependent views, comments and all other references to it and its indexes.
 *
 * After a rollback or crash, the view has its old contents.
 */
#ifndef KANON_SUCCESSOR_H
#define KANON_SUCCESSOR_H

#include "postgres.h"

#include "nodes/parsenodes.h"
#include "tcop/dest.h"
#include "utils/relcache.h"

typedef enum SuccessorUse
{
	SUCCESSOR_SWAPPED,
	SUCCESSOR_READ /* its rows go elsewhere: without indexes, and they are not logged */
} SuccessorUse;

typedef struct Successor
{
	Relation relation; /* the view or table, open */
	Relation filled;   /* open to the end, so that no function can alter or drop it */
	Oid table;         /* its OID: a materialized view with the same columns and owner, in the
						* relation's schema; invisible to others */
	uint64 rows;
	List *originals; /* OIDs of the relation's indexes */
	List *indexes;   /* those of the successor's, in the same order; NIL if it is only read */
} Successor;

/*
 * Parses a SELECT as the query of a materialized view; in the current context.  Raises the errors
 * of CREATE MATERIALIZED VIEW.  _columns are those of its rows.
 */
extern Query *successor_parse(const char *select);
extern TupleDesc successor_columns(const Query *query);

/* A copy of a view's query.  The caller has locked the view. */
extern Query *successor_query(Oid view);

/*
 * Replaces the view's query by one with columns of the same types, like CREATE OR REPLACE VIEW: the
 * view and its dependents stay.  Keeps the contents, those of "filled", the view itself or a table,
 * but deletes their statistics, which would show readers values that are to disappear.  Run as the
 * owner of both, with AccessExclusiveLock.
 */
extern void successor_take_query(Oid view, Oid filled, const Query *query);

/* Rows for a successor. */
typedef struct SuccessorRows
{
	Query *query;          /* is used up */
	DestReceiver *watcher; /* sees them all as well, in their order; or NULL */
	/* Takes the values other than NULL of the last column, which is not written; or NULL.  Not with
	 * a watcher. */
	void (*take)(void *state, Datum value);
	void *state;
	int workers; /* parallel workers that run the branches of a UNION ALL, which read tables and are
				  * PARALLEL SAFE; 0: none */
} SuccessorRows;

/*
 * Fills a successor of the view or table by the rows of a query, in the active snapshot.  A table
 * has the columns of the query, and nothing that looks at rows; triggers do not fire.  The caller
 * has locked it with at least ExclusiveLock and runs as its owner.  Cost: the query, rows written a
 * page at a time, and the index builds. Errors: those of the query and of unique indexes;
 * ERRCODE_OBJECT_IN_USE if this session is reading the relation.
 */
extern Successor successor_fill(Oid relation, const SuccessorRows *rows, SuccessorUse use);

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
 * Gives the relation the successor's contents and drops the successor.  The caller holds
 * AccessExclusiveLock on the relation and should commit soon, because readers wait from now on.
 * Cost: a few catalog rows for each index.  Errors: ERRCODE_OBJECT_IN_USE if a function of the
 * query, or of its owner's since then, has dropped an index of either.
 */
extern void successor_swap(Successor *successor);

/*
 * The end of a successor whose rows went elsewhere: drops it.  Raises ERRCODE_OBJECT_IN_USE as
 * above.
 */
extern void successor_drop(Successor *successor);

#endif /* KANON_SUCCESSOR_H */
