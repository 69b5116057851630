/*
 * model.c
 *		SQL type kanon_models: a list of privacy models, stored as its canonical text.
 *
 * An array of texts is accepted as well: its elements, joined by commas, form a list.  So
 * {distinct(disease, 3)} works, although its comma separates two elements.
 */
#include "postgres.h"

#include "api/argument.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "model/model.h"
#include "sql/name_array.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/fmgrprotos.h"

static char *
join_elements(ArrayType *array)
{
	StringInfoData list;

	initStringInfo(&list);
	foreach_ptr (const char, element, array_strings(array))
	{
		CHECK_FOR_INTERRUPTS();
		if (element == NULL)
			ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
							errmsg("a privacy model must not be null")));
		appendStringInfo(&list, "%s%s", foreach_current_index(element) > 0 ? ", " : "", element);
	}
	return list.data;
}

static Datum
canonical(const char *text)
{
	return CStringGetTextDatum(model_text_write_list(model_text_read_list(text)));
}

SQL_FUNCTION(kanon_models_in)
{
	char *text = PG_GETARG_CSTRING(0);
	char first = text[strspn(text, " \t\n\r\f\v")];

	/* [2:3]={..} is an array, too. */
	if (first == '{' || first == '[')
		text =
			join_elements(DatumGetArrayTypeP(OidInputFunctionCall(F_ARRAY_IN, text, TEXTOID, -1)));
	PG_RETURN_DATUM(canonical(text));
}

SQL_FUNCTION(kanon_models_recv)
{
	PG_RETURN_DATUM(canonical(TextDatumGetCString(textrecv(fcinfo))));
}
