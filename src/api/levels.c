/*
 * levels.c
 *		SQL type kanon_levels: an array of numbers and names of levels, stored as its text.
 */
#include "postgres.h"

#include "api/levels_argument.h"
#include "fmgr.h"
#include "libpq/pqformat.h"
#include "utils/builtins.h"

PG_FUNCTION_INFO_V1(kanon_levels_in);
PG_FUNCTION_INFO_V1(kanon_levels_recv);

static Datum
canonical(char *text)
{
	Oid output;
	bool is_varlena;

	getTypeOutputInfo(TEXTARRAYOID, &output, &is_varlena);
	return CStringGetTextDatum(OidOutputFunctionCall(output, PointerGetDatum(levels_array(text))));
}

Datum
kanon_levels_in(PG_FUNCTION_ARGS)
{
	PG_RETURN_DATUM(canonical(PG_GETARG_CSTRING(0)));
}

Datum
kanon_levels_recv(PG_FUNCTION_ARGS)
{
	StringInfo message = (StringInfo) PG_GETARG_POINTER(0);
	int length;

	PG_RETURN_DATUM(canonical(pq_getmsgtext(message, message->len - message->cursor, &length)));
}
