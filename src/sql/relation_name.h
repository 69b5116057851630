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
