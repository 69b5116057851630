/*
 * own_table.h
 *		kanon's own tables, which nobody may write but the functions that switch to the
 *		table's owner for what they run on it.
 *
 * All within a query scope.
 */
#ifndef KANON_OWN_TABLE_H
#define KANON_OWN_TABLE_H

#include "postgres.h"

#include "sql/query.h"

/*
 * Runs a statement as the table's owner.  In the latest snapshot: what stands for an object is
 * seen as early as that.
 */
extern void own_table_run(Oid table, const char *sql, int count, const Oid *types,
						  const Datum *values, const char *nulls);

/*
 * Reads the table of that name, for which "%s" stands in the statement, in the active snapshot; it
 * is for everybody to read.  As its owner: who refreshes a release, or reads one, need not have any
 * right to kanon's schema.
 */
extern void own_table_read(const char *name, const char *format, int count, const Oid *types,
						   const Datum *values);

/* The table of that name; InvalidOid, or an error, if the extension is not there. */
extern Oid own_table_seek(const char *name);
extern Oid own_table_find(const char *name);

/* What runs until query_role_end runs as the table's owner; the table is locked from now on. */
extern QueryRole own_table_begin(Oid table);

#endif /* KANON_OWN_TABLE_H */
