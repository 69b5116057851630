/*
 * own_table.h
 *		Statements about kanon's own tables, which only kanon's functions read and write, and
 *		what anybody sees of them.
 *
 * In a statement "@seed" stands for the table kanon_seed.  So a statement contains no text of
 * anybody else's: values are parameters, a letter for each (sql/query.h).  It runs as the owner of
 * the first table that it names, because the user may lack privileges on kanon's schema.  The
 * functions of sql/query.h then read its rows.
 *
 * Call all of these within a query scope.  They raise ERRCODE_UNDEFINED_OBJECT if the extension is
 * not, or no longer, there.
 */
#ifndef KANON_OWN_TABLE_H
#define KANON_OWN_TABLE_H

#include "postgres.h"

#include "access/tupdesc.h"
#include "data/row_source.h"
#include "sql/query.h"
#include "utils/tuplestore.h"

/*
 * Runs a statement: _do in the latest snapshot, so that rows about an object are visible as early
 * as the object, also under REPEATABLE READ; _claim in the transaction's, to change rows: fails if
 * another one has changed them since; _read in the active one, from tables that everybody may read.
 */
extern void own_table_run(QueryView view, DestReceiver *receiver, const char *sql,
						  const char *letters, ...);
#define own_table_do(...) own_table_run(QUERY_LATEST, NULL, __VA_ARGS__)
#define own_table_claim(...) own_table_run(QUERY_WRITE, NULL, __VA_ARGS__)
#define own_table_read(...) own_table_run(QUERY_READ, NULL, __VA_ARGS__)

/* Streams the rows of a SELECT, read only, to a receiver; or to a consumer, see sql/row_query.h. */
#define own_table_stream(receiver, ...) own_table_run(QUERY_READ, receiver, __VA_ARGS__)
extern void own_table_scan(const char *sql, const Oid *types, int columns, RowConsumer consumer,
						   void *of);

/* SQL: the relations d just dropped, for an sql_drop event trigger; the OID of one follows. */
#define OWN_TABLE_DROPPED                                                                          \
	"pg_event_trigger_dropped_objects() d WHERE d.classid = 'pg_class'::regclass"                  \
	" AND d.objsubid = 0 AND d.objid = "

/* SQL: had the relation a column $1, which is $2 now? */
#define OWN_TABLE_RENAMED(relation)                                                                \
	"NOT EXISTS (SELECT 1 FROM pg_attribute o"                                                     \
	" WHERE o.attrelid = " relation " AND o.attname = $1)"                                         \
	" AND EXISTS (SELECT 1 FROM pg_attribute n"                                                    \
	" WHERE n.attrelid = " relation " AND n.attname = $2)"

/* The table of that name. */
extern Oid own_table_find(const char *name);

/*
 * What anybody sees of kanon's own tables.
 *
 * The tables (kanon_.._state) are for nobody to read.  Views show their rows through one function:
 * no plan, statistic or condition of a query is about rows that the caller may not see.
 */

/* Raises ERRCODE_WRONG_OBJECT_TYPE for any table but one of kanon's that have a view. */
extern void own_view_check(Oid table);

/*
 * Appends the rows of this table, in the active snapshot, with NULL for each value that the current
 * user may not see; without rows of which nothing is left.  "fields" is the table's row.  Cost: one
 * scan.  Locks the table until the end of the transaction.  Errors: that of own_view_check.
 */
extern void own_view_put(Oid table, Tuplestorestate *rows, TupleDesc fields);

/*
 * For an sql_drop event trigger: forgets the rows about the relations just dropped.  Those that
 * know the name of the owner outlive their relation.
 */
extern void own_view_forget_dropped(void);

/* Whether the current user has the privileges of the relation's owner; false if there is none. */
extern bool own_view_owns(Oid relation);

#endif /* KANON_OWN_TABLE_H */
