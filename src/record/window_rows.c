/*
 * window_rows.c
 *		See window_rows.h.
 *
 * A window function sees its rows one at a time, but may read all of its
 * partition at the first.  Each read evaluates the argument in the current
 * memory context, so it must be one that is emptied now and then.
 *
 * Which fields are quasi-identifiers, and the dimension tables, are looked up
 * once for all window partitions of a query.
 */
#include "postgres.h"

#include "record/window_rows.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/datum.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#define RESET_EVERY 64

struct WindowCall
{
	MemoryContext context; /* of what follows, emptied when another shape is wanted */
	Budget budget;         /* of the dimensions, and of one window partition at a time */
	RecordShape *shape;    /* NULL: none yet */
	RecordRoles roles;     /* that it was loaded with */
};

/* Rows of one window partition, while they are read. */
typedef struct WindowRows
{
	WindowObject window;
	int argument;
	int64 count;
	MemoryContext scratch; /* of one record */
} WindowRows;

WindowCall *
window_rows_open(MemoryContext context)
{
	WindowCall *call = MemoryContextAllocZero(context, sizeof(WindowCall));

	call->context = AllocSetContextCreate(context, "kanon window", ALLOCSET_SMALL_SIZES);
	return call;
}

/* The record at a position; NULL if it is. */
static HeapTupleHeader
read_row(WindowRows *rows, int64 position)
{
	MemoryContext previous = MemoryContextSwitchTo(rows->scratch);
	HeapTupleHeader record = NULL;
	bool isnull;
	Datum value;

	if (position % RESET_EVERY == 0)
	{
		CHECK_FOR_INTERRUPTS();
		MemoryContextReset(rows->scratch);
	}
	value = WinGetFuncArgInPartition(rows->window, rows->argument, (int) position, WINDOW_SEEK_HEAD,
									 false, &isnull, NULL);
	if (!isnull)
		record = DatumGetHeapTupleHeader(value);
	MemoryContextSwitchTo(previous);
	return record;
}

static bool
same_array(const ArrayType *one, const ArrayType *other)
{
	if (one == NULL || other == NULL)
		return one == other;
	return datumIsEqual(PointerGetDatum(one), PointerGetDatum(other), false, -1);
}

static bool
same_name(const char *one, const char *other)
{
	return one && other ? strcmp(one, other) == 0 : one == other;
}

static bool
same_roles(const RecordRoles *one, const RecordRoles *other)
{
	bool same_target = same_name(one->target, other->target);
	bool same_person = same_name(one->person, other->person);

	return same_target && same_person &&
		   same_array(one->quasi_identifiers, other->quasi_identifiers) &&
		   same_array(one->dimensions, other->dimensions) &&
		   same_name(one->models, other->models) &&
		   same_array(one->model_dimensions, other->model_dimensions);
}

static ArrayType *
copy_array(const ArrayType *array)
{
	return array ? (ArrayType *) DatumGetPointer(datumCopy(PointerGetDatum(array), false, -1))
				 : NULL;
}

static RecordRoles
copy_roles(const RecordRoles *roles)
{
	return (RecordRoles){.quasi_identifiers = copy_array(roles->quasi_identifiers),
						 .dimensions = copy_array(roles->dimensions),
						 .target = roles->target ? pstrdup(roles->target) : NULL,
						 .models = roles->models ? pstrdup(roles->models) : NULL,
						 .model_dimensions = copy_array(roles->model_dimensions),
						 .person = roles->person ? pstrdup(roles->person) : NULL};
}

/* The shape of records of a type, which may be known from the last window partition. */
static const RecordShape *
shape_of_type(WindowCall *call, Oid type, int32 typmod, const WindowRequest *request)
{
	MemoryContext previous;

	if (call->shape && record_type_is(&call->shape->record, type, typmod) &&
		same_roles(&call->roles, &request->roles))
		return call->shape;
	call->shape = NULL;
	MemoryContextReset(call->context);
	previous = MemoryContextSwitchTo(call->context);
	call->budget = budget_begin();
	call->roles = copy_roles(&request->roles);
	call->shape = record_shape_load(type, typmod, &call->roles, &call->budget);
	MemoryContextSwitchTo(previous);
	return call->shape;
}

/* That of the first record which is not NULL. */
static const RecordShape *
shape_of_rows(WindowCall *call, WindowRows *rows, const WindowRequest *request)
{
	for (int64 position = 0; position < rows->count; position++)
	{
		HeapTupleHeader record = read_row(rows, position);

		if (record)
			return shape_of_type(call, HeapTupleHeaderGetTypeId(record),
								 HeapTupleHeaderGetTypMod(record), request);
	}
	if (OidIsValid(request->row_type) && request->row_type != RECORDOID)
		return shape_of_type(call, getBaseType(request->row_type), -1, request);
	return record_shape_unknown(&request->roles);
}

/* Over the context, and over the shape, which stays from one window partition to the next. */
static void
begin_budget(WindowCall *call, MemoryContext context)
{
	MemoryContext previous = MemoryContextSwitchTo(context);

	call->budget = budget_begin();
	if (call->shape)
		call->budget.elsewhere = MemoryContextMemAllocated(call->context, true);
	MemoryContextSwitchTo(previous);
}

RecordCodes *
window_rows_read(WindowCall *call, WindowObject window, const WindowRequest *request,
				 MemoryContext counted)
{
	WindowRows rows = {
		.window = window, .argument = request->argument, .count = WinGetPartitionRowCount(window)};
	const RecordShape *shape;
	RecordCodes *codes;

	if (rows.count < request->least)
		return NULL;
	rows.scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon window row", ALLOCSET_SMALL_SIZES);
	shape = shape_of_rows(call, &rows, request);
	begin_budget(call, counted);
	codes = record_codes_create(shape, shape->target ? request->split : SPLIT_MEDIAN,
								request->dense, rows.count, &call->budget);
	for (int64 position = 0; position < rows.count; position++)
	{
		HeapTupleHeader record = read_row(&rows, position);

		if (record)
			record_codes_add(codes, record);
		else
			record_codes_add_null(codes);
	}
	MemoryContextDelete(rows.scratch);
	record_codes_finish(codes, request->order);
	return codes;
}
