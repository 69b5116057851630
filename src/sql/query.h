/*
 * query.h
 *		The bracket around every SQL statement that kanon runs.
 *
 * Statements run through SPI as the current user with the settings of text_settings.h pinned.
 * Generated SQL qualifies names and operators outside pg_catalog.  Names that the caller wrote
 * without a schema are resolved before query_begin.
 *
 * To test a value of a user's column for NULL, write IS DISTINCT FROM NULL: IS NOT NULL would look
 * at each field of a composite value.
 */
#ifndef KANON_QUERY_H
#define KANON_QUERY_H

#include "postgres.h"

#include "tcop/dest.h"

/* The role and settings to return to. */
typedef struct QueryRole
{
	Oid user;
	int context;
	int guc_nest_level;
} QueryRole;

/* As whom a scope works: see sql/rights.h. */
typedef struct QueryRights
{
	bool entered; /* as somebody else than the caller */
	QueryRole role;
	struct ErrorContextCallback *context;
	struct List *temporary; /* objects of the session's temporary schema (OIDs), before */
	int cursors;            /* number of open cursors, before */
} QueryRights;

typedef struct QueryScope
{
	int guc_nest_level;
	QueryRights rights;
} QueryScope;

/*
 * Connects to SPI and pins the settings; an error unwinds both.  Raises
 * ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE if the first two numbers of the extension's version
 * differ from the library's; the third changes no script.  Event triggers use _as_it_is, which does
 * not check the version: other users' statements must not fail until the extension is updated.
 *
 * A call about a relation begins its scope with rights_begin (sql/rights.h) instead.
 */
extern QueryScope query_begin(void);
extern QueryScope query_begin_as_it_is(void);
extern void query_end(QueryScope scope);

/*
 * Runs one statement.  The functions below read its rows until the next statement.  With read_only
 * it runs in the caller's snapshot, so all such statements of one call see the same data. _with
 * passes parameters $1, .. of these types.  Raises the statement's own errors.
 */
extern void query_run(const char *sql, bool read_only);
extern void query_run_with(const char *sql, int count, const Oid *types, const Datum *values,
						   const char *nulls, bool read_only);

/*
 * Like query_run_with, for statements that write, in the snapshot of the calling statement plus the
 * changes of this transaction.  So a release is made of the same rows that were measured.
 */
extern void query_run_in_snapshot(const char *sql, int count, const Oid *types, const Datum *values,
								  const char *nulls);

/*
 * Like query_run_with, in the latest snapshot.  For kanon's own tables, whose rows must be visible
 * as early as the objects they describe, also under REPEATABLE READ.
 */
extern void query_run_latest(const char *sql, int count, const Oid *types, const Datum *values,
							 const char *nulls);

/*
 * Between these two, all reads use one snapshot: the latest one now, plus the changes of this
 * transaction so far.  An error unwinds it.
 */
extern void query_snapshot_begin(void);
extern void query_snapshot_end(void);

/*
 * Between these two, statements run as "role", with "flags" added to the security context (see
 * SetUserIdAndSecContext) and all settings pinned anew.  At the end, or when an error unwinds, the
 * earlier settings return, whatever views or functions of the role have set.  For the room sql:
 * others enter a role by sql/rights.h.
 */
extern QueryRole query_role_begin(Oid role, int flags);
extern void query_role_end(QueryRole caller);

/*
 * Between these two, statements use no nested-loop joins.  For equality joins over tables whose
 * sizes the planner does not know.  An error restores the setting.
 */
extern int query_hashing_begin(void);
extern void query_hashing_end(int guc_nest_level);

/* Streams the rows of one SELECT into a receiver; read only.  _with: parameters, none NULL. */
extern void query_stream(const char *sql, DestReceiver *receiver);
extern void query_stream_with(const char *sql, int count, const Oid *types, const Datum *values,
							  DestReceiver *receiver);

/* A receiver with these functions and nothing to do at the end. */
extern DestReceiver query_receiver(bool (*receive)(TupleTableSlot *, DestReceiver *),
								   void (*startup)(DestReceiver *, int, TupleDesc));
extern void query_stream_in_snapshot(const char *sql, DestReceiver *receiver);

/*
 * The beginning of the literal in a query to a foreign server, as in
 *	SELECT zip, count('part public.south on server atlas') FROM people GROUP BY 1
 *
 * The context of a foreign server's error quotes the remote query but not the server.  With the
 * literal, the message can name the server and the part.
 */
#define QUERY_PART "part "

/* The number of rows that the last statement returned or wrote. */
extern uint64 query_rows(void);

/*
 * Column "column" (from 1) of row "row" (from 0) as text (NULL for NULL), as a number (0 for NULL),
 * or as a Datum; in SPI's memory.
 */
extern char *query_text(uint64 row, int column);
extern int64 query_int8(uint64 row, int column);
extern Datum query_value(uint64 row, int column, bool *isnull);

#endif /* KANON_QUERY_H */
