/*
 * cohort.c
 *		SQL functions of releases by cohorts.
 */
#include "postgres.h"

#include "api/argument.h"
#include "api/result.h"
#include "cohort/cohort_state.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "sql/query.h"
#include "sql/relation_name.h"
#include "sql/value_text.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

PG_FUNCTION_INFO_V1(kanon_adopt_cohorts);
PG_FUNCTION_INFO_V1(kanon_view_value);
PG_FUNCTION_INFO_V1(kanon_view_cohort_cells);
PG_FUNCTION_INFO_V1(kanon_view_cohort_members);

Datum
kanon_adopt_cohorts(PG_FUNCTION_ARGS)
{
	QueryScope scope;

	argument_require(fcinfo, 0, "relation");
	PreventCommandIfReadOnly("kanon_adopt_cohorts()");
	scope = query_begin();
	cohort_state_adopt(PG_GETARG_OID(0));
	query_end(scope);
	PG_RETURN_VOID();
}

/* Caches the input function of the type. */
Datum
kanon_view_value(PG_FUNCTION_ARGS)
{
	ValueReader *reader = fcinfo->flinfo->fn_extra;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	if (reader == NULL)
	{
		MemoryContext previous = MemoryContextSwitchTo(fcinfo->flinfo->fn_mcxt);

		reader = palloc(sizeof(ValueReader));
		*reader = value_text_reader(get_fn_expr_rettype(fcinfo->flinfo));
		fcinfo->flinfo->fn_extra = reader;
		MemoryContextSwitchTo(previous);
	}
	return value_text_read(reader, text_to_cstring(PG_GETARG_TEXT_PP(0)));
}

/* Strict */
Datum
kanon_view_cohort_cells(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = result_begin(fcinfo);
	QueryScope scope = query_begin();

	cohort_state_put_cells(PG_GETARG_INT64(0), result->setResult);
	query_end(scope);
	PG_RETURN_NULL();
}

/* Strict */
Datum
kanon_view_cohort_members(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = result_begin(fcinfo);
	QueryScope scope = query_begin();

	cohort_state_put_members(PG_GETARG_INT64(0), result->setResult);
	query_end(scope);
	PG_RETURN_NULL();
}
