/*
 * model_array.h
 *		Arrays of privacy models, the SQL type kanon_model[].
 */
#ifndef KANON_MODEL_ARRAY_H
#define KANON_MODEL_ARRAY_H

#include "postgres.h"

#include "nodes/pg_list.h"
#include "utils/array.h"

/*
 * The Models of a kanon_model[] as a List in the current context; NIL for NULL.
 * Error: one of them is NULL (ERRCODE_NULL_VALUE_NOT_ALLOWED).
 */
extern List *model_array_read(ArrayType *array);

/*
 * ARRAY['..', ..]::kanon_model[] for SQL, the type qualified; in the current context,
 * within a query scope.
 */
extern char *model_array_text(List *models);

#endif /* KANON_MODEL_ARRAY_H */
