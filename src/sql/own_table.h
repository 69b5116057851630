/*
 * own_table.h
 *		kanon's own tables.  Only kanon's functions write them, as the owner of the table.
 *
 * Call all of these within a query scope.
 */
#ifndef KANON_OWN_TABLE_H
#define KANON_OWN_TABLE_H

#include "postgres.h"

#include "sql/query.h"

/*
 * Runs a statement as the table's owner, in the latest snapshot, so that rows about an object are
 * visible as early as the object.
 */
extern void own_table_run(Oid table, const char *sql, int count, const Oid *types,
						  const Datum *values, const char *nulls);

/*
 * Reads the table of that name in the active snapshot; "%s" stands for the table in the statement.
 * Runs as the table's owner, because the user may lack privileges on kanon's schema.  For tables
 * that everybody may read.
 */
extern void own_table_read(const char *name, const char *format, int count, const Oid *types,
						   const Datum *values);

/*
 * The table of that name.  Without the extension, _seek returns InvalidOid and _find raises an
 * error.
 */
extern Oid own_table_seek(const char *name);
extern Oid own_table_find(const char *name);

/* Locks the table and switches to its owner until query_role_end. */
extern QueryRole own_table_begin(Oid table);

#endif /* KANON_OWN_TABLE_H */
