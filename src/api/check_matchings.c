/*
 * check_matchings.c
 *		SQL functions that judge releases of any kind, whose rows need not be alike.
 */
#include "postgres.h"

#include "api/argument.h"
#include "api/result.h"
#include "audit/comparison.h"
#include "audit/matching_audit.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "sql/rights.h"
#include "utils/array.h"
#include "utils/builtins.h"

PG_FUNCTION_INFO_V1(kanon_check_matchings);
PG_FUNCTION_INFO_V1(kanon_matching_bound);

static Datum
report_datum(FunctionCallInfo fcinfo, const MatchingReport *report)
{
	const MatchingVerdict *verdict = &report->verdict;
	Datum values[] = {BoolGetDatum(verdict->reason == MATCHING_SATISFIED),
					  Int64GetDatum(report->rows),
					  Int64GetDatum(report->released),
					  Int64GetDatum(verdict->flow),
					  Int64GetDatum(verdict->needed),
					  0,
					  0};
	bool nulls[lengthof(values)] = {false};

	nulls[3] = verdict->reason == MATCHING_TOO_MANY;
	nulls[5] = report->singled_out == NULL;
	nulls[6] = report->detail == NULL;
	if (!nulls[5])
		values[5] = result_texts(report->singled_out, report->columns);
	if (!nulls[6])
		values[6] = CStringGetTextDatum(report->detail);
	return result_row(fcinfo, values, nulls);
}

Datum
kanon_check_matchings(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	MatchingAudit request;
	MatchingReport report;
	QueryScope scope;
	Datum row;

	argument_require(fcinfo, 0, "release");
	request = (MatchingAudit){
		.release = PG_GETARG_OID(0),
		.k = PG_ARGISNULL(1) ? 0 : argument_k(fcinfo, 1),
		.relation = argument_oid(fcinfo, 2),
		.quasi_identifiers = argument_array(fcinfo, 3),
	};
	scope = rights_begin(request.release, RIGHTS_TO_READ, AccessShareLock);
	report = matching_audit_run(&request);
	caller = MemoryContextSwitchTo(caller);
	row = report_datum(fcinfo, &report);
	MemoryContextSwitchTo(caller);
	query_end(scope);
	PG_RETURN_DATUM(row);
}

Datum
kanon_matching_bound(PG_FUNCTION_ARGS)
{
	double bound;
	bool enough;
	int k;
	QueryScope scope;

	ARGUMENTS_REQUIRE(fcinfo, "relation", "k", [3] = "priced");
	k = argument_k(fcinfo, 1);
	scope = rights_begin(PG_GETARG_OID(0), RIGHTS_TO_READ, AccessShareLock);
	enough =
		comparison_bound(PG_GETARG_OID(0), argument_array(fcinfo, 2), k, PG_GETARG_BOOL(3), &bound);
	query_end(scope);
	if (!enough)
		PG_RETURN_NULL();
	PG_RETURN_FLOAT8(bound);
}
