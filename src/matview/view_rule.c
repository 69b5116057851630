/*
 * view_rule.c
 *		See view_rule.h.
 */
#include "postgres.h"

#include "matview/view_rule.h"

#include "access/table.h"
#include "access/xact.h"
#include "catalog/heap.h"
#include "commands/defrem.h"
#include "commands/view.h"
#include "executor/executor.h"
#include "parser/analyze.h"
#include "parser/parse_relation.h"
#include "sql/named_relation.h"
#include "tcop/tcopprot.h"
#include "utils/rel.h"

Query *
view_rule_parse(const char *select)
{
	RawStmt *statement = linitial_node(RawStmt, pg_parse_query(select));
	NamedWatch watched = named_relation_watch(select);
	Query *query = NULL;

	PG_TRY();
	{
		query = parse_analyze_fixedparams(statement, select, NULL, 0, NULL);
	}
	PG_FINALLY();
	{
		named_relation_unwatch(watched);
	}
	PG_END_TRY();
	if (isQueryUsingTempRelation(query))
		ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
						errmsg("materialized views must not use temporary tables or views")));
	return query;
}

Query *
view_rule_query(Relation view)
{
	if (view->rd_rules == NULL || view->rd_rules->numLocks != 1)
		elog(ERROR, "materialized view \"%s\" has not one rule", RelationGetRelationName(view));
	return copyObject(linitial_node(Query, view->rd_rules->rules[0]->actions));
}

TupleDesc
view_rule_columns(const Query *query)
{
	return ExecCleanTypeFromTL(query->targetList);
}

/* Deletes statistics: they hold most common values and histogram bounds of the old contents. */
static void
forget_statistics(Oid view)
{
	Relation opened = table_open(view, NoLock);
	ListCell *cell;

	RemoveStatistics(view, 0);
	foreach (cell, RelationGetIndexList(opened))
		RemoveStatistics(lfirst_oid(cell), 0);
	foreach (cell, RelationGetStatExtList(opened))
		RemoveStatisticsDataById(lfirst_oid(cell), false);
	table_close(opened, NoLock);
}

void
view_rule_replace(Oid view, const Query *query)
{
	StoreViewQuery(view, copyObject((Query *) query), true);
	forget_statistics(view);
	CommandCounterIncrement();
}
