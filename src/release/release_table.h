/*
 * release_table.h
 *		Releases that are stored as tables.
 *
 * PostgreSQL keeps the text of a view: what it depends on, renames and dumps.  So the text of such
 * a release lies in a materialized view beside the table, its query view, which is never filled.
 * Fillings run that text and write the table, past its triggers; triggers of kanon's refuse
 * everybody else's writes.  The table keeps nothing that a filling would have to heed: it has the
 * columns of its query, and no constraints that look at rows.
 *
 * Its owner can drop the triggers and write what he likes.  The next filling replaces that, and
 * puts the triggers back.
 *
 * Call all of these within a query scope.
 */
#ifndef KANON_RELEASE_TABLE_H
#define KANON_RELEASE_TABLE_H

#include "postgres.h"

#include "release/release_catalog.h"
#include "release/release_request.h"

/* A free name for the query view of a table that is to be made, in its schema. */
extern ReleaseName release_table_query_name(const ReleaseName *table);

/*
 * Makes the table of a release, empty, for a query view of the current role, which it takes along
 * when dropped; distributed: as release_shards_create.
 */
extern Oid release_table_create(const ReleaseRequest *request, Oid query, bool distributed);

/*
 * Is it a table here whose fillings write only what differs from the old contents
 * (matview/difference.h)?  So are those of recodings with "advance", whose copies together tell no
 * more than one: where its rows lie tells as much as all copies.  The rows of others lie in the
 * order of their contents.
 */
extern bool release_table_keeps_rows(const ReleaseEntry *entry);

/*
 * The query view of a release in a table is there, or ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE;
 * does nothing for other releases.  Locks it with AccessShareLock.
 */
extern void release_table_check_query(const ReleaseEntry *entry);

/*
 * Call it before a release is filled, as its owner, with at least ExclusiveLock on it; does nothing
 * unless it is stored as a table.  Puts back triggers that were dropped or disabled, and what a
 * dump does not keep.  Errors: those of _check_query; ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE if
 * the query view is of another owner, with whose rights the text would read;
 * ERRCODE_INVALID_TABLE_DEFINITION if the table has got something that a filling would not heed.
 */
extern void release_table_prepare(const ReleaseEntry *entry);

/*
 * Where Citus is, marks the query view of a release in a table as filled, or not, while its text
 * runs, which names the view itself: see successor_fill.
 */
extern void release_table_mark_query(const ReleaseEntry *entry, bool filled);

/* Drops the table and its query view. */
extern void release_table_drop(const ReleaseEntry *entry);

/*
 * For the event trigger of REFRESH MATERIALIZED VIEW: raises ERRCODE_WRONG_OBJECT_TYPE if the
 * relation is the query view of a table.
 */
extern void release_table_refuse_refresh(Oid relation);

/*
 * For an sql_drop event trigger, when entries of dropped releases are forgotten: tables outlive
 * their queries and their relations.
 */
extern void release_table_forget_dropped(void);

/* Raises the error of whoever writes the table, for a trigger. */
pg_noreturn extern void release_table_refuse_write(Relation table);

#endif /* KANON_RELEASE_TABLE_H */
