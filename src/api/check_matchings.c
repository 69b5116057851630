/*
 * check_matchings.c
 *		SQL functions that judge releases of any kind, whose rows need not be alike.
 */
#include "postgres.h"

#include "api/argument.h"
#include "api/result.h"
#include "audit/matching_audit.h"
#include "audit/relation_cells.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "matching/matching_bound.h"
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

/* Prices are a heuristic, so the bound without them may be better. */
static double
least_loss(const MatchingTable *rows, int k, const double *const *loss, bool priced)
{
	const double *price = priced ? matching_bound_prices(rows, k, loss) : NULL;
	double bound = matching_bound_run(rows, k, loss, NULL);

	if (price)
	{
		double sharper = matching_bound_run(rows, k, loss, price);

		bound = Max(bound, sharper);
	}
	return bound;
}

Datum
kanon_matching_bound(PG_FUNCTION_ARGS)
{
	Budget budget;
	Description *description;
	MatchingRows *rows;
	double bound = 0;
	bool enough;
	int k;
	QueryScope scope;

	ARGUMENTS_REQUIRE(fcinfo, "relation", "k", [3] = "priced");
	k = argument_k(fcinfo, 1);
	scope = rights_begin(PG_GETARG_OID(0), RIGHTS_TO_READ, AccessShareLock);
	budget = budget_begin();
	description = description_load(PG_GETARG_OID(0), argument_array(fcinfo, 2));
	rows = relation_cells_load(description, &budget);
	enough = rows->table->dataset->rows >= k;
	if (enough)
		bound =
			least_loss(rows->table, k, relation_cells_loss(description, rows), PG_GETARG_BOOL(3));
	query_end(scope);
	if (!enough)
		PG_RETURN_NULL();
	PG_RETURN_FLOAT8(bound);
}
