/*
 * difference.c
 *		See difference.h.
 *
 * Equal rows that follow each other are a run.  Of each run 128 bits of the SHA-256 digest of a row
 * are sorted, with the side where it lies, its place, and how many rows it has.  Of equal runs the
 * new ones come first:
 *
 *	digest  side  place  rows
 *	3f..    new   (0,7)  3
 *	3f..    old   (0,1)  2     stays
 *	3f..    old   (4,2)  4     one stays, three go
 *	a2..    new   (0,5)  2     none was there: two come
 *
 * What goes is deleted at once; what comes is inserted afterwards, because a unique index may not
 * take both.
 */
#include "postgres.h"

#include "matview/difference.h"

#include "access/table.h"
#include "access/tableam.h"
#include "access/xact.h"
#include "base/budget.h"
#include "base/context.h"
#include "base/interrupt.h"
#include "catalog/pg_operator_d.h"
#include "catalog/pg_publication.h"
#include "catalog/pg_type_d.h"
#include "common/cryptohash.h"
#include "common/sha2.h"
#include "executor/executor.h"
#include "executor/tuptable.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "sql/query.h"
#include "utils/builtins.h"
#include "utils/datum.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"
#include "utils/tuplesort.h"
#include "utils/typcache.h"

typedef enum ContentSide
{
	SIDE_NEW,
	SIDE_OLD
} ContentSide;

typedef struct ContentRun
{
	int64 digest[2];
	ContentSide side;
	ItemPointerData place; /* of its first row */
	int64 rows;
} ContentRun;

/* Columns of a run in a sort. */
enum
{
	RUN_HIGH,
	RUN_LOW,
	RUN_SIDE,
	RUN_PLACE,
	RUN_ROWS,
	RUN_COLUMNS
};

typedef struct Difference
{
	Relation table;
	Relation filled; /* the successor */
	Snapshot snapshot;
	TupleTableSlot *put;      /* a run on its way into a sort */
	TupleTableSlot *got;      /* .. out of one */
	Tuplesortstate *compared; /* all runs */
	Tuplesortstate *coming;   /* new ones, with the rows that come */
	pg_cryptohash_ctx *hash;
	StringInfoData bytes; /* of a row */
	MemoryContext of_row;
	EState *state;
	ResultRelInfo *target;
	CommandId command; /* that writes */
} Difference;

/* ---- runs */

static TupleDesc
describe_run(void)
{
	TupleDesc run = CreateTemplateTupleDesc(RUN_COLUMNS);

	TupleDescInitEntry(run, RUN_HIGH + 1, "high", INT8OID, -1, 0);
	TupleDescInitEntry(run, RUN_LOW + 1, "low", INT8OID, -1, 0);
	TupleDescInitEntry(run, RUN_SIDE + 1, "side", INT4OID, -1, 0);
	TupleDescInitEntry(run, RUN_PLACE + 1, "place", TIDOID, -1, 0);
	TupleDescInitEntry(run, RUN_ROWS + 1, "rows", INT8OID, -1, 0);
	return run;
}

/* A sort of runs by the columns from this one to the place. */
static Tuplesortstate *
begin_sort(TupleDesc run, int first, int kilobytes)
{
	AttrNumber columns[] = {RUN_HIGH + 1, RUN_LOW + 1, RUN_SIDE + 1, RUN_PLACE + 1};
	Oid less[] = {Int8LessOperator, Int8LessOperator, Int4LessOperator, TIDLessOperator};
	Oid collations[lengthof(columns)] = {0};
	bool nulls_first[lengthof(columns)] = {0};

	return tuplesort_begin_heap(run, (int) lengthof(columns) - first, columns + first, less + first,
								collations, nulls_first, kilobytes, NULL, TUPLESORT_NONE);
}

static void
put_run(const Difference *difference, Tuplesortstate *sort, ContentRun *run)
{
	TupleTableSlot *slot = difference->put;

	ExecClearTuple(slot);
	memset(slot->tts_isnull, 0, sizeof(bool) * RUN_COLUMNS);
	slot->tts_values[RUN_HIGH] = Int64GetDatum(run->digest[0]);
	slot->tts_values[RUN_LOW] = Int64GetDatum(run->digest[1]);
	slot->tts_values[RUN_SIDE] = Int32GetDatum(run->side);
	slot->tts_values[RUN_PLACE] = PointerGetDatum(&run->place);
	slot->tts_values[RUN_ROWS] = Int64GetDatum(run->rows);
	ExecStoreVirtualTuple(slot);
	tuplesort_puttupleslot(sort, slot);
}

static bool
next_run(const Difference *difference, Tuplesortstate *sort, ContentRun *run)
{
	TupleTableSlot *slot = difference->got;

	if (!tuplesort_gettupleslot(sort, true, false, slot, NULL))
		return false;
	slot_getallattrs(slot);
	run->digest[0] = DatumGetInt64(slot->tts_values[RUN_HIGH]);
	run->digest[1] = DatumGetInt64(slot->tts_values[RUN_LOW]);
	run->side = (ContentSide) DatumGetInt32(slot->tts_values[RUN_SIDE]);
	run->place = *(ItemPointer) DatumGetPointer(slot->tts_values[RUN_PLACE]);
	run->rows = DatumGetInt64(slot->tts_values[RUN_ROWS]);
	return true;
}

/* ---- reading */

static void
append_value(StringInfo bytes, Form_pg_attribute column, Datum value)
{
	const char *data = DatumGetPointer(value);
	int length = (int) sizeof(value);

	if (column->attbyval)
		data = (const char *) &value;
	else if (column->attlen == -1)
	{
		struct varlena *plain = PG_DETOAST_DATUM_PACKED(value);

		data = VARDATA_ANY(plain);
		length = (int) VARSIZE_ANY_EXHDR(plain);
	}
	else
		length = (int) datumGetSize(value, false, column->attlen);
	appendBinaryStringInfo(bytes, (const char *) &length, sizeof(length));
	appendBinaryStringInfo(bytes, data, length);
}

/* In a context that is reset afterwards. */
static void
digest_row(Difference *difference, TupleTableSlot *row, int64 *digest)
{
	uint8 whole[PG_SHA256_DIGEST_LENGTH];
	StringInfo bytes = &difference->bytes;

	resetStringInfo(bytes);
	slot_getallattrs(row);
	for (int i = 0; i < row->tts_nvalid; i++)
	{
		appendStringInfoChar(bytes, row->tts_isnull[i] ? 'n' : 'v');
		if (!row->tts_isnull[i])
			append_value(bytes, TupleDescAttr(row->tts_tupleDescriptor, i), row->tts_values[i]);
	}
	if (pg_cryptohash_init(difference->hash) != 0 ||
		pg_cryptohash_update(difference->hash, (const uint8 *) bytes->data, bytes->len) != 0 ||
		pg_cryptohash_final(difference->hash, whole, sizeof(whole)) != 0)
		elog(ERROR, "could not compute SHA-256: %s", pg_cryptohash_error(difference->hash));
	memcpy(digest, whole, sizeof(int64) * 2);
}

/* Puts the run, if it is one, and begins another with this row. */
static void
begin_run(Difference *difference, ContentRun *run, TupleTableSlot *row)
{
	MemoryContext previous = MemoryContextSwitchTo(difference->of_row);

	if (run->rows > 0)
		put_run(difference, difference->compared, run);
	run->place = row->tts_tid;
	run->rows = 1;
	digest_row(difference, row, run->digest);
	MemoryContextSwitchTo(previous);
	MemoryContextReset(difference->of_row);
}

static void
read_runs(Difference *difference, Relation relation, ContentSide side)
{
	TupleTableSlot *row = table_slot_create(relation, NULL);
	TupleTableSlot *last = query_slot(RelationGetDescr(relation), CurrentMemoryContext);
	TableScanDesc scan =
		table_beginscan_strat(relation, difference->snapshot, 0, NULL, true, false);
	ContentRun run = {.side = side};

	while (table_scan_getnextslot(scan, ForwardScanDirection, row))
	{
		CHECK_FOR_INTERRUPTS();
		slot_getallattrs(row);
		if (run.rows > 0 && query_slot_differs(last, row, 0) == row->tts_nvalid)
		{
			run.rows++;
			continue;
		}
		begin_run(difference, &run, row);
		ExecCopySlot(last, row);
		slot_getallattrs(last);
	}
	if (run.rows > 0)
		put_run(difference, difference->compared, &run);
	table_endscan(scan);
	ExecDropSingleTupleTableSlot(row);
	ExecDropSingleTupleTableSlot(last);
}

/* ---- writing */

/*
 * Subscribers find the row to delete by comparing all its values (tuples_equal in PostgreSQL's
 * execReplication.c).  One that cannot would stop for good.
 */
static void
check_published(Relation table)
{
	TupleDesc columns = RelationGetDescr(table);
	PublicationDesc published;

	RelationBuildPublicationDesc(table, &published);
	for (int i = 0; i < columns->natts && published.pubactions.pubdelete; i++)
	{
		Form_pg_attribute column = TupleDescAttr(columns, i);

		if (OidIsValid(lookup_type_cache(column->atttypid, TYPECACHE_EQ_OPR_FINFO)->eq_opr))
			continue;
		ereport(ERROR,
				(errcode(ERRCODE_UNDEFINED_FUNCTION),
				 errmsg("rows of \"%s\" cannot be deleted by subscribers: type %s of column"
						" \"%s\" has no equality",
						RelationGetRelationName(table), format_type_be(column->atttypid),
						NameStr(column->attname)),
				 errhint("Take the table out of the publication, or leave out the column.")));
	}
}

/* Past all triggers. */
static void
open_target(Difference *difference)
{
	difference->state = CreateExecutorState();
	difference->state->es_snapshot = difference->snapshot;
	difference->target = makeNode(ResultRelInfo);
	InitResultRelInfo(difference->target, difference->table, 1, NULL, 0);
	difference->target->ri_TrigDesc = NULL;
	ExecOpenIndices(difference->target, false);
	difference->command = GetCurrentCommandId(true);
}

/* Of a run, all rows but the first ones, "stay". */
static void
delete_rows(const Difference *difference, ContentRun run, int64 stay)
{
	TupleTableSlot *row = table_slot_create(difference->table, NULL);
	TableScanDesc scan;
	ItemPointerData last;

	ItemPointerSet(&last, MaxBlockNumber, PG_UINT16_MAX);
	scan = table_beginscan_tidrange(difference->table, difference->snapshot, &run.place, &last);
	for (int64 i = 0; i < run.rows; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (!table_scan_getnextslot_tidrange(scan, ForwardScanDirection, row))
			elog(ERROR, "a row of \"%s\" is gone", RelationGetRelationName(difference->table));
		if (i < stay)
			continue;
		ExecSimpleRelationDelete(difference->target, difference->state, NULL, row);
		ResetPerTupleExprContext(difference->state);
	}
	table_endscan(scan);
	ExecDropSingleTupleTableSlot(row);
}

/* Equal runs, read one after another. */
typedef struct EqualRuns
{
	ContentRun first;
	int64 now;    /* rows of new ones */
	int64 before; /* .. of old ones */
} EqualRuns;

static void
end_equals(const Difference *difference, EqualRuns *equals)
{
	equals->first.rows = equals->now - equals->before;
	if (equals->first.rows > 0)
		put_run(difference, difference->coming, &equals->first);
}

static void
add_run(const Difference *difference, EqualRuns *equals, const ContentRun *run)
{
	int64 stay = Min(Max(equals->now - equals->before, 0), run->rows);

	if (run->side == SIDE_NEW)
	{
		equals->now += run->rows;
		return;
	}
	equals->before += run->rows;
	if (stay < run->rows)
		delete_rows(difference, *run, stay);
}

/* Deletes what goes, and finds what comes. */
static void
compare(const Difference *difference)
{
	EqualRuns equals = {0};
	ContentRun run;

	tuplesort_performsort(difference->compared);
	for (int64 i = 0; next_run(difference, difference->compared, &run); i++)
	{
		interrupt_check(i);
		if (i == 0 || memcmp(run.digest, equals.first.digest, sizeof(run.digest)) != 0)
		{
			end_equals(difference, &equals);
			equals = (EqualRuns){.first = run};
		}
		add_run(difference, &equals, &run);
	}
	end_equals(difference, &equals);
}

static void
insert_rows(const Difference *difference)
{
	TupleTableSlot *row = table_slot_create(difference->filled, NULL);
	ContentRun run;

	tuplesort_performsort(difference->coming);
	while (next_run(difference, difference->coming, &run))
	{
		if (!table_tuple_fetch_row_version(difference->filled, &run.place, difference->snapshot,
										   row))
			elog(ERROR, "a row of \"%s\" is gone", RelationGetRelationName(difference->filled));
		while (run.rows-- > 0)
		{
			CHECK_FOR_INTERRUPTS();
			ExecSimpleRelationInsert(difference->target, difference->state, row);
			ResetPerTupleExprContext(difference->state);
		}
	}
	ExecDropSingleTupleTableSlot(row);
}

/* ---- all of it */

static void
begin(Difference *difference, const Successor *successor)
{
	TupleDesc run = describe_run();

	difference->table = successor->relation;
	difference->filled = successor->filled;
	/* Under REPEATABLE READ, too, the old rows are those that are there now. */
	PushActiveSnapshot(GetLatestSnapshot());
	difference->snapshot = GetActiveSnapshot();
	difference->put = MakeSingleTupleTableSlot(run, &TTSOpsVirtual);
	difference->got = MakeSingleTupleTableSlot(run, &TTSOpsMinimalTuple);
	difference->compared = begin_sort(run, RUN_HIGH, budget_kilobytes());
	difference->coming = begin_sort(run, RUN_PLACE, work_mem);
	difference->hash = pg_cryptohash_create(PG_SHA256);
	if (difference->hash == NULL)
		ereport(ERROR, (errcode(ERRCODE_OUT_OF_MEMORY), errmsg("out of memory")));
	initStringInfo(&difference->bytes);
	difference->of_row =
		AllocSetContextCreate(CurrentMemoryContext, "kanon compared row", CONTEXT_DEFAULT_SIZES);
	open_target(difference);
}

static void
end(Difference *difference)
{
	ExecCloseIndices(difference->target);
	FreeExecutorState(difference->state);
	pg_cryptohash_free(difference->hash);
	MemoryContextDelete(difference->of_row);
	ExecDropSingleTupleTableSlot(difference->put);
	ExecDropSingleTupleTableSlot(difference->got);
	tuplesort_end(difference->compared);
	tuplesort_end(difference->coming);
	PopActiveSnapshot();
	CommandCounterIncrement();
}

bool
difference_write(Successor *successor)
{
	Difference difference = {0};
	bool others;

	check_published(successor->relation);
	begin(&difference, successor);
	read_runs(&difference, difference.filled, SIDE_NEW);
	read_runs(&difference, difference.table, SIDE_OLD);
	compare(&difference);
	insert_rows(&difference);
	others = GetCurrentCommandId(false) != difference.command;
	end(&difference);
	successor_drop(successor);
	return others;
}
