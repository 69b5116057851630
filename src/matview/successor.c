/*
 * successor.c
 *		See successor.h.
 *
 * Follows PostgreSQL's filling in matview.c and its swapping in cluster.c, except for indexes,
 * which PostgreSQL rebuilds after the swap.
 */
#include "postgres.h"

#include "matview/successor.h"

#include "access/genam.h"
#include "access/heapam.h"
#include "access/relation.h"
#include "access/table.h"
#include "access/toast_internals.h"
#include "access/xact.h"
#include "base/compat.h"
#include "base/context.h"
#include "catalog/dependency.h"
#include "catalog/heap.h"
#include "catalog/index.h"
#include "catalog/indexing.h"
#include "catalog/objectaccess.h"
#include "commands/cluster.h"
#include "commands/defrem.h"
#include "commands/matview.h"
#include "commands/tablecmds.h"
#include "commands/view.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "parser/analyze.h"
#include "parser/parse_relation.h"
#include "pgstat.h"
#include "rewrite/rewriteHandler.h"
#include "sql/query.h"
#include "sql/query_jobs.h"
#include "sql/relation_name.h"
#include "sql/text_settings.h"
#include "storage/latch.h"
#include "storage/lmgr.h"
#include "storage/proc.h"
#include "tcop/tcopprot.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"
#include "utils/timestamp.h"
#include "utils/wait_event.h"

/* ---- queries */

Query *
successor_query(Oid view)
{
	Relation opened = relation_open(view, NoLock);
	Query *query;

	if (opened->rd_rules == NULL || opened->rd_rules->numLocks != 1)
		elog(ERROR, "materialized view \"%s\" has not one rule", RelationGetRelationName(opened));
	query = copyObject(linitial_node(Query, opened->rd_rules->rules[0]->actions));
	relation_close(opened, NoLock);
	return query;
}

Query *
successor_parse(const char *select)
{
	RawStmt *statement = linitial_node(RawStmt, pg_parse_query(select));
	NamedWatch watched = relation_name_watch(select);
	Query *query = NULL;

	PG_TRY();
	{
		query = parse_analyze_fixedparams(statement, select, NULL, 0, NULL);
	}
	PG_FINALLY();
	{
		relation_name_unwatch(watched);
	}
	PG_END_TRY();
	if (isQueryUsingTempRelation(query))
		ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
						errmsg("materialized views must not use temporary tables or views")));
	return query;
}

TupleDesc
successor_columns(const Query *query)
{
	return ExecCleanTypeFromTL(query->targetList);
}

/* Deletes statistics: they hold most common values and histogram bounds of the old contents. */
static void
forget_statistics(Oid relation)
{
	Relation opened = table_open(relation, NoLock);
	ListCell *cell;

	RemoveStatistics(relation, 0);
	foreach (cell, RelationGetIndexList(opened))
		RemoveStatistics(lfirst_oid(cell), 0);
	foreach (cell, RelationGetStatExtList(opened))
		RemoveStatisticsDataById(lfirst_oid(cell), false);
	table_close(opened, NoLock);
}

void
successor_take_query(Oid view, Oid filled, const Query *query)
{
	StoreViewQuery(view, copyObject((Query *) query), true);
	forget_statistics(filled);
	CommandCounterIncrement();
}

/* ---- contents */

#define FILL_ROWS 1000
#define FILL_BYTES 65536
#define FILL_OPTIONS (TABLE_INSERT_SKIP_FSM | TABLE_INSERT_FROZEN)

/* Rows on their way to a new table, which nobody else sees. */
typedef struct Filling
{
	DestReceiver receiver; /* first */
	Relation table;
	const SuccessorRows *source;
	TupleTableSlot *written; /* a row without the column that is taken; NULL: all are written */
	BulkInsertState bulk;
	CommandId command;
	TupleTableSlot *waiting[FILL_ROWS];
	int rows; /* that wait */
	Size bytes;
	MemoryContext scratch; /* of one write */
} Filling;

static void
begin_rows(DestReceiver *self, int operation, TupleDesc fields)
{
	Filling *filling = (Filling *) self;

	filling->bulk = GetBulkInsertState();
	filling->command = GetCurrentCommandId(true);
	filling->scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon rows", CONTEXT_DEFAULT_SIZES);
	if (filling->source->take)
		filling->written =
			MakeSingleTupleTableSlot(RelationGetDescr(filling->table), &TTSOpsVirtual);
	if (filling->source->watcher)
		filling->source->watcher->rStartup(filling->source->watcher, operation, fields);
}

static void
write_rows(Filling *filling)
{
	MemoryContext previous = MemoryContextSwitchTo(filling->scratch);

	if (filling->rows > 0)
		table_multi_insert(filling->table, filling->waiting, filling->rows, filling->command,
						   FILL_OPTIONS, filling->bulk);
	MemoryContextSwitchTo(previous);
	MemoryContextReset(filling->scratch);
	for (int i = 0; i < filling->rows; i++)
		ExecClearTuple(filling->waiting[i]);
	filling->rows = 0;
	filling->bytes = 0;
}

/* Takes the last column of a row; returns the others. */
static TupleTableSlot *
take_last(Filling *filling, TupleTableSlot *slot)
{
	TupleTableSlot *written = ExecClearTuple(filling->written);
	int columns = written->tts_tupleDescriptor->natts;

	slot_getallattrs(slot);
	if (!slot->tts_isnull[columns])
		filling->source->take(filling->source->state, slot->tts_values[columns]);
	memcpy(written->tts_values, slot->tts_values, sizeof(Datum) * columns);
	memcpy(written->tts_isnull, slot->tts_isnull, sizeof(bool) * columns);
	return ExecStoreVirtualTuple(written);
}

/* Slots live as long as the query. */
static bool
receive_row(TupleTableSlot *slot, DestReceiver *self)
{
	Filling *filling = (Filling *) self;
	TupleTableSlot **waiting = &filling->waiting[filling->rows];
	HeapTuple row;
	bool copied;

	if (*waiting == NULL)
		*waiting = table_slot_create(filling->table, NULL);
	if (filling->written)
		slot = take_last(filling, slot);
	ExecCopySlot(*waiting, slot);
	row = ExecFetchSlotHeapTuple(*waiting, true, &copied);
	filling->bytes += row->t_len;
	if (copied)
		heap_freetuple(row);
	if (++filling->rows == FILL_ROWS || filling->bytes > FILL_BYTES)
		write_rows(filling);
	return filling->source->watcher == NULL ||
		   filling->source->watcher->receiveSlot(slot, filling->source->watcher);
}

static void
end_rows(DestReceiver *self)
{
	Filling *filling = (Filling *) self;

	write_rows(filling);
	for (int i = 0; i < FILL_ROWS && filling->waiting[i]; i++)
		ExecDropSingleTupleTableSlot(filling->waiting[i]);
	FreeBulkInsertState(filling->bulk);
	table_finish_bulk_insert(filling->table, FILL_OPTIONS);
	if (filling->written)
		ExecDropSingleTupleTableSlot(filling->written);
	if (filling->source->watcher)
		filling->source->watcher->rShutdown(filling->source->watcher);
}

/* Does a plan read nothing but tables, so that any process can run it? */
static bool
reads_tables(const Plan *plan)
{
	List *below = NIL;

	if (plan == NULL)
		return true;
	switch (nodeTag(plan))
	{
		case T_SeqScan:
		case T_WindowAgg:
		case T_Result:
		case T_Sort:
			break;
		case T_Append:
			below = ((const Append *) plan)->appendplans;
			break;
		case T_SubqueryScan:
			below = list_make1(((const SubqueryScan *) plan)->subplan);
			break;
		default:
			return false;
	}
	foreach_ptr (const Plan, other, below)
		if (!reads_tables(other))
			return false;
	return plan->initPlan == NIL && reads_tables(plan->lefttree) && reads_tables(plan->righttree);
}

/*
 * Lets workers run the branches of a UNION ALL, each by itself.  A planner does so only with
 * branches that have no window functions, for it cannot know that none of their windows is shared.
 */
static void
gather_branches(PlannedStmt *planned, int workers)
{
	Append *append = (Append *) planned->planTree;
	Gather *gather = makeNode(Gather);

	gather->plan = (Plan){.type = T_Gather,
						  .total_cost = append->plan.total_cost,
						  .plan_rows = append->plan.plan_rows,
						  .plan_width = append->plan.plan_width,
						  .plan_node_id = PG_INT32_MAX,
						  .lefttree = &append->plan};
	foreach_ptr (TargetEntry, column, append->plan.targetlist)
		gather->plan.targetlist =
			lappend(gather->plan.targetlist,
					makeTargetEntry((Expr *) makeVarFromTargetEntry(OUTER_VAR, column),
									column->resno, column->resname, column->resjunk));
	gather->num_workers = workers;
	gather->rescan_param = -1;
	append->plan.parallel_aware = true;
	append->first_partial_plan = list_length(append->appendplans);
	planned->planTree = &gather->plan;
	planned->parallelModeNeeded = true;
}

static PlannedStmt *
plan_of(const SuccessorRows *source, Query *query, const char *text)
{
	PlannedStmt *planned = pg_plan_query(query, text, CURSOR_OPT_PARALLEL_OK, NULL);

	if (source->workers > 0 && IsA(planned->planTree, Append) && planned->subplans == NIL &&
		reads_tables(planned->planTree))
		gather_branches(planned, source->workers);
	return planned;
}

/* Runs the query into the table and returns the number of rows. */
static uint64
fill(Relation table, const SuccessorRows *source)
{
	const char *text = "filling a materialized view";
	Filling *filling = palloc0(sizeof(Filling));
	QueryDesc *run;
	List *rewritten;
	uint64 rows;

	filling->receiver = query_receiver(receive_row, begin_rows);
	filling->receiver.rShutdown = end_rows;
	filling->table = table;
	filling->source = source;
	AcquireRewriteLocks(source->query, true, false);
	rewritten = QueryRewrite(source->query);
	if (list_length(rewritten) != 1)
		elog(ERROR, "a SELECT was rewritten to %d statements", list_length(rewritten));
	CHECK_FOR_INTERRUPTS();
	PushCopiedSnapshot(GetActiveSnapshot());
	UpdateActiveSnapshotCommandId();
	run = CreateQueryDesc(plan_of(source, linitial_node(Query, rewritten), text), text,
						  GetActiveSnapshot(), InvalidSnapshot, &filling->receiver, NULL, NULL, 0);
	ExecutorStart(run, 0);
	compat_executor_run(run);
	rows = run->estate->es_processed;
	ExecutorFinish(run);
	ExecutorEnd(run);
	FreeQueryDesc(run);
	PopActiveSnapshot();
	pfree(filling);
	return rows;
}

/* Builds a copy of the index over the table. */
static Oid
build_index(Relation table, Oid original)
{
	Relation model = index_open(original, RowExclusiveLock);
	char *name = ChooseRelationName(RelationGetRelationName(model), NULL, "new",
									RelationGetNamespace(table), false);
	Oid made = index_concurrently_create_copy(table, original, model->rd_rel->reltablespace, name);
	Relation index;

	CommandCounterIncrement();
	index = index_open(made, AccessExclusiveLock);
	index_build(table, index, BuildIndexInfo(index), false, true);
	index_close(index, NoLock);
	index_close(model, NoLock);
	return made;
}

/*
 * Makes the successor a materialized view, too: PostgreSQL lets nobody write into one, so a
 * function of the query cannot add rows that the watcher does not see.
 */
static void
refuse_writes(Oid successor)
{
	Relation catalog = table_open(RelationRelationId, RowExclusiveLock);
	HeapTuple tuple = SearchSysCacheCopy1(RELOID, ObjectIdGetDatum(successor));

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for relation %u", successor);
	((Form_pg_class) GETSTRUCT(tuple))->relkind = RELKIND_MATVIEW;
	CatalogTupleUpdate(catalog, &tuple->t_self, tuple);
	heap_freetuple(tuple);
	table_close(catalog, RowExclusiveLock);
	CommandCounterIncrement();
}

static void
check_not_in_use(Relation relation)
{
	bool view = relation->rd_rel->relkind == RELKIND_MATVIEW;

	CheckTableNotInUse(relation, view ? "REFRESH MATERIALIZED VIEW" : "refresh");
}

Successor
successor_fill(Oid relation, const SuccessorRows *rows, SuccessorUse use)
{
	Successor successor = {.relation = table_open(relation, NoLock)};
	Form_pg_class form = successor.relation->rd_rel;
	bool read = use == SUCCESSOR_READ;
	Relation table;
	ListCell *cell;

	check_not_in_use(successor.relation);
	/* Like PostgreSQL: a planner may look at the view itself, which its query names as well. */
	if (!RelationIsPopulated(successor.relation))
	{
		SetMatViewPopulatedState(successor.relation, true);
		CommandCounterIncrement();
	}
	successor.table =
		make_new_heap(relation, form->reltablespace, form->relam,
					  read ? RELPERSISTENCE_UNLOGGED : form->relpersistence, ExclusiveLock);
	LockRelationOid(successor.table, AccessExclusiveLock);
	refuse_writes(successor.table);
	successor.filled = table = table_open(successor.table, NoLock);
	if (OidIsValid(table->rd_rel->reltoastrelid) != OidIsValid(form->reltoastrelid))
		elog(ERROR, "\"%s\" and its successor differ", RelationGetRelationName(successor.relation));
	successor.rows = fill(table, rows);
	successor.originals = RelationGetIndexList(successor.relation);
	if (read)
		return successor;
	foreach (cell, successor.originals)
		successor.indexes = lappend_oid(successor.indexes, build_index(table, lfirst_oid(cell)));
	return successor;
}

/* ---- the swap */

#define SLACK 100 /* milliseconds of delay allowed for the deadlock check */
#define PAUSES 10 /* moments outside the queue for each one in it */
#define LOOK 20   /* milliseconds between looks outside the queue */

typedef struct LockWait
{
	Oid relation;
	int moment; /* milliseconds */
} LockWait;

static void
wait_in_queue(void *state)
{
	const LockWait *wait = state;
	int guc_nest_level = text_settings_begin();

	text_settings_pin_one("lock_timeout", psprintf("%d", wait->moment));
	LockRelationOid(wait->relation, AccessExclusiveLock);
	text_settings_end(guc_nest_level);
}

/* Waits in the lock queue for this many milliseconds.  True if it got the lock. */
static bool
queue(Oid relation, int moment)
{
	ErrorData *error =
		query_undo(wait_in_queue, &(LockWait){.relation = relation, .moment = moment});

	if (error == NULL)
		return true;
	if (error->sqlerrcode != ERRCODE_LOCK_NOT_AVAILABLE)
		ReThrowError(error);
	FreeErrorData(error);
	return false;
}

/* Tries the lock repeatedly for this many milliseconds.  True if it got the lock. */
static bool
look(Oid relation, int pause)
{
	TimestampTz start = GetCurrentTimestamp();

	for (;;)
	{
		CHECK_FOR_INTERRUPTS();
		if (ConditionalLockRelationOid(relation, AccessExclusiveLock))
			return true;
		if (TimestampDifferenceExceeds(start, GetCurrentTimestamp(), pause))
			return false;
		(void) WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH, LOOK,
						 WAIT_EVENT_PG_SLEEP);
		ResetLatch(MyLatch);
	}
}

void
successor_lock(Oid relation, const char *name)
{
	TimestampTz start = GetCurrentTimestamp();
	int moment = DeadlockTimeout + SLACK;
	long allowed = LockTimeout > 0 ? LockTimeout : LONG_MAX;

	for (;;)
	{
		long left = allowed - TimestampDifferenceMilliseconds(start, GetCurrentTimestamp());

		if (left <= 0)
			ereport(
				ERROR,
				(errcode(ERRCODE_LOCK_NOT_AVAILABLE),
				 errmsg("could not lock relation %s within lock_timeout because it was being read",
						name)));
		if (look(relation, 0) || queue(relation, (int) Min(moment, left)))
			return;
		left = allowed - TimestampDifferenceMilliseconds(start, GetCurrentTimestamp());
		if (look(relation, (int) Max(Min(PAUSES * moment, left), 0)))
			return;
	}
}

/*
 * Swaps the files of two relations with the same access method, tablespace and persistence, and
 * their TOAST tables: values in a file point to the one that they were written with.
 */
static void
swap_files(Oid mine, Oid other)
{
	Relation catalog = table_open(RelationRelationId, RowExclusiveLock);
	Relation my_relation = relation_open(mine, AccessExclusiveLock);
	Relation other_relation = relation_open(other, AccessExclusiveLock);
	HeapTuple my_tuple = SearchSysCacheCopy1(RELOID, ObjectIdGetDatum(mine));
	HeapTuple other_tuple = SearchSysCacheCopy1(RELOID, ObjectIdGetDatum(other));
	Form_pg_class my_form = (Form_pg_class) GETSTRUCT(my_tuple);
	Form_pg_class other_form = (Form_pg_class) GETSTRUCT(other_tuple);
	Oid file = my_form->relfilenode;
	Oid toast = my_form->reltoastrelid;

	if (my_form->relam != other_form->relam || my_form->reltablespace != other_form->reltablespace)
		elog(ERROR, "\"%s\" and its successor differ", NameStr(my_form->relname));
	my_form->relfilenode = other_form->relfilenode;
	other_form->relfilenode = file;
	my_form->reltoastrelid = other_form->reltoastrelid;
	other_form->reltoastrelid = toast;
	my_form->relfrozenxid = other_form->relfrozenxid;
	my_form->relminmxid = other_form->relminmxid;
	my_form->relpages = other_form->relpages;
	my_form->reltuples = other_form->reltuples;
	my_form->relallvisible = other_form->relallvisible;
	compat_take_frozen_pages(my_form, other_form);
	if (my_form->relkind == RELKIND_MATVIEW)
		my_form->relispopulated = true;
	compat_storage_swapped(my_relation, other_relation);
	CatalogTupleUpdate(catalog, &my_tuple->t_self, my_tuple);
	CatalogTupleUpdate(catalog, &other_tuple->t_self, other_tuple);
	InvokeObjectPostAlterHookArg(RelationRelationId, mine, 0, InvalidOid, true);
	/* Before 17, only one relation at a time may have a file open. */
	RelationCloseSmgr(my_relation);
	RelationCloseSmgr(other_relation);
	relation_close(other_relation, NoLock);
	relation_close(my_relation, NoLock);
	table_close(catalog, RowExclusiveLock);
}

static Oid
toast_of(Oid relation)
{
	Relation opened = table_open(relation, NoLock);
	Oid toast = opened->rd_rel->reltoastrelid;

	table_close(opened, NoLock);
	return toast;
}

/* Lets a TOAST table be dropped with its new table. */
static void
give_toast(Oid toast, Oid table)
{
	ObjectAddress it = {.classId = RelationRelationId, .objectId = toast};
	ObjectAddress owner = {.classId = RelationRelationId, .objectId = table};

	LockRelationOid(toast, AccessExclusiveLock);
	(void) deleteDependencyRecordsFor(RelationRelationId, toast, false);
	recordDependencyOn(&it, &owner, DEPENDENCY_INTERNAL);
}

/* Names a TOAST table after its table.  It no longer belongs to the rewriting of another. */
static void
name_toast(Oid toast, Oid table)
{
	CommandCounterIncrement();
	RenameRelationInternal(toast, psprintf("pg_toast_%u", table), true, false);
	RenameRelationInternal(toast_get_valid_index(toast, AccessExclusiveLock),
						   psprintf("pg_toast_%u_index", table), true, true);
	CommandCounterIncrement();
	ResetRelRewrite(toast);
}

/* Unlike relations, their indexes can be dropped while the relations are open. */
static void
check_indexes(const Successor *successor, Relation relation, const List *indexes)
{
	const List *now = RelationGetIndexList(relation);

	if (list_length(now) != list_length(indexes) || list_difference_oid(now, indexes) != NIL)
		ereport(ERROR, (errcode(ERRCODE_OBJECT_IN_USE),
						errmsg("an index of \"%s\" was dropped while it was filled",
							   RelationGetRelationName(successor->relation))));
}

static void
drop(Oid successor)
{
	ObjectAddress table = {.classId = RelationRelationId, .objectId = successor};

	performDeletion(&table, DROP_RESTRICT, PERFORM_DELETION_INTERNAL);
}

void
successor_swap(Successor *successor)
{
	List *originals = successor->originals;
	Oid relation = RelationGetRelid(successor->relation);
	Oid toast = toast_of(relation);
	Oid filled_toast = toast_of(successor->table);
	ListCell *original;
	ListCell *made;

	check_indexes(successor, successor->relation, originals);
	check_indexes(successor, successor->filled, successor->indexes);
	table_close(successor->filled, NoLock);
	check_not_in_use(successor->relation);
	swap_files(relation, successor->table);
	if (OidIsValid(toast))
	{
		give_toast(toast, successor->table);
		give_toast(filled_toast, relation);
	}
	forboth(original, originals, made, successor->indexes)
		swap_files(lfirst_oid(original), lfirst_oid(made));
	CommandCounterIncrement();
	drop(successor->table);
	if (OidIsValid(toast))
		name_toast(filled_toast, relation);
	pgstat_count_truncate(successor->relation);
	pgstat_count_heap_insert(successor->relation, successor->rows);
	table_close(successor->relation, NoLock);
}

void
successor_drop(Successor *successor)
{
	check_indexes(successor, successor->relation, successor->originals);
	table_close(successor->filled, NoLock);
	CommandCounterIncrement();
	drop(successor->table);
	table_close(successor->relation, NoLock);
}
