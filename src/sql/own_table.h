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

/* What runs until query_role_end runs as the table's owner; the table is locked from now on. */
extern QueryRole own_table_begin(Oid table);

#endif /* KANON_OWN_TABLE_H */
