/*
 * model_argument.h
 *		Privacy models as arguments of SQL functions.
 */
#ifndef KANON_MODEL_ARGUMENT_H
#define KANON_MODEL_ARGUMENT_H

#include "postgres.h"

#include "api/argument.h"
#include "sql/model_array.h"

/*
 * The Models of a kanon_model[] as a List in the current context; NIL for NULL.
 * Error: one of them is NULL (ERRCODE_NULL_VALUE_NOT_ALLOWED).
 */
static inline List *
model_argument(FunctionCallInfo fcinfo, int number)
{
	return model_array_read(argument_array(fcinfo, number));
}

#endif /* KANON_MODEL_ARGUMENT_H */
