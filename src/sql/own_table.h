/*
 * own_table.h
 *		Statements about kanon's own tables, which only kanon's functions read and write.
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

#include "data/row_source.h"
#include "sql/query.h"

/*
 * Runs a statement in the latest snapshot, so that rows about an object are visible as early as the
 * object, also under REPEATABLE READ.
 */
extern void own_table_do(const char *sql, const char *letters, ...);
extern void own_table_do_bound(const char *sql, const QueryParameters *parameters);

/* Changes rows in the transaction's snapshot: fails if another one has changed them since. */
extern void own_table_claim(const char *sql, const char *letters, ...);

/* Reads in the active snapshot.  For tables that everybody may read. */
extern void own_table_read(const char *sql, const char *letters, ...);

/* Streams the rows of a SELECT, read only, to a receiver; or to a consumer, see sql/row_query.h. */
extern void own_table_stream(const char *sql, DestReceiver *receiver, const char *letters, ...);
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

/* The table of that name.  Without the extension, _seek returns InvalidOid. */
extern Oid own_table_seek(const char *name);
extern Oid own_table_find(const char *name);

#endif /* KANON_OWN_TABLE_H */
