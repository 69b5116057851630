/*
 * model_argument.h
 *		Privacy models as arguments of SQL functions.
 */
#ifndef KANON_MODEL_ARGUMENT_H
#define KANON_MODEL_ARGUMENT_H

#include "postgres.h"

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "model/model_text.h"
#include "nodes/pg_list.h"
#include "utils/array.h"
#include "utils/builtins.h"

/*
 * The Models of a kanon_model[] as a List in the current context; NIL for NULL.
 * Error: one of them is NULL (ERRCODE_NULL_VALUE_NOT_ALLOWED).
 */
static inline List *
model_argument(FunctionCallInfo fcinfo, int number)
{
	ArrayType *array = PG_ARGISNULL(number) ? NULL : PG_GETARG_ARRAYTYPE_P(number);
	Datum *elements;
	bool *nulls;
	int count;
	List *models = NIL;

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

#endif /* KANON_MODEL_ARGUMENT_H */
