/*
 * argument.h
 *		Arguments of SQL functions that are not STRICT.
 */
#ifndef KANON_ARGUMENT_H
#define KANON_ARGUMENT_H

#include "postgres.h"

#include "fmgr.h"
#include "utils/array.h"

/* ERRCODE_NULL_VALUE_NOT_ALLOWED if the argument is NULL; name as in SQL. */
static inline void
argument_require(FunctionCallInfo fcinfo, int number, const char *name)
{
	if (PG_ARGISNULL(number))
		ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
						errmsg("argument \"%s\" must not be null", name)));
}

/* NULL for NULL. */
static inline ArrayType *
argument_array(FunctionCallInfo fcinfo, int number)
{
	return PG_ARGISNULL(number) ? NULL : PG_GETARG_ARRAYTYPE_P(number);
}

/* Likewise. */
static inline const char *
argument_name(FunctionCallInfo fcinfo, int number)
{
	return PG_ARGISNULL(number) ? NULL : NameStr(*PG_GETARG_NAME(number));
}

#endif /* KANON_ARGUMENT_H */
