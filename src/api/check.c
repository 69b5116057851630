/*
 * check.c
 *		SQL function that judges what a table holds now.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "api/argument.h"
#include "base/limits.h"
#include "fmgr.h"
#include "funcapi.h"
#include "release/release_check.h"

PG_FUNCTION_INFO_V1(kanon_check);

static Datum
tally_datum(FunctionCallInfo fcinfo, const ClassTally *tally)
{
	TupleDesc tupdesc;
	Datum values[] = {
		BoolGetDatum(tally->small_classes == 0), Int64GetDatum(tally->rows),
		Int64GetDatum(tally->classes),           Int64GetDatum(tally->smallest),
		Int64GetDatum(tally->small_classes),     Int64GetDatum(tally->small_rows),
	};
	bool nulls[lengthof(values)] = {false};

	if (get_call_result_type(fcinfo, NULL, &tupdesc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	nulls[3] = tally->classes == 0;
	return HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(tupdesc), values, nulls));
}

Datum
kanon_check(PG_FUNCTION_ARGS)
{
	ReleaseCheck check;
	ClassTally tally;
	QueryScope scope;

	argument_require(fcinfo, 0, "relation");
	argument_require(fcinfo, 1, "k");
	check = (ReleaseCheck){
		.relation = PG_GETARG_OID(0),
		.k = PG_GETARG_INT32(1),
		.quasi_identifiers = PG_ARGISNULL(2) ? NULL : PG_GETARG_ARRAYTYPE_P(2),
		.person = PG_ARGISNULL(3) ? NULL : NameStr(*PG_GETARG_NAME(3)),
	};
	limits_check_k(check.k);
	scope = query_begin();
	tally = release_check(&check);
	query_end(scope);
	PG_RETURN_DATUM(tally_datum(fcinfo, &tally));
}
