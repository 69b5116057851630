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

#include <stdarg.h>

#include "access/tupdesc.h"
#include "tcop/dest.h"
#include "utils/array.h"
#include "utils/tuplestore.h"

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
	bool entered; /* as somebody else than the caller, or restricted */
	QueryRole role;
	struct WorkingAs *working; /* as another role; NULL: there is none */
} QueryRights;

typedef struct QueryScope
{
	MemoryContext caller; /* current before the scope and after it: for results that outlive it */
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
 * Values of the parameters $1, $2, .. of a statement, as query_parameters reads them from its
 * arguments.  Each has a letter that says its type:
 *
 *	b bool  i int4 (int)  l int8 (int64)  d float8 (double)  o oid  z timestamptz
 *	t text, n name (const char *)  x bytea  j jsonb
 *	I int4[]  L int8[]  D float8[]  O oid[]  N name[]  T text[] (ArrayType *)
 *	v any type: two arguments, the type and a Datum
 *	p all of them: the QueryParameters themselves, a pointer
 *
 * A null pointer is NULL.  A question mark before the letter takes one more argument before the
 * value: with false, the parameter is NULL.  Everything is in the current context.
 */
typedef struct QueryParameters
{
	int count;
	Oid *types;
	Datum *values;
	char *nulls; /* as SPI wants them: 'n' for NULL, or ' ' */
} QueryParameters;

extern Oid query_parameter_type(char letter);
extern QueryParameters query_parameters(const char *letters, va_list arguments);

/* A row of such values, one for each field: as a Datum, or appended to others. */
extern Datum query_row(TupleDesc fields, const char *letters, ...);
extern void query_put(Tuplestorestate *rows, TupleDesc fields, const char *letters, ...);

/* Which rows a statement sees. */
typedef enum QueryView
{
	QUERY_READ,        /* the caller's snapshot: all such statements of a call see the same data */
	QUERY_WRITE,       /* the transaction's, or a new one under READ COMMITTED */
	QUERY_IN_SNAPSHOT, /* the caller's plus the changes of this transaction, for statements that
						* write: a release is made of the same rows that were measured */
	QUERY_LATEST       /* everything committed, also under REPEATABLE READ: for kanon's own tables,
						* whose rows must be visible as early as the objects they describe */
} QueryView;

/*
 * Runs one statement; keeps the current context.  The functions below read its rows until the next
 * statement.  _with takes parameters as above, _bound has them already; it passes the rows of a
 * SELECT to a receiver, unless that is NULL.  Raises the statement's own errors.
 */
extern void query_run(const char *sql, bool read_only);
extern void query_run_with(const char *sql, QueryView view, const char *letters, ...);
extern void query_run_bound(const char *sql, QueryView view, const QueryParameters *parameters,
							DestReceiver *receiver);

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

/* Streams the rows of one SELECT into a receiver; read only. */
extern void query_stream(const char *sql, DestReceiver *receiver);

/* A receiver with these functions and nothing to do at the end. */
extern DestReceiver query_receiver(bool (*receive)(TupleTableSlot *, DestReceiver *),
								   void (*startup)(DestReceiver *, int, TupleDesc));
extern void query_stream_in_snapshot(const char *sql, DestReceiver *receiver);

/*
 * For receivers that compare rows: room for one, an empty slot that ExecCopySlot fills; and the
 * first column, from "column" on, in which another row differs, byte by byte, or their number.
 */
extern TupleTableSlot *query_slot(TupleDesc fields, MemoryContext context);
extern int query_slot_differs(const TupleTableSlot *row, const TupleTableSlot *other, int column);

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
 * Column "column" (from 1) of row "row" (from 0) as text (NULL for NULL), as a number (a bool, an
 * integer or an OID; 0 for NULL), as a double (0 for NULL), as an array (NULL for NULL), in the
 * current context; or as a Datum, in SPI's memory.
 */
extern char *query_text(uint64 row, int column);
extern int64 query_int8(uint64 row, int column);
extern double query_double(uint64 row, int column);
extern ArrayType *query_array(uint64 row, int column);
extern bool query_null(uint64 row, int column);
extern Datum query_value(uint64 row, int column, bool *isnull);

#endif /* KANON_QUERY_H */
