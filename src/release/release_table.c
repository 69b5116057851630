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

void
release_table_run(Oid table, const char *sql, int count, const Oid *types, const Datum *values,
				  const char *nulls)
{
	Relation relation = relation_name_open(table);
	QueryRole caller = query_role_begin(relation->rd_rel->relowner,
										SECURITY_LOCAL_USERID_CHANGE | SECURITY_NOFORCE_RLS);

	relation_close(relation, NoLock);
	query_run_latest(sql, count, types, values, nulls);
	query_role_end(caller);
}
