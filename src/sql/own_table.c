/*
 * own_table.c
 *		See own_table.h.
 */
#include "postgres.h"

#include "sql/own_table.h"

#include "access/relation.h"
#include "miscadmin.h"
#include "sql/relation_name.h"
#include "utils/rel.h"

QueryRole
own_table_begin(Oid table)
{
	Relation relation = relation_name_open(table);
	QueryRole caller = query_role_begin(relation->rd_rel->relowner,
										SECURITY_LOCAL_USERID_CHANGE | SECURITY_NOFORCE_RLS);

	relation_close(relation, NoLock);
	return caller;
}

void
own_table_run(Oid table, const char *sql, int count, const Oid *types, const Datum *values,
			  const char *nulls)
{
	QueryRole caller = own_table_begin(table);

	query_run_latest(sql, count, types, values, nulls);
	query_role_end(caller);
}
