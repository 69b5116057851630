/*
 * overload.c
 *		Names that are kanon's own in its schema.
 *
 * A function of kanon's that takes a value of any type, or has defaults, is called with
 * less than its full signature: kanon_cell(cells, 2, NULL::text).  A function of the same
 * name in the same schema, made for just these arguments, would be the better match, and
 * then the next release, or the next restore of one, would call it, with the rights of the
 * release's owner.  So where kanon lives nobody else's function may go by a name of its own.
 */
#include "postgres.h"

#include "api/event_argument.h"
#include "fmgr.h"
#include "io/query.h"

PG_FUNCTION_INFO_V1(kanon_refuse_overloads);

/*
 * Functions and types that go by the name of a function of kanon's, in its schema.  A type
 * is called like a function of one argument, too: kanon_refresh_release('study') would be a
 * cast to it, and a domain has checks.
 */
#define OVERLOADS                                                                                  \
	"WITH member AS (SELECT d.classid, d.objid, e.extnamespace AS schema"                          \
	" FROM pg_extension e JOIN pg_depend d ON d.refobjid = e.oid"                                  \
	" AND d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e' WHERE e.extname = 'kanon'"   \
	" AND d.classid = 'pg_proc'::regclass),"                                                       \
	" own AS (SELECT DISTINCT p.proname AS name, m.schema"                                         \
	" FROM member m JOIN pg_proc p ON p.oid = m.objid)"                                            \
	" SELECT format('function %s', p.oid::regprocedure)"                                           \
	" FROM own JOIN pg_proc p ON p.proname = own.name AND p.pronamespace = own.schema"             \
	" WHERE p.oid NOT IN (SELECT objid FROM member)"                                               \
	" UNION ALL SELECT format('type %s', t.oid::regtype)"                                          \
	" FROM own JOIN pg_type t ON t.typname = own.name AND t.typnamespace = own.schema"             \
	" WHERE t.typrelid = 0 LIMIT 1"

/* ddl_command_end of whatever makes, moves or names functions and types */
Datum
kanon_refuse_overloads(PG_FUNCTION_ARGS)
{
	QueryScope scope;

	(void) event_argument(fcinfo);
	scope = query_begin();
	query_run(OVERLOADS, false);
	if (SPI_processed > 0)
		ereport(ERROR, (errcode(ERRCODE_DUPLICATE_FUNCTION),
						errmsg("%s could be taken for a function of kanon's", query_text(0, 1)),
						errdetail("It has the name of one in the schema that kanon lives in."),
						errhint("Choose another name or another schema.")));
	query_end(scope);
	PG_RETURN_NULL();
}
