/*
 * window_argument.h
 *		Arguments of SQL window functions, taken from the current row.
 */
#ifndef KANON_WINDOW_ARGUMENT_H
#define KANON_WINDOW_ARGUMENT_H

#include "postgres.h"

#include "base/limits.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "record/record_reader.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "windowapi.h"

/* Raises ERRCODE_NULL_VALUE_NOT_ALLOWED if the argument is NULL; name as in SQL. */
static inline Datum
window_argument_required(WindowObject window, int number, const char *name)
{
	bool isnull;
	Datum value = WinGetFuncArgCurrent(window, number, &isnull);

	if (isnull)
		ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
						errmsg("argument \"%s\" must not be null", name)));
	return value;
}

/* k, with the errors of limits_check_k. */
static inline int
window_argument_k(WindowObject window, int number)
{
	int k = DatumGetInt32(window_argument_required(window, number, "k"));

	limits_check_k(k);
	return k;
}

/* An array; NULL for NULL. */
static inline ArrayType *
window_argument_array(WindowObject window, int number)
{
	bool isnull;
	Datum value = WinGetFuncArgCurrent(window, number, &isnull);

	return isnull ? NULL : DatumGetArrayTypeP(value);
}

/* A name; NULL for NULL. */
static inline const char *
window_argument_name(WindowObject window, int number)
{
	bool isnull;
	Datum value = WinGetFuncArgCurrent(window, number, &isnull);

	return isnull ? NULL : NameStr(*DatumGetName(value));
}

/* A text; NULL for NULL. */
static inline const char *
window_argument_text(WindowObject window, int number)
{
	bool isnull;
	Datum value = WinGetFuncArgCurrent(window, number, &isnull);

	return isnull ? NULL : TextDatumGetCString(value);
}

/* The state of the window partition, initially zeroed. */
static inline void *
window_argument_state(WindowObject window, Size size)
{
	/* A call without OVER, which the parser prevents. */
	if (!WindowObjectIsValid(window))
		elog(ERROR, "not called as a window function");
	return WinGetPartitionLocalMemory(window, size);
}

/* A new context for that state. */
static inline MemoryContext
window_argument_context(void *state)
{
	return AllocSetContextCreate(GetMemoryChunkContext(state), "kanon window partition",
								 ALLOCSET_SMALL_SIZES);
}

/* The state that the call keeps between window partitions. */
static inline WindowCall *
window_argument_call(FunctionCallInfo fcinfo)
{
	if (fcinfo->flinfo->fn_extra == NULL)
		fcinfo->flinfo->fn_extra = record_reader_open(fcinfo->flinfo->fn_mcxt);
	return fcinfo->flinfo->fn_extra;
}

#endif /* KANON_WINDOW_ARGUMENT_H */
