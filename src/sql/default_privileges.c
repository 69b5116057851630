/*
 * default_privileges.c
 *		See default_privileges.h.
 *
 * ALTER DEFAULT PRIVILEGES may grant others access to each new table of a role.  But a release must
 * not be readable before its owner has checked it, and a dimension holds the original values of its
 * column.
 */
#include "postgres.h"

#include "sql/default_privileges.h"

#include "catalog/pg_type.h"
#include "sql/query.h"

void
default_privileges_revoke(const char *name, Oid relation)
{
	char *grantees;

	query_run_with("SELECT string_agg(DISTINCT CASE a.grantee WHEN 0 THEN 'PUBLIC'"
				   " ELSE quote_ident(pg_get_userbyid(a.grantee)) END, ', ')"
				   " FROM pg_class c, aclexplode(c.relacl) a"
				   " WHERE c.oid = $1 AND a.grantee <> c.relowner",
				   QUERY_WRITE, "o", relation);
	grantees = query_text(0, 1);
	if (grantees != NULL)
		query_run(psprintf("REVOKE ALL ON TABLE %s FROM %s CASCADE", name, grantees), false);
}
