/*
 * model_array.c
 *		See model_array.h.
 */
#include "postgres.h"

#include "sql/model_array.h"

#include "lib/stringinfo.h"
#include "model/model_text.h"
#include "sql/query.h"
#include "utils/builtins.h"

List *
model_array_read(ArrayType *array)
{
	List *models = NIL;
	Datum *elements;
	bool *nulls;
	int count;

	if (array == NULL)
		return NIL;
	deconstruct_array(array, ARR_ELEMTYPE(array), -1, false, TYPALIGN_INT, &elements, &nulls,
					  &count);
	for (int i = 0; i < count; i++)
	{
		if (nulls[i])
			ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
							errmsg("a privacy model must not be null")));
		models = lappend(models, model_text_read(TextDatumGetCString(elements[i])));
	}
	return models;
}

char *
model_array_text(List *models)
{
	StringInfoData sql;
	ListCell *cell;

	initStringInfo(&sql);
	foreach (cell, models)
		appendStringInfo(&sql, "%s%s", sql.len > 0 ? ", " : "ARRAY[",
						 quote_literal_cstr(model_text_write(lfirst(cell))));
	appendStringInfo(&sql, "%s]::%s.kanon_model[]", sql.len > 0 ? "" : "ARRAY[",
					 query_extension_schema());
	return sql.data;
}
