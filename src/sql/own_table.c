/*
 * own_table.c
 *		See own_table.h.
 */
#include "postgres.h"

#include "sql/own_table.h"

#include "access/relation.h"
#include "miscadmin.h"
#include "sql/own_extension.h"
#include "sql/relation_name.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"

Oid
own_table_seek(const char *name)
{
	OwnExtension extension;

	return own_extension_find(&extension) ? get_relname_relid(name, extension.schema) : InvalidOid;
}

Oid
own_table_find(const char *name)
{
	Oid table = own_table_seek(name);

	if (!OidIsValid(table))
		own_extension_report_none();
	return table;
}

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

void
own_table_read(const char *name, const char *format, int count, const Oid *types,
			   const Datum *values)
{
	/* Frees the names: window functions would keep them, and many look up theirs. */
	MemoryContext names =
		AllocSetContextCreate(CurrentMemoryContext, "kanon own table", ALLOCSET_SMALL_SIZES);
	MemoryContext previous = MemoryContextSwitchTo(names);
	Oid table = own_table_find(name);
	QueryRole caller = own_table_begin(table);

	query_run_with(psprintf(format, relation_name(table)), count, types, values, NULL, true);
	query_role_end(caller);
	MemoryContextSwitchTo(previous);
	MemoryContextDelete(names);
}
