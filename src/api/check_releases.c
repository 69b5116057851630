/*
 * check_releases.c
 *		SQL functions about several releases of one relation: what they reveal together, and copies
 *		kept for this check.
 */
#include "postgres.h"

#include "api/argument.h"
#include "api/result.h"
#include "audit/aside_audit.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "release/release_create.h"
#include "release/release_members.h"
#include "sql/own_names.h"
#include "sql/rights.h"

PG_FUNCTION_INFO_V1(kanon_check_releases);
PG_FUNCTION_INFO_V1(kanon_copy_release);

/* [1 .. k - 1], up to the largest size that occurs. */
static Datum
sizes_datum(const AsideReport *report)
{
	Datum *sizes = palloc(sizeof(Datum) * report->people.size_end);
	int count = 0;

	for (int size = 1; size < report->people.size_end; size++)
	{
		sizes[size - 1] = Int64GetDatum(report->people.sizes[size]);
		if (report->people.sizes[size] > 0)
			count = size;
	}
	return PointerGetDatum(
		construct_array(sizes, count, INT8OID, sizeof(int64), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE));
}

static Datum
report_datum(FunctionCallInfo fcinfo, const AsideReport *report)
{
	const SideBySideReport *people = &report->people;
	Datum values[] = {BoolGetDatum(people->below == 0),
					  Int32GetDatum(report->k),
					  Int64GetDatum(people->people),
					  Int64GetDatum(people->below),
					  Int64GetDatum(people->alone),
					  Int64GetDatum(people->smallest),
					  sizes_datum(report),
					  result_texts(report->weakest, people->weakest_count)};
	bool nulls[lengthof(values)] = {false};

	nulls[5] = people->people == 0;
	return result_row(fcinfo, values, nulls);
}

/* The first element of a regclass[] without NULLs. */
static Oid
first_of(const ArrayType *releases)
{
	return *(const Oid *) ARR_DATA_PTR(releases);
}

Datum
kanon_check_releases(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	AsideAudit audit;
	AsideReport report;
	QueryScope scope;
	Datum row;

	ARGUMENTS_REQUIRE(fcinfo, "relation", "releases");
	audit = (AsideAudit){
		.relation = PG_GETARG_OID(0),
		.releases = PG_GETARG_ARRAYTYPE_P(1),
		.k = PG_ARGISNULL(2) ? 0 : argument_k(fcinfo, 2),
		.key = argument_name(fcinfo, 3),
	};
	if (ArrayGetNItems(ARR_NDIM(audit.releases), ARR_DIMS(audit.releases)) == 0 ||
		array_contains_nulls(audit.releases))
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("argument \"releases\" must name releases, and none that is NULL")));
	scope = rights_begin(first_of(audit.releases), RIGHTS_TO_READ, AccessShareLock);
	own_names_check();
	report = aside_audit_run(&audit);
	caller = MemoryContextSwitchTo(caller);
	row = report_datum(fcinfo, &report);
	MemoryContextSwitchTo(caller);
	query_end(scope);
	PG_RETURN_DATUM(row);
}

Datum
kanon_copy_release(PG_FUNCTION_ARGS)
{
	ReleaseName table;
	QueryScope scope;
	Oid copy;

	ARGUMENTS_REQUIRE(fcinfo, "release", "copy", "key");
	PreventCommandIfReadOnly("kanon_copy_release()");
	table = release_create_name(PG_GETARG_TEXT_PP(1));
	scope = rights_begin(PG_GETARG_OID(0), RIGHTS_OF_RELEASE, AccessShareLock);
	own_names_check();
	copy = release_copy(PG_GETARG_OID(0), table, argument_name(fcinfo, 2));
	query_end(scope);
	PG_RETURN_OID(copy);
}
