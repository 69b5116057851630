/*
 * release_table.h
 *		kanon's own tables about releases.  Only kanon's functions write them, as the owner of the
 *		table.
 *
 * Call within a query scope.
 */
#ifndef KANON_RELEASE_TABLE_H
#define KANON_RELEASE_TABLE_H

#include "postgres.h"

#include "sql/own_table.h"

/*
 * Runs a statement as the table's owner, in the latest snapshot, so that the row of any release
 * that this transaction can refresh or drop is visible.
 */
static inline void
release_table_run(Oid table, const char *sql, int count, const Oid *types, const Datum *values,
				  const char *nulls)
{
	own_table_run(table, sql, count, types, values, nulls);
}

#endif /* KANON_RELEASE_TABLE_H */
