/*
 * node.c
 *		The SQL function that workers call while a partition tree grows from their counts: to which
 *		node a row belongs, and where it counts.
 */
#include "postgres.h"

#include "api/argument.h"
#include "api/recoding_call.h"
#include "api/result.h"
#include "base/context.h"
#include "catalog/pg_type.h"
#include "partition/part.h"
#include "record/record_whole.h"
#include "rothko/counted_tree.h"
#include "sql/name_array.h"
#include "utils/memutils.h"

/* A call site, which has the same arguments for all rows but the rows. */
typedef struct NodeCall
{
	Budget budget;
	RecordCodes *codes;
	CountedTree *tree;
	int32 *code; /* of a row, by attribute and sensitive column, .. */
	int sides;
	int *column;       /* [side]: of this column; -1: of none */
	int32 *counted;    /* .. and by attribute and side */
	ArrayType *answer; /* what is returned: the node, the size of counts, and places */
} NodeCall;

/* An array with room for so many numbers, in the current context. */
static ArrayType *
make_array(int count)
{
	ArrayType *array = palloc0(ARR_OVERHEAD_NONULLS(1) + sizeof(int32) * count);

	array->ndim = 1;
	array->elemtype = INT4OID;
	ARR_LBOUND(array)[0] = 1;
	return array;
}

/* The numbers of an array of one dimension without NULLs, and how many; an error otherwise. */
static const int32 *
array_numbers(ArrayType *array, int64 *count)
{
	if (ARR_HASNULL(array) || ARR_NDIM(array) > 1)
		ereport(ERROR, (errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
						errmsg("numbers must be an array of one dimension without nulls")));
	*count = ARR_NDIM(array) == 0 ? 0 : ARR_DIMS(array)[0];
	return (const int32 *) ARR_DATA_PTR(array);
}

static void
read_tree(NodeCall *call, ArrayType *tree, int k)
{
	const RowModels *models = record_codes_models(call->codes, k, NULL);
	int attributes = call->codes->dataset->attributes;
	int columns = models ? models->demand.columns : 0;
	int32 *values = palloc(sizeof(int32) * (3 + 2 * columns));
	PartitionRequest request = {.models = models};
	int64 count;
	const int32 *numbers = array_numbers(tree, &count);

	call->column = palloc(sizeof(int) * (3 + 2 * columns));
	call->sides = part_list_sides(&request, values, call->column);
	call->tree =
		counted_tree_read(numbers, count, record_whole_columns(call->codes), attributes, values,
						  call->sides, models == NULL || !models->people, &call->budget);
	call->code = palloc(sizeof(int32) * (attributes + columns));
	call->counted = palloc(sizeof(int32) * (attributes + call->sides));
	call->answer = make_array(2 + counted_tree_most_places(call->tree));
}

/* Reads the arguments; the first row says the type of all. */
static NodeCall *
begin_call(FunctionCallInfo fcinfo, HeapTupleHeader row)
{
	MemoryContext context =
		AllocSetContextCreate(fcinfo->flinfo->fn_mcxt, "kanon node", CONTEXT_SMALL_SIZES);
	MemoryContext previous = MemoryContextSwitchTo(context);
	NodeCall *call = palloc0(sizeof(NodeCall));
	RecodingCall recoding;
	Description *description;

	recoding = recoding_call_read(fcinfo);
	call->budget = budget_begin();
	budget_lend(&call->budget, recoding.rows.memory);
	description =
		record_roles_describe(HeapTupleHeaderGetTypeId(row), HeapTupleHeaderGetTypMod(row),
							  &recoding.rows.roles, NIL, &call->budget);
	description->beside = NULL;
	call->codes = record_whole_codes(description, &recoding.rows, &call->budget);
	read_tree(call, PG_GETARG_ARRAYTYPE_P_COPY(argument_number(&recoding.names, "tree")),
			  recoding.recode.k);
	MemoryContextSwitchTo(previous);
	return fcinfo->flinfo->fn_extra = call;
}

/* The codes of a row as they are counted. */
static const int32 *
find_codes(const NodeCall *call, HeapTupleHeader row)
{
	int attributes = call->codes->dataset->attributes;

	record_codes_find(call->codes, row, counted_tree_asks(call->tree), call->code);
	memcpy(call->counted, call->code, sizeof(int32) * attributes);
	for (int side = 0; side < call->sides; side++)
		call->counted[attributes + side] =
			call->column[side] < 0 ? 0 : call->code[attributes + call->column[side]];
	return call->counted;
}

SQL_FUNCTION(kanon_view_node)
{
	NodeCall *call = fcinfo->flinfo->fn_extra;
	HeapTupleHeader row;
	int32 *numbers;
	int places;

	argument_require(fcinfo, 2, "rows");
	row = PG_GETARG_HEAPTUPLEHEADER(2);
	if (call == NULL)
		call = begin_call(fcinfo, row);
	numbers = (int32 *) ARR_DATA_PTR(call->answer);
	numbers[0] = counted_tree_places(call->tree, find_codes(call, row), numbers + 2, &places);
	numbers[1] = (int32) counted_tree_size(call->tree);
	ARR_DIMS(call->answer)[0] = 2 + places;
	SET_VARSIZE(call->answer, ARR_OVERHEAD_NONULLS(1) + sizeof(int32) * (2 + places));
	PG_RETURN_ARRAYTYPE_P(call->answer);
}
