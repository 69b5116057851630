/*
 * model_argument.h
 *		Privacy models as arguments of SQL functions.
 */
#ifndef KANON_MODEL_ARGUMENT_H
#define KANON_MODEL_ARGUMENT_H

#include "postgres.h"

#include "api/argument.h"
#include "model/model_text.h"
#include "utils/builtins.h"

/*
 * The Models of kanon_models as a List in the current context; NIL for NULL.
 */
static inline List *
model_argument(FunctionCallInfo fcinfo, int number)
{
	return PG_ARGISNULL(number) ? NIL
								: model_text_read_list(text_to_cstring(PG_GETARG_TEXT_PP(number)));
}

#endif /* KANON_MODEL_ARGUMENT_H */
