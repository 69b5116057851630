/*
 * levels_argument.h
 *		Levels of quasi-identifiers as arguments of SQL functions.
 */
#ifndef KANON_LEVELS_ARGUMENT_H
#define KANON_LEVELS_ARGUMENT_H

#include "postgres.h"

#include "catalog/pg_type.h"
#include "fmgr.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

/* The text[] in the text of a kanon_levels, in the current context. */
static inline ArrayType *
levels_array(char *text)
{
	Oid input;
	Oid parameter;

	getTypeInputInfo(TEXTARRAYOID, &input, &parameter);
	return DatumGetArrayTypeP(OidInputFunctionCall(input, text, parameter, -1));
}

/* An argument for level_names_read; NULL for NULL. */
static inline ArrayType *
levels_argument(FunctionCallInfo fcinfo, int number)
{
	return PG_ARGISNULL(number) ? NULL : levels_array(text_to_cstring(PG_GETARG_TEXT_PP(number)));
}

#endif /* KANON_LEVELS_ARGUMENT_H */
