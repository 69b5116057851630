/*
 * record_reader.c
 *		See record_reader.h.
 *
 * A window function is called for each row, but may read its whole partition in the first call.
 * Each read evaluates the argument in the current memory context, so that context is reset
 * regularly.  The roles of fields and the dimension tables are looked up once for all window
 * partitions of a query.
 */
#include "postgres.h"

#include "record/record_reader.h"

#include "access/htup_details.h"
#include "base/context.h"
#include "base/progress.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "record/record_spill.h"
#include "relation/grouped_rows.h"
#include "sql/calling_query.h"
#include "sql/query.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/syscache.h"

#define RESET_EVERY 64
#define MOST_BYTES (256 * 1024) /* of rows between resets */

/* ---- relations */

/* The rows of a relation while they are read. */
typedef struct RelationRows
{
	RecordCodes *codes;
	const Bitmapset *numbers; /* of the attributes to read */
	RecordTaker take;
	void *state;
} RelationRows;

static void
add_row(void *state, const Datum *values, const bool *nulls, int64 count)
{
	const RelationRows *rows = state;
	RecordCodes *codes = rows->codes;
	int column = 0;

	for (int number = -1; (number = bms_next_member(rows->numbers, number)) >= 0; column++)
	{
		codes->values[number - 1] = values[column];
		codes->nulls[number - 1] = nulls[column];
	}
	for (; count > 0; count--)
	{
		interrupt_check(count);
		record_codes_add_values(codes);
		if (rows->take)
			rows->take(rows->state);
	}
}

void
record_reader_scan(RecordCodes *codes, const Bitmapset *numbers, RecordTaker take, void *state)
{
	RelationRows rows = {.codes = codes, .numbers = numbers, .take = take, .state = state};
	RowSource *source = grouped_rows_source(codes->description, numbers);

	source->scan(source, add_row, &rows);
}

/* From the relation's statistics, 0 without any: for the estimate in memory errors. */
static int64
expected_rows(Oid relation)
{
	HeapTuple tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(relation));
	double rows = 0;

	if (!HeapTupleIsValid(tuple))
		return 0;
	rows = ((Form_pg_class) GETSTRUCT(tuple))->reltuples;
	ReleaseSysCache(tuple);
	return (int64) Max(rows, 0);
}

RecordCodes *
record_reader_relation(Oid relation, const RecordRequest *request, Budget *budget)
{
	const Description *description =
		record_roles_describe_relation(relation, &request->roles, budget);
	RecordCodes *codes = record_codes_create(
		description, request, 1, request->may_spill ? code_tapes_create() : NULL, budget);
	QueryScope scope = query_begin();

	MemoryContextSwitchTo(scope.caller);
	codes->expected = expected_rows(relation);
	record_reader_scan(codes, description_used_columns(description), NULL, NULL);
	query_end(scope);
	return codes;
}

/* ---- windows */

struct WindowCall
{
	int argument;             /* number of the argument that is the record */
	Oid type;                 /* of the records according to the parser, or InvalidOid */
	const List *tables;       /* of the statement that calls */
	bool same;                /* their fields have the same roles in all window partitions */
	MemoryContext context;    /* of what follows; reset for other rows */
	Budget budget;            /* for the dimensions, and for one window partition at a time */
	Description *description; /* NULL: not made yet */
	/* Of the current window partition. */
	MemoryContext of_tapes;
	WindowObject window;
	MemoryContext scratch; /* for one record */
};

WindowCall *
record_reader_open(FunctionCallInfo fcinfo, int argument, bool same)
{
	WindowCall *call = palloc0(sizeof(WindowCall));

	call->argument = argument;
	call->type = get_fn_expr_argtype(fcinfo->flinfo, argument);
	call->tables = calling_query_tables(fcinfo);
	call->same = same;
	call->context =
		AllocSetContextCreate(CurrentMemoryContext, "kanon window", CONTEXT_SMALL_SIZES);
	call->of_tapes =
		AllocSetContextCreate(CurrentMemoryContext, "kanon tapes", CONTEXT_SMALL_SIZES);
	return call;
}

/* The record at a position; NULL if it is NULL. */
static HeapTupleHeader
read_row(const WindowCall *call, int64 position)
{
	MemoryContext previous = MemoryContextSwitchTo(call->scratch);
	HeapTupleHeader record = NULL;
	bool isnull;
	Datum value;

	if (position % RESET_EVERY == 0)
		CHECK_FOR_INTERRUPTS();
	if (position % RESET_EVERY == 0 || MemoryContextMemAllocated(call->scratch, false) > MOST_BYTES)
		MemoryContextReset(call->scratch);
	value = WinGetFuncArgInPartition(call->window, call->argument, (int) position, WINDOW_SEEK_HEAD,
									 false, &isnull, NULL);
	if (!isnull)
		record = DatumGetHeapTupleHeader(value);
	MemoryContextSwitchTo(previous);
	return record;
}

/* Describes records of a type; reused from the last window partition if possible. */
static const Description *
describe_type(WindowCall *call, Oid type, int32 typmod, const RecordRoles *roles)
{
	MemoryContext previous;

	if (call->description && call->same && record_type_is(&call->description->record, type, typmod))
		return call->description;
	call->description = NULL;
	MemoryContextReset(call->context);
	previous = MemoryContextSwitchTo(call->context);
	call->budget = budget_begin();
	call->description = record_roles_describe(type, typmod, roles, call->tables, &call->budget);
	MemoryContextSwitchTo(previous);
	return call->description;
}

/* Describes so many rows by the first record that is not NULL. */
static const Description *
describe_rows(WindowCall *call, int64 rows, const RecordRoles *roles)
{
	for (int64 position = 0; position < rows; position++)
	{
		HeapTupleHeader record = read_row(call, position);

		if (record)
			return describe_type(call, HeapTupleHeaderGetTypeId(record),
								 HeapTupleHeaderGetTypMod(record), roles);
	}
	if (OidIsValid(call->type) && call->type != RECORDOID)
		return describe_type(call, getBaseType(call->type), -1, roles);
	return record_roles_describe_unknown(roles);
}

/* Starts without tapes; closes those of a window partition that was not read to its end. */
static CodeTapes *
begin_tapes(WindowCall *call)
{
	MemoryContext previous;
	CodeTapes *tapes;

	MemoryContextReset(call->of_tapes);
	previous = MemoryContextSwitchTo(call->of_tapes);
	tapes = code_tapes_create();
	MemoryContextSwitchTo(previous);
	return tapes;
}

RecordCodes *
record_reader_window(WindowCall *call, WindowObject window, int64 least,
					 const RecordRequest *request, MemoryContext counted)
{
	int64 rows = WinGetPartitionRowCount(window);
	CodeTapes *tapes = begin_tapes(call);
	const Description *description;
	RecordCodes *codes;
	MemoryContext previous;

	if (rows < least)
		return NULL;
	call->window = window;
	/* Rows do not count: they are the executor's. */
	call->scratch = AllocSetContextCreate(MemoryContextGetParent(counted), "kanon window row",
										  CONTEXT_SMALL_SIZES);
	description = describe_rows(call, rows, &request->roles);
	/* A budget over that context and over the description, which stays between window partitions.
	 */
	previous = MemoryContextSwitchTo(counted);
	call->budget = budget_begin();
	MemoryContextSwitchTo(previous);
	if (call->description)
		call->budget.elsewhere = MemoryContextMemAllocated(call->context, true);
	call->budget.apart = call->of_tapes;
	budget_lend(&call->budget, request->memory);
	record_spill_limit(request->way, &call->budget);
	codes = record_codes_create(description, request, rows, request->may_spill ? tapes : NULL,
								&call->budget);
	progress_phase("reading rows", rows);
	for (int64 position = 0; position < rows; position++)
	{
		progress_check(position);
		record_codes_add(codes, read_row(call, position));
	}
	MemoryContextDelete(call->scratch);
	return codes;
}
