/*
 * tree.c
 *		SQL type kanon_tree and the functions that apply it.
 */
#include "postgres.h"

#include "access/detoast.h"
#include "access/htup_details.h"
#include "api/argument.h"
#include "api/result.h"
#include "base/compat.h"
#include "base/context.h"
#include "common/hashfn.h"
#include "fmgr.h"
#include "partition/partition.h"
#include "record/record_reader.h"
#include "record/record_spill.h"
#include "release/release_rules.h"
#include "sql/calling_query.h"
#include "sql/rights.h"
#include "tree/tree_builder.h"
#include "utils/fmgrprotos.h"
#include "utils/memutils.h"

/* The state of the aggregate: rows so far, and the tree once it is grown. */
typedef struct TreeRows
{
	MemoryContext context; /* of the rows; reset when the tree is grown */
	PartitionTree *tree;
	Budget budget;
	int k;
	RecordRequest request;
	RecordCodes *codes; /* from the first record that is not NULL on */
	int64 unknown;      /* NULL records before that one */
} TreeRows;

/*
 * The tree that a call site last saw, opened.  The cache key of a stored tree is its whole datum,
 * which is short (a TOAST pointer, or a compressed tree of up to one page); of a plain one its
 * length and digest.
 */
typedef struct TreeCall
{
	MemoryContext context;
	Size key_length;
	void *key;
	Budget budget;
	OpenTree *tree;
	TreeRecord record;
	TreeBounds *bounds;
} TreeCall;

/* Values are read and written whatever their size, because they must be dumped. */
static const Budget unlimited = {.limit = MaxAllocHugeSize};

SQL_FUNCTION(kanon_tree_in)
{
	Budget budget = unlimited;

	PG_RETURN_POINTER(tree_text_read(PG_GETARG_CSTRING(0), &budget));
}

SQL_FUNCTION(kanon_tree_out)
{
	PG_RETURN_CSTRING(tree_text_write((PartitionTree *) PG_GETARG_VARLENA_P(0)));
}

/* The message is the text. */
SQL_FUNCTION(kanon_tree_recv)
{
	Budget budget = unlimited;

	PG_RETURN_POINTER(tree_text_read(TextDatumGetCString(textrecv(fcinfo)), &budget));
}

SQL_FUNCTION(kanon_tree_send)
{
	const char *text = tree_text_write((PartitionTree *) PG_GETARG_VARLENA_P(0));

	return DirectFunctionCall1(textsend, CStringGetTextDatum(text));
}

/* Trees are ordered by their texts, byte by byte: the same in every database. */
SQL_FUNCTION(kanon_tree_cmp)
{
	PartitionTree *one = (PartitionTree *) PG_GETARG_VARLENA_P(0);
	PartitionTree *other = (PartitionTree *) PG_GETARG_VARLENA_P(1);
	int order = 0;

	if (VARSIZE(one) != VARSIZE(other) || memcmp(one, other, VARSIZE(one)) != 0)
	{
		char *text = tree_text_write(one);
		char *other_text = tree_text_write(other);

		order = strcmp(text, other_text);
		pfree(text);
		pfree(other_text);
	}
	PG_FREE_IF_COPY(one, 0);
	PG_FREE_IF_COPY(other, 1);
	PG_RETURN_INT32(order < 0 ? -1 : order > 0);
}

#define TREE_COMPARISON(name, holds)                                                               \
	SQL_FUNCTION(name)                                                                             \
	{                                                                                              \
		PG_RETURN_BOOL(DatumGetInt32(kanon_tree_cmp(fcinfo)) holds 0);                             \
	}

TREE_COMPARISON(kanon_tree_eq, ==)
TREE_COMPARISON(kanon_tree_ne, !=)
TREE_COMPARISON(kanon_tree_lt, <)
TREE_COMPARISON(kanon_tree_le, <=)
TREE_COMPARISON(kanon_tree_gt, >)
TREE_COMPARISON(kanon_tree_ge, >=)

SQL_FUNCTION(kanon_tree_hash)
{
	PartitionTree *tree = (PartitionTree *) PG_GETARG_VARLENA_P(0);
	char *text = tree_text_write(tree);
	Datum hash = hash_any((unsigned char *) text, (int) strlen(text));

	pfree(text);
	PG_FREE_IF_COPY(tree, 0);
	return hash;
}

/* The criterion that an argument names, if there is one. */
static PartitionSplit
read_split(FunctionCallInfo fcinfo, int number, const char *target)
{
	PartitionSplit split = number >= 0 && argument_given(fcinfo, number)
							   ? split_name_require(argument_text(fcinfo, number))
							   : SPLIT_GAIN;

	split_name_check_target(split, target);
	return split;
}

/* Reads the options from the first row. */
static TreeRows *
open_rows(FunctionCallInfo fcinfo, MemoryContext aggregate)
{
	TreeRows *rows = MemoryContextAllocZero(aggregate, sizeof(TreeRows));
	RecordRoles *roles = &rows->request.roles;
	ArgumentNames names;
	MemoryContext caller;

	rows->context = AllocSetContextCreate(aggregate, "kanon tree", CONTEXT_SMALL_SIZES);
	caller = MemoryContextSwitchTo(rows->context);
	rows->budget = budget_begin();
	rows->k = argument_k(fcinfo, 1);
	rows->request.way.partitioning = record_spill_partitioning;
	names = argument_names(fcinfo);
	roles->models = argument_text(fcinfo, argument_number(&names, "models"));
	roles->target = argument_name(fcinfo, argument_number(&names, "target"));
	roles->quasi_identifiers = argument_array(fcinfo, argument_number(&names, "quasi_identifiers"));
	/* The row and its arguments are freed before the tree is grown. */
	if (roles->target)
		roles->target = pstrdup(roles->target);
	if (roles->quasi_identifiers)
		roles->quasi_identifiers =
			DatumGetArrayTypePCopy(PointerGetDatum(roles->quasi_identifiers));
	rows->request.split = read_split(fcinfo, argument_number(&names, "split"), roles->target);
	MemoryContextSwitchTo(caller);
	return rows;
}

/* The first record determines the fields. */
static void
open_codes(TreeRows *rows, HeapTupleHeader record, const List *tables)
{
	Description *description =
		record_roles_describe(HeapTupleHeaderGetTypeId(record), HeapTupleHeaderGetTypMod(record),
							  &rows->request.roles, tables, &rows->budget);

	rows->codes = record_codes_create(description, &rows->request, rows->unknown + 1,
									  code_tapes_create(), &rows->budget);
	for (; rows->unknown > 0; rows->unknown--)
		record_codes_add(rows->codes, NULL);
}

/* In the rows' context; tables are those of the calling statement. */
static void
add_record(TreeRows *rows, HeapTupleHeader record, const List *tables)
{
	if (record == NULL && rows->codes == NULL)
	{
		rows->unknown++;
		return;
	}
	if (rows->codes == NULL)
		open_codes(rows, record, tables);
	record_codes_add(rows->codes, record);
}

/* Arguments: state, k, rows [, quasi_identifiers [, models] [, split, target]]. */
SQL_FUNCTION(kanon_mondrian_tree_transition)
{
	TreeRows *rows = PG_ARGISNULL(0) ? NULL : (TreeRows *) PG_GETARG_POINTER(0);
	HeapTupleHeader record;
	MemoryContext aggregate;
	MemoryContext caller;

	if (!AggCheckCallContext(fcinfo, &aggregate))
		elog(ERROR, "kanon_mondrian_tree_transition called in non-aggregate context");
	argument_require(fcinfo, 1, "k");
	if (rows == NULL)
		rows = open_rows(fcinfo, aggregate);
	if (rows->k != PG_GETARG_INT32(1))
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("k must be the same for all rows of a tree")));
	/* Detoasted here, in memory freed with the row. */
	record = PG_ARGISNULL(2) ? NULL : PG_GETARG_HEAPTUPLEHEADER(2);
	caller = MemoryContextSwitchTo(rows->context);
	add_record(rows, record, calling_query_tables(fcinfo));
	MemoryContextSwitchTo(caller);
	PG_RETURN_POINTER(rows);
}

/* NULL for NULL. */
static PartitionTree *
copy_tree(const PartitionTree *tree, MemoryContext context)
{
	return tree ? memcpy(MemoryContextAlloc(context, VARSIZE(tree)), tree, VARSIZE(tree)) : NULL;
}

/*
 * NULL for fewer than k rows, for rows that do not satisfy the models, and for rows that are all
 * NULL.  May be called again for the same state, when a hashed aggregation is rescanned.
 */
SQL_FUNCTION(kanon_mondrian_tree_final)
{
	TreeRows *rows = PG_ARGISNULL(0) ? NULL : (TreeRows *) PG_GETARG_POINTER(0);
	MemoryContext caller;
	PartitionTree *tree;

	if (rows && rows->tree)
		PG_RETURN_POINTER(rows->tree);
	if (rows == NULL || rows->codes == NULL)
		PG_RETURN_NULL();
	caller = MemoryContextSwitchTo(rows->context);
	tree = tree_grow(rows->codes, rows->k);
	MemoryContextSwitchTo(caller);
	rows->tree = copy_tree(tree, GetMemoryChunkContext(rows));
	rows->codes = NULL;
	MemoryContextReset(rows->context);
	if (rows->tree == NULL)
		PG_RETURN_NULL();
	PG_RETURN_POINTER(rows->tree);
}

/* Arguments: relation, k, quasi_identifiers, models, split, target. */
SQL_FUNCTION(kanon_grow_tree)
{
	RecordRequest rows = {.may_spill = true,
						  .way = {.partitioning = record_spill_partitioning},
						  .roles = {.quasi_identifiers = argument_array(fcinfo, 2),
									.models = argument_text(fcinfo, 3),
									.target = argument_name(fcinfo, 5)}};
	PartitionTree *tree;
	QueryScope scope;
	Budget budget;
	int k;

	ARGUMENTS_REQUIRE(fcinfo, "relation", "k", NULL, NULL);
	k = argument_k(fcinfo, 1);
	rows.class_bytes = tree_grow_class_bytes(k);
	rows.split = read_split(fcinfo, 4, rows.roles.target);
	scope = rights_begin(PG_GETARG_OID(0), RIGHTS_TO_READ, AccessShareLock);
	MemoryContextSwitchTo(
		AllocSetContextCreate(CurrentMemoryContext, "kanon tree", CONTEXT_SMALL_SIZES));
	budget = budget_begin();
	tree = tree_grow(record_reader_relation(PG_GETARG_OID(0), &rows, &budget), k);
	tree = copy_tree(tree, scope.caller);
	query_end(scope);
	if (tree == NULL)
		PG_RETURN_NULL();
	PG_RETURN_POINTER(tree);
}

/* Arguments: relation, k, quasi_identifiers, models, suppression, ranges. */
SQL_FUNCTION(kanon_local_tree)
{
	RecordRequest rows = {.ranks = true, .spans = true, .regions = true};
	PartitionTree *tree;
	QueryScope scope;
	Budget budget;
	int k;

	ARGUMENTS_REQUIRE(fcinfo, "relation", "k", NULL, NULL, NULL, "suppression", "ranges");
	k = argument_k(fcinfo, 1);
	limits_check_suppression(PG_GETARG_FLOAT8(5));
	rows.roles = (RecordRoles){.quasi_identifiers = argument_array(fcinfo, 2),
							   .models = argument_text(fcinfo, 3),
							   .person = argument_name(fcinfo, 4),
							   .plain = !PG_GETARG_BOOL(6)};
	scope = rights_begin(PG_GETARG_OID(0), RIGHTS_TO_READ, AccessShareLock);
	MemoryContextSwitchTo(
		AllocSetContextCreate(CurrentMemoryContext, "kanon tree", CONTEXT_SMALL_SIZES));
	budget = budget_begin();
	tree = tree_grow_rules(record_reader_relation(PG_GETARG_OID(0), &rows, &budget), k,
						   PG_GETARG_FLOAT8(5));
	tree = copy_tree(tree, scope.caller);
	query_end(scope);
	if (tree == NULL)
		PG_RETURN_NULL();
	PG_RETURN_POINTER(tree);
}

SQL_FUNCTION(kanon_rules_query)
{
	const PartitionTree *tree = (PartitionTree *) PG_GETARG_VARLENA_P(0);
	QueryScope scope = rights_begin(PG_GETARG_OID(1), RIGHTS_TO_READ, AccessShareLock);
	char *text = release_rules_select(tree, description_load_any(PG_GETARG_OID(1)));

	text = MemoryContextStrdup(scope.caller, text);
	query_end(scope);
	PG_RETURN_TEXT_P(cstring_to_text(text));
}

static Size
key_length(const struct varlena *datum)
{
	if (VARATT_IS_EXTERNAL(datum) || VARATT_IS_COMPRESSED(datum) || VARATT_IS_SHORT(datum))
		return VARSIZE_ANY(datum);
	return offsetof(PartitionTree, version);
}

/* Reads the tree in the call's context, which is reset. */
static TreeCall *
open_tree(FunctionCallInfo fcinfo, struct varlena *datum)
{
	MemoryContext context =
		AllocSetContextCreate(fcinfo->flinfo->fn_mcxt, "kanon tree", CONTEXT_SMALL_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	TreeCall *call = palloc0(sizeof(TreeCall));
	PartitionTree *tree;

	call->context = context;
	call->key_length = key_length(datum);
	call->key = memcpy(palloc(call->key_length), datum, call->key_length);
	call->budget = budget_begin();
	budget_check(&call->budget, toast_raw_datum_size(PointerGetDatum(datum)), "partition tree");
	tree = (PartitionTree *) PG_DETOAST_DATUM_COPY(PointerGetDatum(datum));
	call->tree = partition_tree_open(tree, ERRCODE_DATA_CORRUPTED, &call->budget);
	call->bounds = palloc(sizeof(TreeBounds) * tree->attributes);
	MemoryContextSwitchTo(caller);
	return call;
}

/* The call with its tree read, and the current row in call->record. */
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
	tree_record_read(&call->record, call->tree->tree, PG_GETARG_HEAPTUPLEHEADER(1), call->context);
	return call;
}

SQL_FUNCTION(kanon_leaf)
{
	TreeCall *call = begin_call(fcinfo);
	int32 class_number =
		partition_tree_locate(call->tree, call->record.values, call->record.nulls, NULL);

	if (class_number == 0)
		PG_RETURN_NULL();
	PG_RETURN_INT32(class_number);
}

SQL_FUNCTION(kanon_region)
{
	TreeCall *call = begin_call(fcinfo);
	int attributes = call->tree->tree->attributes;
	List *texts = NIL;

	if (partition_tree_locate(call->tree, call->record.values, call->record.nulls, call->bounds) ==
		0)
		PG_RETURN_NULL();
	for (int i = 0; i < attributes; i++)
		texts = lappend(texts, tree_region_text(call->tree, i, &call->bounds[i]));
	PG_RETURN_POINTER(text_array_of(texts));
}
