/*
 * own_names.c
 *		See own_names.h.
 */
#include "postgres.h"

#include "io/own_names.h"

#include "io/query.h"

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

void
own_names_check(void)
{
	query_run(OVERLOADS, false);
	if (SPI_processed > 0)
		ereport(ERROR, (errcode(ERRCODE_DUPLICATE_FUNCTION),
						errmsg("%s could be taken for a function of kanon's", query_text(0, 1)),
						errdetail("It has the name of one in the schema that kanon lives in."),
						errhint("Choose another name or another schema.")));
}
