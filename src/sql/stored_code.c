/*
 * stored_code.c
 *		See stored_code.h.
 *
 * PostgreSQL evaluates the constant parts of these expressions whenever it plans a query of the
 * table.  So even a plain table may run its owner's code.
 */
#include "postgres.h"

#include "sql/stored_code.h"

#include "access/transam.h"
#include "catalog/pg_index.h"
#include "catalog/pg_partitioned_table.h"
#include "catalog/pg_statistic_ext.h"
#include "nodes/nodeFuncs.h"
#include "nodes/pg_list.h"
#include "utils/builtins.h"
#include "utils/rel.h"
#include "utils/syscache.h"

/* Users may own any function whose OID is not PostgreSQL's own. */
static bool
is_not_own(Oid function, void *context)
{
	(void) context;
	return function >= FirstUnpinnedObjectId;
}

static bool
calls_others(Node *node, void *context)
{
	if (node == NULL)
		return false;
	return check_functions_in_node(node, is_not_own, context) ||
		   expression_tree_walker(node, calls_others, context);
}

/* Tests expressions stored in a catalog; false if there are none. */
static bool
stored_calls_others(int cache, Oid object, AttrNumber column)
{
	HeapTuple tuple = SearchSysCache1(cache, ObjectIdGetDatum(object));
	bool found = false;
	bool isnull;
	Datum value;

	if (!HeapTupleIsValid(tuple))
		return false;
	value = SysCacheGetAttr(cache, tuple, column, &isnull);
	if (!isnull)
		found = calls_others(stringToNode(TextDatumGetCString(value)), NULL);
	ReleaseSysCache(tuple);
	return found;
}

bool
stored_code_any(Relation relation)
{
	ListCell *cell;

	foreach (cell, RelationGetIndexList(relation))
		if (stored_calls_others(INDEXRELID, lfirst_oid(cell), Anum_pg_index_indexprs) ||
			stored_calls_others(INDEXRELID, lfirst_oid(cell), Anum_pg_index_indpred))
			return true;
	foreach (cell, RelationGetStatExtList(relation))
		if (stored_calls_others(STATEXTOID, lfirst_oid(cell), Anum_pg_statistic_ext_stxexprs))
			return true;
	return stored_calls_others(PARTRELID, RelationGetRelid(relation),
							   Anum_pg_partitioned_table_partexprs);
}
