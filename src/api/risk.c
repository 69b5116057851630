/*
 * risk.c
 *		SQL function that measures the risk of re-identification.
 */
#include "postgres.h"

#include "api/argument.h"
#include "api/result.h"
#include "audit/class_audit.h"
#include "fmgr.h"
#include "sql/rights.h"

PG_FUNCTION_INFO_V1(kanon_risk);

#define RISK_COLUMNS 13

/* Shares of an empty table, and figures that need a population, are NULL. */
static Datum
risk_datum(FunctionCallInfo fcinfo, const RiskTally *tally, bool has_population)
{
	RiskAgainst prosecutor = {0};
	RiskAgainst journalist = {0};
	bool nulls[RISK_COLUMNS] = {false};

	if (tally->rows > 0)
	{
		prosecutor = risk_prosecutor(tally);
		journalist = risk_journalist(tally);
	}
	for (int i = 3; i < RISK_COLUMNS; i++)
		nulls[i] = tally->rows == 0 || (i >= 7 && i <= 11 && !has_population);
	return result_row(
		fcinfo,
		(Datum[RISK_COLUMNS]){
			Int64GetDatum(tally->rows), Int64GetDatum(tally->classes),
			Int64GetDatum(tally->uniques),
			Float8GetDatum((double) tally->uniques / (double) Max(tally->rows, 1)),
			Float8GetDatum(prosecutor.highest), Float8GetDatum(prosecutor.average),
			Float8GetDatum(prosecutor.at_risk), Int64GetDatum(tally->exposed_uniques),
			Float8GetDatum((double) tally->exposed_uniques / (double) Max(tally->rows, 1)),
			Float8GetDatum(journalist.highest), Float8GetDatum(journalist.average),
			Float8GetDatum(journalist.at_risk),
			Float8GetDatum(tally->rows > 0 ? risk_marketer(tally) : 0)},
		nulls);
}

Datum
kanon_risk(PG_FUNCTION_ARGS)
{
	bool has_population = !PG_ARGISNULL(2);
	double threshold = PG_ARGISNULL(3) ? RISK_THRESHOLD_KNOWN : PG_GETARG_FLOAT8(3);
	RiskTally tally;
	QueryScope scope;

	argument_require(fcinfo, 0, "relation");
	/* NaN fails both comparisons. */
	if (!PG_ARGISNULL(3) && !(threshold >= 0 && threshold <= 1))
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("threshold must be between 0 and 1, not %g", threshold)));
	scope = rights_begin(PG_GETARG_OID(0), RIGHTS_TO_READ, AccessShareLock);
	tally = class_audit_risk(PG_GETARG_OID(0), argument_array(fcinfo, 1), argument_oid(fcinfo, 2),
							 threshold);
	query_end(scope);
	PG_RETURN_DATUM(risk_datum(fcinfo, &tally, has_population));
}
