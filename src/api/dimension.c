/*
 * dimension.c
 *		SQL functions that make and check dimension tables.
 */
#include "postgres.h"

#include "api/argument.h"
#include "api/result.h"
#include "dimension/dimension_build.h"
#include "dimension/dimension_check.h"
#include "miscadmin.h"
#include "relation/odd_values.h"
#include "sql/rights.h"
#include "utils/builtins.h"

PG_FUNCTION_INFO_V1(kanon_create_dimension);
PG_FUNCTION_INFO_V1(kanon_refresh_dimension);
PG_FUNCTION_INFO_V1(kanon_check_dimension);

Datum
kanon_create_dimension(PG_FUNCTION_ARGS)
{
	DimensionRequest request;
	QueryScope scope;
	Oid dimension;

	ARGUMENTS_REQUIRE(fcinfo, "dimension", "relation", "attribute", "method", "arguments");
	request = dimension_request(PG_GETARG_TEXT_PP(0), PG_GETARG_OID(1), NameStr(*PG_GETARG_NAME(2)),
								text_to_cstring(PG_GETARG_TEXT_PP(3)), PG_GETARG_ARRAYTYPE_P(4));
	PreventCommandIfReadOnly("kanon_create_dimension()");
	scope = rights_begin(request.relation, RIGHTS_OF_OWNER, AccessShareLock);
	rights_check_creation(request.schema, false);
	dimension = dimension_build(&request);
	odd_values_notice(request.relation, list_make1(unconstify(char *, request.attribute)));
	query_end(scope);
	PG_RETURN_OID(dimension);
}

Datum
kanon_refresh_dimension(PG_FUNCTION_ARGS)
{
	QueryScope scope;
	int64 added;

	ARGUMENTS_REQUIRE(fcinfo, "dimension");
	PreventCommandIfReadOnly("kanon_refresh_dimension()");
	scope = query_begin();
	added = dimension_refresh(PG_GETARG_OID(0));
	query_end(scope);
	PG_RETURN_INT64(added);
}

Datum
kanon_check_dimension(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result;
	QueryScope scope;

	ARGUMENTS_REQUIRE(fcinfo, "dimension", "relation", "attribute");
	result = result_begin(fcinfo);
	scope = rights_begin(PG_GETARG_OID(1), RIGHTS_TO_READ, AccessShareLock);
	dimension_check(PG_GETARG_OID(0), PG_GETARG_OID(1), NameStr(*PG_GETARG_NAME(2)),
					result->setResult, result->setDesc);
	query_end(scope);
	return (Datum) 0;
}
