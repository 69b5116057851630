/*
 * model.c
 *		SQL type kanon_model: a privacy model, stored as its canonical text.
 */
#include "postgres.h"

#include "base/compat.h"
#include "fmgr.h"
#include "libpq/pqformat.h"
#include "model/model_text.h"
#include "utils/builtins.h"

PG_FUNCTION_INFO_V1(kanon_model_in);
PG_FUNCTION_INFO_V1(kanon_model_out);
PG_FUNCTION_INFO_V1(kanon_model_recv);
PG_FUNCTION_INFO_V1(kanon_model_send);

Datum
kanon_model_in(PG_FUNCTION_ARGS)
{
	PG_RETURN_TEXT_P(cstring_to_text(model_text_write(model_text_read(PG_GETARG_CSTRING(0)))));
}

Datum
kanon_model_out(PG_FUNCTION_ARGS)
{
	PG_RETURN_CSTRING(TextDatumGetCString(PG_GETARG_DATUM(0)));
}

Datum
kanon_model_recv(PG_FUNCTION_ARGS)
{
	StringInfo message = (StringInfo) PG_GETARG_POINTER(0);
	int length;
	char *text = pq_getmsgtext(message, message->len - message->cursor, &length);

	PG_RETURN_TEXT_P(cstring_to_text(model_text_write(model_text_read(text))));
}

Datum
kanon_model_send(PG_FUNCTION_ARGS)
{
	text *model = PG_GETARG_TEXT_PP(0);
	StringInfoData message;

	pq_begintypsend(&message);
	pq_sendtext(&message, VARDATA_ANY(model), VARSIZE_ANY_EXHDR(model));
	PG_RETURN_BYTEA_P(pq_endtypsend(&message));
}
