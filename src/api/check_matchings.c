/*
 * check_matchings.c
 *		SQL functions that judge releases of any kind, whose rows need not be alike.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "api/argument.h"
#include "audit/matching_audit.h"
#include "audit/relation_cells.h"
#include "base/limits.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "funcapi.h"
#include "matching/matching_bound.h"
#include "sql/query.h"
#include "utils/array.h"
#include "utils/builtins.h"

PG_FUNCTION_INFO_V1(kanon_check_matchings);
PG_FUNCTION_INFO_V1(kanon_matching_bound);

/* text[] of the row singled out. */
static Datum
singled_out_datum(const MatchingReport *report)
{
	Datum *values = palloc0(sizeof(Datum) * report->columns);
	bool *nulls = palloc0(sizeof(bool) * report->columns);
	int lower = 1;

	for (int i = 0; i < report->columns; i++)
	{
		nulls[i] = report->singled_out[i] == NULL;
		if (!nulls[i])
			values[i] = CStringGetTextDatum(report->singled_out[i]);
	}
	return PointerGetDatum(construct_md_array(values, nulls, 1, (int *) &report->columns, &lower,
											  TEXTOID, -1, false, TYPALIGN_INT));
}

static HeapTuple
report_tuple(TupleDesc tupdesc, const MatchingReport *report)
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
		values[5] = singled_out_datum(report);
	if (!nulls[6])
		values[6] = CStringGetTextDatum(report->detail);
	return heap_form_tuple(BlessTupleDesc(tupdesc), values, nulls);
}

Datum
kanon_check_matchings(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	MatchingAudit request;
	MatchingReport report;
	QueryScope scope;
	TupleDesc tupdesc;
	HeapTuple tuple;

	argument_require(fcinfo, 0, "original");
	argument_require(fcinfo, 1, "release");
	argument_require(fcinfo, 2, "k");
	limits_check_k(PG_GETARG_INT32(2));
	request = (MatchingAudit){
		.original = PG_GETARG_OID(0),
		.release = PG_GETARG_OID(1),
		.k = PG_GETARG_INT32(2),
		.quasi_identifiers = PG_ARGISNULL(3) ? NULL : PG_GETARG_ARRAYTYPE_P(3),
	};
	if (get_call_result_type(fcinfo, NULL, &tupdesc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	scope = query_begin();
	report = matching_audit_run(&request);
	caller = MemoryContextSwitchTo(caller);
	tuple = report_tuple(tupdesc, &report);
	MemoryContextSwitchTo(caller);
	query_end(scope);
	PG_RETURN_DATUM(HeapTupleGetDatum(tuple));
}

/* Prices may be bad ones. */
static double
least_loss(const CellRows *rows, int k, const double *const *loss, bool priced)
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
	QueryScope scope;

	argument_require(fcinfo, 0, "relation");
	argument_require(fcinfo, 1, "k");
	limits_check_k(PG_GETARG_INT32(1));
	argument_require(fcinfo, 3, "priced");
	scope = query_begin();
	budget = budget_begin();
	description =
		description_load(PG_GETARG_OID(0), PG_ARGISNULL(2) ? NULL : PG_GETARG_ARRAYTYPE_P(2));
	rows = relation_cells_load(description, &budget);
	enough = rows->rows->rows >= PG_GETARG_INT32(1);
	if (enough)
		bound = least_loss(rows->rows, PG_GETARG_INT32(1), relation_cells_loss(description, rows),
						   PG_GETARG_BOOL(3));
	query_end(scope);
	if (!enough)
		PG_RETURN_NULL();
	PG_RETURN_FLOAT8(bound);
}
