/*
 * query.h
 *		One bracket around every SQL statement that kanon runs.
 *
 * Statements run through SPI as the current user, with the settings of text_settings.h pinned:
 * generated SQL qualifies names and operators outside pg_catalog, and what the caller wrote
 * without a schema is resolved before query_begin.
 *
 * Whether a value of a user's column is NULL is asked with IS DISTINCT FROM NULL: IS NOT NULL
 * would look into a composite value and ask for each of its fields.
 */
#ifndef KANON_QUERY_H
#define KANON_QUERY_H

#include "postgres.h"

#include "tcop/dest.h"

typedef struct QueryScope
{
	int guc_nest_level;
} QueryScope;

/*
 * SPI_connect and the pinned settings.  An error unwinds both.
 * ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE: the extension is of another version than this library,
 * by the first two numbers, since the third changes no script.  For event triggers _as_it_is, which
 * asks for no version: what others do must not fail until the extension is updated.
 */
extern QueryScope query_begin(void);
extern QueryScope query_begin_as_it_is(void);
extern void query_end(QueryScope scope);

/*
 * Runs one statement, whose rows the functions below read until the next one.  With read_only in
 * the caller's snapshot, so that the statements of one call see the same data.  _with: parameters
 * $1.. of the types given.  Errors are the statement's own.
 */
extern void query_run(const char *sql, bool read_only);
extern void query_run_with(const char *sql, int count, const Oid *types, const Datum *values,
						   const char *nulls, bool read_only);

/*
 * As query_run_with for statements that write, in the snapshot of the calling statement, where
 * also what this transaction has done since is visible: so a release is made of the very rows
 * that were measured.
 */
extern void query_run_in_snapshot(const char *sql, int count, const Oid *types, const Datum *values,
								  const char *nulls);

/*
 * As query_run_with, in the latest snapshot: for kanon's own tables, whose rows stand for objects
 * and are seen as early as these, also under REPEATABLE READ.
 */
extern void query_run_latest(const char *sql, int count, const Oid *types, const Datum *values,
							 const char *nulls);

/*
 * What is read between these two is read in one snapshot, the latest there is now, where also what
 * this transaction has done so far is visible.  An error unwinds it.
 */
extern void query_snapshot_begin(void);
extern void query_snapshot_end(void);

/* Who to be again, and with which settings. */
typedef struct QueryRole
{
	Oid user;
	int context;
	int guc_nest_level;
} QueryRole;

/*
 * What runs between these two runs as "role", with "flags" added to the security context (see
 * SetUserIdAndSecContext) and all settings pinned anew.  At the end, or as an error unwinds,
 * settings are what they were before: neither a view read before nor a function of that role
 * leaves another search_path.
 */
extern QueryRole query_role_begin(Oid role, int flags);
extern void query_role_end(QueryRole caller);

/*
 * Statements between these two join by no nested loops: for joins by equality alone, over tables
 * whose sizes the planner does not know.  An error restores the setting as it unwinds.
 */
extern int query_hashing_begin(void);
extern void query_hashing_end(int guc_nest_level);

/* Streams the rows of one SELECT into a receiver, read only. */
extern void query_stream(const char *sql, DestReceiver *receiver);

/* The head of a receiver that has nothing to do at the end. */
extern DestReceiver query_receiver(bool (*receive)(TupleTableSlot *, DestReceiver *),
								   void (*startup)(DestReceiver *, int, TupleDesc));
extern void query_stream_in_snapshot(const char *sql, DestReceiver *receiver);

/*
 * How the literal begins that a foreign server is asked to count, as in
 *
 *	SELECT zip, count('part public.south on server atlas') FROM people GROUP BY 1
 *
 * Its errors say what it was asked, as their context; not that it was that one.  So errors of such
 * a statement have the literal in their message.
 */
#define QUERY_PART "part "

/* Rows that the last statement returned, or wrote. */
extern uint64 query_rows(void);

/*
 * Column "column" (from 1) of row "row" (from 0), as text (NULL for NULL), number (0 for NULL),
 * or as it is; SPI's memory.
 */
extern char *query_text(uint64 row, int column);
extern int64 query_int8(uint64 row, int column);
extern Datum query_value(uint64 row, int column, bool *isnull);

#endif /* KANON_QUERY_H */
