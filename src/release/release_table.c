/*
 * release_table.c
 *		See release_table.h.
 */
#include "postgres.h"

#include "release/release_table.h"

#include "access/relation.h"
#include "miscadmin.h"
#include "sql/query.h"
#include "sql/relation_name.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

static Oid
table_owner(Oid table)
{
	Relation relation = relation_name_open(table);
	Oid owner = relation->rd_rel->relowner;

	relation_close(relation, NoLock);
	return owner;
}

void
release_table_run(Oid table, const char *sql, int count, const Oid *types, const Datum *values,
				  const char *nulls)
{
	QueryRole caller =
		query_role_begin(table_owner(table), SECURITY_LOCAL_USERID_CHANGE | SECURITY_NOFORCE_RLS);

	query_run_latest(sql, count, types, values, nulls);
	query_role_end(caller);
}
