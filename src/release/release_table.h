/*
 * release_table.h
 *		kanon's own tables about releases, which nobody may write but the functions
 *		that switch to the table's owner for the one statement they run on it.
 *
 * All within a query scope.
 */
#ifndef KANON_RELEASE_TABLE_H
#define KANON_RELEASE_TABLE_H

#include "postgres.h"

#include "sql/own_table.h"

/*
 * Runs a statement as the table's owner.  In the latest snapshot: a release that this
 * transaction can refresh or drop has its row for it, too.
 */
static inline void
release_table_run(Oid table, const char *sql, int count, const Oid *types, const Datum *values,
				  const char *nulls)
{
	own_table_run(table, sql, count, types, values, nulls);
}

#endif /* KANON_RELEASE_TABLE_H */
