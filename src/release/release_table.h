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

/*
 * Runs a statement as the table's owner.  In the latest snapshot: a release that this
 * transaction can refresh or drop has its row for it, too.
 */
extern void release_table_run(Oid table, const char *sql, int count, const Oid *types,
							  const Datum *values, const char *nulls);

#endif /* KANON_RELEASE_TABLE_H */
