/*
 * result.h
 *		Rows of set-returning SQL functions.
 */
#ifndef KANON_RESULT_H
#define KANON_RESULT_H

#include "postgres.h"

#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/tuplestore.h"

/*
 * The result of a set-returning function as a tuplestore, in result->setResult,
 * of rows as declared, in result->setDesc.  PostgreSQL has the same from 15 on,
 * under changing names.
 */
static inline ReturnSetInfo *
result_begin(FunctionCallInfo fcinfo)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	MemoryContext previous;

	if (result == NULL || !IsA(result, ReturnSetInfo) ||
		(result->allowedModes & SFRM_Materialize) == 0)
		ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
						errmsg("set-valued function called in context that cannot accept a set")));
	previous = MemoryContextSwitchTo(result->econtext->ecxt_per_query_memory);
	if (get_call_result_type(fcinfo, NULL, &result->setDesc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	result->setDesc = BlessTupleDesc(result->setDesc);
	result->returnMode = SFRM_Materialize;
	result->setResult = tuplestore_begin_heap((result->allowedModes & SFRM_Materialize_Random) != 0,
											  false, work_mem);
	MemoryContextSwitchTo(previous);
	return result;
}

#endif /* KANON_RESULT_H */
