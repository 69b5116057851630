/*
 * dimension.c
 *		SQL functions that make and check dimension tables.
 */
#include "postgres.h"

#include "api/argument.h"
#include "fmgr.h"
#include "funcapi.h"
#include "io/dimension_build.h"
#include "io/dimension_check.h"
#include "io/query.h"
#include "miscadmin.h"
#include "utils/builtins.h"

PG_FUNCTION_INFO_V1(kanon_create_dimension);
PG_FUNCTION_INFO_V1(kanon_check_dimension);

Datum
kanon_create_dimension(PG_FUNCTION_ARGS)
{
	static const char *const names[] = {"dimension", "relation", "attribute", "method",
										"arguments"};
	DimensionRequest request;
	QueryScope scope;
	Oid dimension;

	for (size_t i = 0; i < lengthof(names); i++)
		argument_require(fcinfo, (int) i, names[i]);
	request = dimension_request(PG_GETARG_TEXT_PP(0), PG_GETARG_OID(1), NameStr(*PG_GETARG_NAME(2)),
								text_to_cstring(PG_GETARG_TEXT_PP(3)), PG_GETARG_ARRAYTYPE_P(4));
	PreventCommandIfReadOnly("kanon_create_dimension()");
	scope = query_begin();
	dimension = dimension_build(&request);
	query_end(scope);
	PG_RETURN_OID(dimension);
}

/* A tuplestore that the executor reads as the function's result. */
static Tuplestorestate *
begin_result(FunctionCallInfo fcinfo, TupleDesc *row)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	MemoryContext context;

	if (result == NULL || !IsA(result, ReturnSetInfo) ||
		(result->allowedModes & SFRM_Materialize) == 0)
		ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
						errmsg("set-valued function called in context that cannot accept a set")));
	context = MemoryContextSwitchTo(result->econtext->ecxt_per_query_memory);
	if (get_call_result_type(fcinfo, NULL, row) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	result->returnMode = SFRM_Materialize;
	result->setResult = tuplestore_begin_heap((result->allowedModes & SFRM_Materialize_Random) != 0,
											  false, work_mem);
	result->setDesc = *row;
	MemoryContextSwitchTo(context);
	return result->setResult;
}

Datum
kanon_check_dimension(PG_FUNCTION_ARGS)
{
	static const char *const names[] = {"dimension", "relation", "attribute"};
	Tuplestorestate *problems;
	TupleDesc row;
	QueryScope scope;

	for (size_t i = 0; i < lengthof(names); i++)
		argument_require(fcinfo, (int) i, names[i]);
	problems = begin_result(fcinfo, &row);
	scope = query_begin();
	dimension_check(PG_GETARG_OID(0), PG_GETARG_OID(1), NameStr(*PG_GETARG_NAME(2)), problems, row);
	query_end(scope);
	return (Datum) 0;
}
