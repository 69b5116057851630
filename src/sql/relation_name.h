/*
 * relation_name.h
 *		Relations and schemas by their names, for SQL and for messages.
 *
 * Between two calls anything may have been dropped or renamed by others.  Who names a relation
 * locks it first, so that the name stays its own until the transaction ends.  What is not there
 * is ERRCODE_UNDEFINED_TABLE or ERRCODE_UNDEFINED_SCHEMA, never a null name.
 */
#ifndef KANON_RELATION_NAME_H
#define KANON_RELATION_NAME_H

#include "postgres.h"

#include "storage/lockdefs.h"
#include "utils/relcache.h"

/* Opens a relation with a lock that the caller keeps when it closes it. */
extern Relation relation_name_open(Oid relation);

/* Whose it is, under that lock. */
extern Oid relation_name_owner(Oid relation);

/*
 * A table that was rewritten since the active snapshot was taken, as by ALTER TABLE .. TYPE or
 * TRUNCATE, seems to have no rows to it: ERRCODE_T_R_SERIALIZATION_FAILURE.  What was rewritten
 * may have been so by another session, before the table was locked here, or since by a function
 * that a view or the calling statement called: who claims what an empty table would satisfy asks
 * before and after it is read.  A view's tables and a table's parts are not looked at.
 */
extern void relation_name_check_rows(Relation relation);

/* Locks a relation until the end of the transaction; false if it does not exist. */
extern bool relation_name_lock(Oid relation, LOCKMODE mode);

/* Qualified and quoted, of a relation that is locked from now on at least. */
extern const char *relation_name(Oid relation);

/* The same for whoever runs DDL on it next: a lock as strong as "mode", if it is the caller's own.
 */
extern const char *relation_name_for(Oid relation, LOCKMODE mode);

/* A schema's name, not quoted. */
extern const char *relation_name_schema(Oid schema);

#endif /* KANON_RELATION_NAME_H */
