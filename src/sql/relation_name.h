/*
 * relation_name.h
 *		The names of relations and schemas, for SQL and for messages, and locks on relations.
 *
 * Others may drop or rename anything between two calls.  So lock a relation before you name it; the
 * name then holds until the transaction ends.  A missing object raises ERRCODE_UNDEFINED_TABLE or
 * ERRCODE_UNDEFINED_SCHEMA; no function returns a null name.
 */
#ifndef KANON_RELATION_NAME_H
#define KANON_RELATION_NAME_H

#include "postgres.h"

#include "storage/lockdefs.h"
#include "utils/relcache.h"

/* Opens a relation with AccessShareLock.  The caller keeps the lock when it closes the relation. */
extern Relation relation_name_open(Oid relation);

/* The owner of the relation, read under that lock; or at this moment, without a lock. */
extern Oid relation_name_owner(Oid relation);
extern Oid relation_name_owner_now(Oid relation);

/*
 * Raises ERRCODE_T_R_SERIALIZATION_FAILURE if a table was rewritten since the active snapshot was
 * taken, by ALTER TABLE ..  TYPE or TRUNCATE: it would look empty to the snapshot.  Another session
 * may have rewritten it before it was locked here, or a function called by a view or the statement
 * may do so later.  So code that would accept an empty table checks before and after it reads.
 * Does not check the tables of a view or the parts of a table.
 */
extern void relation_name_check_rows(Relation relation);

/* Locks a relation until the end of the transaction; false if it does not exist. */
extern bool relation_name_lock(Oid relation, LOCKMODE mode);

/* The same; raises ERRCODE_UNDEFINED_TABLE, with its name if it had one before, if it is gone. */
extern void relation_name_hold(Oid relation, LOCKMODE mode);

/*
 * The qualified, quoted name.  Locks the relation with AccessShareLock until the end of the
 * transaction.
 */
extern const char *relation_name(Oid relation);

/* The same for messages alone: notes nothing for statements (sql/named_relation.h). */
extern const char *relation_name_shown(Oid relation);

/* The same before DDL on the relation: locks it with "mode" if the current user owns it. */
extern const char *relation_name_for(Oid relation, LOCKMODE mode);

/* The name of a schema, not quoted. */
extern const char *relation_name_schema(Oid schema);

/*
 * Takes the strongest lock on a relation without blocking readers for long.
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
extern void patient_lock(Oid relation, const char *name);

#endif /* KANON_RELATION_NAME_H */
