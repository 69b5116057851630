/*
 * overload.c
 *		The event trigger that reserves kanon's names.
 */
#include "postgres.h"

#include "api/event_argument.h"
#include "fmgr.h"
#include "sql/own_names.h"
#include "sql/query.h"

PG_FUNCTION_INFO_V1(kanon_refuse_overloads);

/* ddl_command_end, for commands that create, move or rename functions and types */
Datum
kanon_refuse_overloads(PG_FUNCTION_ARGS)
{
	QueryScope scope;

	(void) event_argument(fcinfo);
	scope = query_begin_as_it_is();
	own_names_check();
	query_end(scope);
	PG_RETURN_NULL();
}
