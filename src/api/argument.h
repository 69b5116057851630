/*
 * argument.h
 *		How SQL functions begin; arguments of those that are not STRICT, and of event triggers.
 */
#ifndef KANON_ARGUMENT_H
#define KANON_ARGUMENT_H

#include "postgres.h"

#include <math.h>

#include "base/limits.h"
#include "commands/event_trigger.h"
#include "fmgr.h"
#include "model/model.h"
#include "release/release_request.h"
#include "utils/array.h"
#include "utils/builtins.h"

/* Begins the definition of the function that SQL calls by this name; the body follows in braces. */
#define SQL_FUNCTION(name)                                                                         \
	PG_FUNCTION_INFO_V1(name);                                                                     \
	Datum name(PG_FUNCTION_ARGS)

/* Raises ERRCODE_NULL_VALUE_NOT_ALLOWED if the argument is NULL; name as in SQL. */
static inline void
argument_require(FunctionCallInfo fcinfo, int number, const char *name)
{
	if (PG_ARGISNULL(number))
		ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
						errmsg("argument \"%s\" must not be null", name)));
}

static inline void
argument_require_each(FunctionCallInfo fcinfo, const char *const *names, int count)
{
	for (int i = 0; i < count; i++)
		if (names[i])
			argument_require(fcinfo, i, names[i]);
}

/* The same for the first arguments; those given as NULL, or skipped by [number] =, may be NULL. */
#define ARGUMENTS_REQUIRE(fcinfo, ...)                                                             \
	argument_require_each(fcinfo, (const char *const[]){__VA_ARGS__},                              \
						  (int) lengthof(((const char *const[]){__VA_ARGS__})))

/* k, not NULL, with the errors of limits_check_k. */
static inline int
argument_k(FunctionCallInfo fcinfo, int number)
{
	argument_require(fcinfo, number, "k");
	limits_check_k(PG_GETARG_INT32(number));
	return PG_GETARG_INT32(number);
}

/* An OID; InvalidOid for NULL. */
static inline Oid
argument_oid(FunctionCallInfo fcinfo, int number)
{
	return PG_ARGISNULL(number) ? InvalidOid : PG_GETARG_OID(number);
}

/* An array; NULL for NULL. */
static inline ArrayType *
argument_array(FunctionCallInfo fcinfo, int number)
{
	return PG_ARGISNULL(number) ? NULL : PG_GETARG_ARRAYTYPE_P(number);
}

/* A name; NULL for NULL. */
static inline const char *
argument_name(FunctionCallInfo fcinfo, int number)
{
	return PG_ARGISNULL(number) ? NULL : NameStr(*PG_GETARG_NAME(number));
}

/* A text; NULL for NULL. */
static inline char *
argument_text(FunctionCallInfo fcinfo, int number)
{
	return PG_ARGISNULL(number) ? NULL : text_to_cstring(PG_GETARG_TEXT_PP(number));
}

/* For event triggers: raises ERRCODE_E_R_I_E_EVENT_TRIGGER_PROTOCOL_VIOLATED unless it is one. */
static inline EventTriggerData *
argument_event(FunctionCallInfo fcinfo)
{
	if (!CALLED_AS_EVENT_TRIGGER(fcinfo))
		ereport(ERROR, (errcode(ERRCODE_E_R_I_E_EVENT_TRIGGER_PROTOCOL_VIOLATED),
						errmsg("this function is called by event triggers only")));
	return (EventTriggerData *) fcinfo->context;
}

/* The Models of kanon_models as a List in the current context; NIL for NULL. */
static inline List *
argument_models(FunctionCallInfo fcinfo, int number)
{
	char *text = argument_text(fcinfo, number);

	return text ? model_text_read_list(text) : NIL;
}

/*
 * quasi_identifiers, models, suppression, perhaps person, and options: arguments from "first" on.
 */
static inline ReleaseArguments
release_arguments_shared(FunctionCallInfo fcinfo, int first, bool person)
{
	int last = first + (person ? 4 : 3);
	ReleaseArguments arguments = {
		.quasi_identifiers = argument_array(fcinfo, first),
		.models = argument_text(fcinfo, first + 1),
		.suppression = NAN,
		.person = person ? argument_name(fcinfo, first + 3) : NULL,
		.options = last < PG_NARGS() && !PG_ARGISNULL(last) ? PG_GETARG_JSONB_P(last) : NULL};

	if (!PG_ARGISNULL(first + 2))
	{
		arguments.suppression = PG_GETARG_FLOAT8(first + 2);
		limits_check_suppression(arguments.suppression);
	}
	return arguments;
}

/* The same after k and the recoding. */
static inline ReleaseArguments
release_arguments(FunctionCallInfo fcinfo, int first)
{
	ReleaseArguments arguments = release_arguments_shared(fcinfo, first + 2, true);
	char *recoding = argument_text(fcinfo, first + 1);

	if (!PG_ARGISNULL(first))
		arguments.k = argument_k(fcinfo, first);
	if (recoding)
		arguments.recoding = release_recoding_find(recoding);
	return arguments;
}

#endif /* KANON_ARGUMENT_H */
