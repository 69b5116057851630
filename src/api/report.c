/*
 * report.c
 *		SQL function that reports on a release.
 */
#include "postgres.h"

#include "api/argument.h"
#include "report/release_report.h"
#include "sql/rights.h"

PG_FUNCTION_INFO_V1(kanon_report);

Datum
kanon_report(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	QueryScope scope;
	text *page;

	argument_require(fcinfo, 0, "release");
	scope = rights_begin(PG_GETARG_OID(0), RIGHTS_TO_READ, AccessShareLock);
	caller = MemoryContextSwitchTo(caller);
	page = cstring_to_text(release_report_write(PG_GETARG_OID(0)));
	MemoryContextSwitchTo(caller);
	query_end(scope);
	PG_RETURN_TEXT_P(page);
}
