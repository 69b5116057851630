/*
 * result.h
 *		Results of SQL functions: sets of rows, a row, an array.
 */
#ifndef KANON_RESULT_H
#define KANON_RESULT_H

#include "postgres.h"

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "funcapi.h"
#include "sql/name_array.h"
#include "sql/query.h"
#include "utils/builtins.h"

/*
 * Begins the result of a set-returning function: a tuplestore in result->setResult, with the
 * declared row type in result->setDesc.  (PostgreSQL has had the function since 15.1.)
 */
static inline ReturnSetInfo *
result_begin(FunctionCallInfo fcinfo)
{
	InitMaterializedSRF(fcinfo, MAT_SRF_BLESS);
	return (ReturnSetInfo *) fcinfo->resultinfo;
}

/* Adds a row to it: letters, and values for them (sql/query.h). */
#define result_put(result, ...) query_put((result)->setResult, (result)->setDesc, __VA_ARGS__)

/* The result of a function declared to return a row, of such values. */
#define result_row(fcinfo, ...) query_row(result_fields(fcinfo), __VA_ARGS__)

static inline TupleDesc
result_fields(FunctionCallInfo fcinfo)
{
	TupleDesc fields;

	if (get_call_result_type(fcinfo, NULL, &fields) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	return BlessTupleDesc(fields);
}

#endif /* KANON_RESULT_H */
