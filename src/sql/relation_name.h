/*
 * relation_name.h
 *		The names of relations and schemas, for SQL and for messages, and locks on relations.
 *
 * Others may drop or rename anything between two calls.  So lock a relation before you name it; the
 * name then holds until the transaction ends.  A missing object raises ERRCODE_UNDEFINED_TABLE or
 * ERRCODE_UNDEFINED_SCHEMA; no function returns a null name.
 *
 * kanon locks relations by OID, but SQL names them, and no lock keeps a schema's owner from
 * renaming the schema between the two: another relation, or another function, would answer to the
 * name, with the rights of whoever runs the statement.  So each relation is noted when its name is
 * written, and each statement is checked when PostgreSQL has resolved its names, before anything is
 * planned.
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

/* The same for messages alone: notes nothing for statements. */
extern const char *relation_name_shown(Oid relation);

/* The same before DDL on the relation: locks it with "mode" if the current user owns it. */
extern const char *relation_name_for(Oid relation, LOCKMODE mode);

/* The name of a schema, not quoted. */
extern const char *relation_name_schema(Oid schema);

/* A statement of kanon's that is being run, and the call within it. */
typedef struct NamedWatch
{
	const char *sql;
	int depth;                     /* watched statements around and including it */
	int outermost;                 /* nest level of the call's outermost query scope; 0: none */
	SubTransactionId outermost_of; /* in which that scope began */
} NamedWatch;

/*
 * Notes a relation whose name is about to be written, for statements of the current role, until the
 * outermost query scope ends.
 */
extern void relation_name_note(Oid relation);

/*
 * The bracket of a query scope, by its GUC nest level.  Scopes within a call share their notes; a
 * call that a function makes within a statement of another one has its own.
 */
extern void relation_name_begin(int nest_level);
extern void relation_name_end(int nest_level);

/*
 * Between these two, the statement with this text is checked whenever PostgreSQL analyzes it; those
 * that functions run meanwhile are not.  Returns what was watched before, for _unwatch, also after
 * an error.
 *
 * Raises ERRCODE_T_R_SERIALIZATION_FAILURE for a relation that was not noted, except those of
 * pg_catalog, and those in kanon's schema whose owner is trusted, and
 * ERRCODE_INSUFFICIENT_PRIVILEGE for a function or a domain whose owner's code may not run as the
 * current role (rights_trusts); functions behind operators of operator families, which only
 * superusers make, may run.
 */
extern NamedWatch relation_name_watch(const char *sql);
extern void relation_name_unwatch(NamedWatch before);

/* Installs the check; once, when the library is loaded. */
extern void relation_name_install(void);

#endif /* KANON_RELATION_NAME_H */
