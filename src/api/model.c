/*
 * model.c
 *		SQL type kanon_models: a list of privacy models, stored as its canonical text.
 *
 * An array of texts is accepted as well: its elements, joined by commas, form a list.  So
 * {distinct(disease, 3)} works, although its comma separates two elements.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "libpq/pqformat.h"
#include "model/model.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

PG_FUNCTION_INFO_V1(kanon_models_in);
PG_FUNCTION_INFO_V1(kanon_models_recv);

static char *
join_elements(ArrayType *array)
{
	StringInfoData list;
	Datum *elements;
	bool *nulls;
	int count;

	deconstruct_array(array, TEXTOID, -1, false, TYPALIGN_INT, &elements, &nulls, &count);
	initStringInfo(&list);
	for (int i = 0; i < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (nulls[i])
			ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
							errmsg("a privacy model must not be null")));
		appendStringInfo(&list, "%s%s", i > 0 ? ", " : "", TextDatumGetCString(elements[i]));
	}
	return list.data;
}

static Datum
canonical(const char *text)
{
	return CStringGetTextDatum(model_text_write_list(model_text_read_list(text)));
}

Datum
kanon_models_in(PG_FUNCTION_ARGS)
{
	char *text = PG_GETARG_CSTRING(0);
	char first = text[strspn(text, " \t\n\r\f\v")];
	Oid input;
	Oid parameter;

	/* [2:3]={..} is an array, too. */
	if (first == '{' || first == '[')
	{
		getTypeInputInfo(TEXTARRAYOID, &input, &parameter);
		text = join_elements(DatumGetArrayTypeP(OidInputFunctionCall(input, text, parameter, -1)));
	}
	PG_RETURN_DATUM(canonical(text));
}

Datum
kanon_models_recv(PG_FUNCTION_ARGS)
{
	StringInfo message = (StringInfo) PG_GETARG_POINTER(0);
	int length;

	PG_RETURN_DATUM(canonical(pq_getmsgtext(message, message->len - message->cursor, &length)));
}
