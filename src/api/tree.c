/*
 * tree.c
 *		SQL type kanon_tree and the functions that apply it.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "io/tree_record.h"
#include "io/tree_region.h"
#include "io/tree_text.h"
#include "io/tree_value.h"
#include "libpq/pqformat.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

PG_FUNCTION_INFO_V1(kanon_tree_in);
PG_FUNCTION_INFO_V1(kanon_tree_out);
PG_FUNCTION_INFO_V1(kanon_tree_recv);
PG_FUNCTION_INFO_V1(kanon_tree_send);
PG_FUNCTION_INFO_V1(kanon_leaf);
PG_FUNCTION_INFO_V1(kanon_region);

/*
 * The tree that a call site last saw, parsed.  What it goes by: a stored tree
 * by all of its datum, which is short then (a pointer into the TOAST table, or a
 * compressed tree of one page), a plain one by its length and digest.
 */
typedef struct TreeCall
{
	MemoryContext context;
	Size key_length;
	void *key;
	Budget budget;
	PartitionTree *tree;
	TreeRecord record;
	TreeBounds *bounds;
	TreeRegions *regions;
} TreeCall;

/* Values are read and written whatever their size: they have to be dumped. */
static const Budget unlimited = {.limit = MaxAllocHugeSize};

/* A tree in a context of its own, to be dropped with all that was needed to read it. */
static MemoryContext
tree_context(MemoryContext parent)
{
	return AllocSetContextCreate(parent, "kanon tree", ALLOCSET_DEFAULT_SIZES);
}

Datum
kanon_tree_in(PG_FUNCTION_ARGS)
{
	MemoryContext context = tree_context(CurrentMemoryContext);
	MemoryContext caller = MemoryContextSwitchTo(context);
	Budget budget = unlimited;
	PartitionTree *tree = tree_text_read(PG_GETARG_CSTRING(0), &budget);
	struct varlena *value;

	MemoryContextSwitchTo(caller);
	value = tree_value_write(tree);
	MemoryContextDelete(context);
	PG_RETURN_POINTER(value);
}

Datum
kanon_tree_recv(PG_FUNCTION_ARGS)
{
	StringInfo message = (StringInfo) PG_GETARG_POINTER(0);
	Size length = message->len - message->cursor;
	MemoryContext context = tree_context(CurrentMemoryContext);
	MemoryContext caller = MemoryContextSwitchTo(context);
	Budget budget = unlimited;
	PartitionTree *tree =
		tree_value_receive(pq_getmsgbytes(message, (int) length), length, &budget);
	struct varlena *value;

	MemoryContextSwitchTo(caller);
	value = tree_value_write(tree);
	MemoryContextDelete(context);
	PG_RETURN_POINTER(value);
}

Datum
kanon_tree_out(PG_FUNCTION_ARGS)
{
	MemoryContext context = tree_context(CurrentMemoryContext);
	MemoryContext caller = MemoryContextSwitchTo(context);
	Budget budget = unlimited;
	PartitionTree *tree = tree_value_read(PG_GETARG_VARLENA_PP(0), &budget);
	char *text;

	MemoryContextSwitchTo(caller);
	text = tree_text_write(tree);
	MemoryContextDelete(context);
	PG_RETURN_CSTRING(text);
}

Datum
kanon_tree_send(PG_FUNCTION_ARGS)
{
	MemoryContext context = tree_context(CurrentMemoryContext);
	MemoryContext caller = MemoryContextSwitchTo(context);
	Budget budget = unlimited;
	PartitionTree *tree = tree_value_read(PG_GETARG_VARLENA_PP(0), &budget);
	struct varlena *message;

	MemoryContextSwitchTo(caller);
	message = tree_value_send(tree);
	MemoryContextDelete(context);
	PG_RETURN_POINTER(message);
}

static Size
key_length(const struct varlena *datum)
{
	if (VARATT_IS_EXTERNAL(datum) || VARATT_IS_COMPRESSED(datum))
		return VARSIZE_ANY(datum);
	return VARSIZE_ANY(datum) - VARSIZE_ANY_EXHDR(datum) + TREE_VALUE_DIGEST;
}

/* Reads the tree in the call's context, which is made anew. */
static TreeCall *
open_tree(FunctionCallInfo fcinfo, struct varlena *datum)
{
	MemoryContext context = tree_context(fcinfo->flinfo->fn_mcxt);
	MemoryContext caller = MemoryContextSwitchTo(context);
	TreeCall *call = palloc0(sizeof(TreeCall));

	call->context = context;
	call->key_length = key_length(datum);
	call->key = memcpy(palloc(call->key_length), datum, call->key_length);
	call->budget = budget_begin();
	call->tree = tree_value_read(PG_DETOAST_DATUM_COPY(PointerGetDatum(datum)), &call->budget);
	call->bounds = palloc(sizeof(TreeBounds) * call->tree->attributes);
	call->regions = tree_region_create(call->tree);
	MemoryContextSwitchTo(caller);
	return call;
}

/* The call with its tree read, and the row at hand in call->record. */
static TreeCall *
begin_call(FunctionCallInfo fcinfo)
{
	struct varlena *datum = (struct varlena *) PG_GETARG_POINTER(0);
	TreeCall *call = fcinfo->flinfo->fn_extra;

	if (call &&
		(key_length(datum) != call->key_length || memcmp(datum, call->key, call->key_length) != 0))
	{
		fcinfo->flinfo->fn_extra = NULL;
		MemoryContextDelete(call->context);
		call = NULL;
	}
	if (call == NULL)
		fcinfo->flinfo->fn_extra = call = open_tree(fcinfo, datum);
	tree_record_read(&call->record, call->tree, PG_GETARG_HEAPTUPLEHEADER(1), call->context);
	return call;
}

Datum
kanon_leaf(PG_FUNCTION_ARGS)
{
	TreeCall *call = begin_call(fcinfo);
	int32 leaf = partition_tree_locate(call->tree, call->record.values, call->record.nulls, NULL);

	if (leaf < 0)
		PG_RETURN_NULL();
	PG_RETURN_INT32(call->tree->node[leaf].class_number);
}

Datum
kanon_region(PG_FUNCTION_ARGS)
{
	TreeCall *call = begin_call(fcinfo);
	int attributes = call->tree->attributes;
	Datum *elements = palloc(sizeof(Datum) * attributes);
	bool *nulls = palloc(sizeof(bool) * attributes);
	int lower = 1;

	if (partition_tree_locate(call->tree, call->record.values, call->record.nulls, call->bounds) <
		0)
		PG_RETURN_NULL();
	for (int i = 0; i < attributes; i++)
	{
		char *text = tree_region_text(call->regions, i, &call->bounds[i]);

		nulls[i] = text == NULL;
		elements[i] = text ? CStringGetTextDatum(text) : (Datum) 0;
	}
	PG_RETURN_ARRAYTYPE_P(construct_md_array(elements, nulls, 1, &attributes, &lower, TEXTOID, -1,
											 false, TYPALIGN_INT));
}
