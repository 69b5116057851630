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
PG_FUNCTION_INFO_V1(kanon_levels_out);
PG_FUNCTION_INFO_V1(kanon_levels_recv);
PG_FUNCTION_INFO_V1(kanon_levels_send);

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
kanon_levels_out(PG_FUNCTION_ARGS)
{
	PG_RETURN_CSTRING(TextDatumGetCString(PG_GETARG_DATUM(0)));
}

Datum
kanon_levels_recv(PG_FUNCTION_ARGS)
{
	StringInfo message = (StringInfo) PG_GETARG_POINTER(0);
	int length;

	PG_RETURN_DATUM(canonical(pq_getmsgtext(message, message->len - message->cursor, &length)));
}

Datum
kanon_levels_send(PG_FUNCTION_ARGS)
{
	text *levels = PG_GETARG_TEXT_PP(0);
	StringInfoData message;

	pq_begintypsend(&message);
	pq_sendtext(&message, VARDATA_ANY(levels), VARSIZE_ANY_EXHDR(levels));
	PG_RETURN_BYTEA_P(pq_endtypsend(&message));
}
