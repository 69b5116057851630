/*
 * window_rows.c
 *		See window_rows.h.
 *
 * A window function is called for each row, but may read its whole partition in the first call.
 * Each read evaluates the argument in the current memory context, so that context is reset
 * regularly.
 *
 * The roles of fields and the dimension tables are looked up once for all window partitions of a
 * query.
 */
#include "postgres.h"

#include "record/window_rows.h"

#include "access/htup_details.h"
#include "base/progress.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "record/record_spill.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#define RESET_EVERY 64
#define MOST_BYTES (256 * 1024) /* of rows between resets */

struct WindowCall
{
	MemoryContext context;    /* of what follows; reset for other rows */
	Budget budget;            /* for the dimensions, and for one window partition at a time */
	Description *description; /* NULL: not made yet */
	StringInfo roles;         /* the roles it was loaded with: roles_key */
	MemoryContext of_tapes;   /* of the current window partition */
};

/* The rows of one window partition while they are read. */
typedef struct WindowRows
{
	WindowObject window;
	int argument;
	int64 count;
	MemoryContext scratch; /* for one record */
} WindowRows;

WindowCall *
window_rows_open(MemoryContext context)
{
	WindowCall *call = MemoryContextAllocZero(context, sizeof(WindowCall));

	call->context = AllocSetContextCreate(context, "kanon window", ALLOCSET_SMALL_SIZES);
	call->of_tapes = AllocSetContextCreate(context, "kanon tapes", ALLOCSET_SMALL_SIZES);
	return call;
}

/* The record at a position; NULL if it is NULL. */
static HeapTupleHeader
read_row(WindowRows *rows, int64 position)
{
	MemoryContext previous = MemoryContextSwitchTo(rows->scratch);
	HeapTupleHeader record = NULL;
	bool isnull;
	Datum value;

	if (position % RESET_EVERY == 0)
		CHECK_FOR_INTERRUPTS();
	if (position % RESET_EVERY == 0 || MemoryContextMemAllocated(rows->scratch, false) > MOST_BYTES)
		MemoryContextReset(rows->scratch);
	value = WinGetFuncArgInPartition(rows->window, rows->argument, (int) position, WINDOW_SEEK_HEAD,
									 false, &isnull, NULL);
	if (!isnull)
		record = DatumGetHeapTupleHeader(value);
	MemoryContextSwitchTo(previous);
	return record;
}

/* Equal roles have equal bytes. */
static StringInfo
roles_key(const RecordRoles *roles)
{
	const ArrayType *arrays[] = {roles->quasi_identifiers, roles->dimensions,
								 roles->model_dimensions};
	const char *names[] = {roles->target, roles->models, roles->person};
	StringInfo key = makeStringInfo();

	for (int i = 0; i < (int) lengthof(arrays); i++)
	{
		appendStringInfoChar(key, arrays[i] ? 'a' : '-');
		if (arrays[i])
			appendBinaryStringInfo(key, (const char *) arrays[i], (int) VARSIZE(arrays[i]));
	}
	for (int i = 0; i < (int) lengthof(names); i++)
	{
		appendStringInfoChar(key, names[i] ? 'n' : '-');
		if (names[i])
			appendBinaryStringInfo(key, names[i], (int) strlen(names[i]) + 1);
	}
	appendBinaryStringInfo(key, (const char *) &roles->beside, sizeof(roles->beside));
	return key;
}

/* Describes records of a type; reused from the last window partition if possible. */
static const Description *
describe_type(WindowCall *call, Oid type, int32 typmod, const WindowRequest *request)
{
	MemoryContext previous;
	StringInfo key = roles_key(&request->roles);

	if (call->description && record_type_is(&call->description->record, type, typmod) &&
		call->roles->len == key->len && memcmp(call->roles->data, key->data, key->len) == 0)
		return call->description;
	call->description = NULL;
	MemoryContextReset(call->context);
	previous = MemoryContextSwitchTo(call->context);
	call->budget = budget_begin();
	call->roles = roles_key(&request->roles);
	call->description = record_roles_describe(type, typmod, &request->roles, &call->budget);
	MemoryContextSwitchTo(previous);
	return call->description;
}

/* Describes rows by the first record that is not NULL. */
static const Description *
describe_rows(WindowCall *call, WindowRows *rows, const WindowRequest *request)
{
	for (int64 position = 0; position < rows->count; position++)
	{
		HeapTupleHeader record = read_row(rows, position);

		if (record)
			return describe_type(call, HeapTupleHeaderGetTypeId(record),
								 HeapTupleHeaderGetTypMod(record), request);
	}
	if (OidIsValid(request->row_type) && request->row_type != RECORDOID)
		return describe_type(call, getBaseType(request->row_type), -1, request);
	return record_roles_describe_unknown(&request->roles);
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
window_rows_read(WindowCall *call, WindowObject window, const WindowRequest *request,
				 MemoryContext counted)
{
	WindowRows rows = {
		.window = window, .argument = request->argument, .count = WinGetPartitionRowCount(window)};
	CodeTapes *tapes = begin_tapes(call);
	const Description *description;
	RecordCodes *codes;
	MemoryContext previous;

	if (rows.count < request->least)
		return NULL;
	/* Rows do not count: they are the executor's. */
	rows.scratch = AllocSetContextCreate(MemoryContextGetParent(counted), "kanon window row",
										 ALLOCSET_SMALL_SIZES);
	description = describe_rows(call, &rows, request);
	/* A budget over that context and over the description, which stays between window partitions.
	 */
	previous = MemoryContextSwitchTo(counted);
	call->budget = budget_begin();
	MemoryContextSwitchTo(previous);
	if (call->description)
		call->budget.elsewhere = MemoryContextMemAllocated(call->context, true);
	call->budget.apart = call->of_tapes;
	record_spill_limit(request->way, &call->budget);
	codes = record_codes_create(description, description->target ? request->split : SPLIT_MEDIAN,
								request->ranks, rows.count, request->may_spill ? tapes : NULL,
								request->way.partitioning, &call->budget);
	progress_phase("reading rows", rows.count);
	for (int64 position = 0; position < rows.count; position++)
	{
		HeapTupleHeader record = read_row(&rows, position);

		progress_check(position);
		if (record)
			record_codes_add(codes, record);
		else
			record_codes_add_null(codes);
	}
	MemoryContextDelete(rows.scratch);
	record_codes_finish(codes, request->ranks ? DICTIONARY_BY_BYTES : DICTIONARY_BY_TYPE);
	return codes;
}
