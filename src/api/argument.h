/*
 * argument.h
 *		How SQL functions begin; arguments of those that are not STRICT, and of event triggers.
 */
#ifndef KANON_ARGUMENT_H
#define KANON_ARGUMENT_H

#include "postgres.h"

#include <math.h>

#include "base/limits.h"
#include "catalog/pg_proc.h"
#include "commands/event_trigger.h"
#include "fmgr.h"
#include "funcapi.h"
#include "model/model.h"
#include "release/release_request.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/syscache.h"

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

/* A number of known columns; 0 for NULL, which means all. */
static inline int
argument_known(FunctionCallInfo fcinfo, int number)
{
	if (PG_ARGISNULL(number))
		return 0;
	limits_check_known(PG_GETARG_INT32(number));
	return PG_GETARG_INT32(number);
}

/* The arguments' names in SQL, for functions that share arguments at different places. */
typedef struct ArgumentNames
{
	FunctionCallInfo fcinfo;
	char **name;
	int count;
} ArgumentNames;

/* In the current context. */
static inline ArgumentNames
argument_names(FunctionCallInfo fcinfo)
{
	ArgumentNames names = {.fcinfo = fcinfo};
	HeapTuple function = SearchSysCache1(PROCOID, ObjectIdGetDatum(fcinfo->flinfo->fn_oid));
	Datum values[2];
	bool nulls[2];

	if (!HeapTupleIsValid(function))
		elog(ERROR, "cache lookup failed for function %u", fcinfo->flinfo->fn_oid);
	values[0] = SysCacheGetAttr(PROCOID, function, Anum_pg_proc_proargnames, &nulls[0]);
	values[1] = SysCacheGetAttr(PROCOID, function, Anum_pg_proc_proargmodes, &nulls[1]);
	names.count =
		get_func_input_arg_names(nulls[0] ? 0 : values[0], nulls[1] ? 0 : values[1], &names.name);
	ReleaseSysCache(function);
	return names;
}

/* The number of the argument with this name; -1, which is read as NULL, if there is none. */
static inline int
argument_number(const ArgumentNames *names, const char *name)
{
	for (int i = 0; i < names->count; i++)
		if (names->name[i] && strcmp(names->name[i], name) == 0)
			return i;
	return -1;
}

/* Is there such an argument, and is it not NULL? */
static inline bool
argument_given(FunctionCallInfo fcinfo, int number)
{
	return number >= 0 && !PG_ARGISNULL(number);
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
	return argument_given(fcinfo, number) ? PG_GETARG_ARRAYTYPE_P(number) : NULL;
}

/* A name; NULL for NULL. */
static inline const char *
argument_name(FunctionCallInfo fcinfo, int number)
{
	return argument_given(fcinfo, number) ? NameStr(*PG_GETARG_NAME(number)) : NULL;
}

/* A text; NULL for NULL. */
static inline char *
argument_text(FunctionCallInfo fcinfo, int number)
{
	return argument_given(fcinfo, number) ? text_to_cstring(PG_GETARG_TEXT_PP(number)) : NULL;
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

/* What is given of a request for a release, by the names of the arguments. */
static inline ReleaseArguments
release_arguments(FunctionCallInfo fcinfo)
{
	ArgumentNames names = argument_names(fcinfo);
	int suppression = argument_number(&names, "suppression");
	int options = argument_number(&names, "options");
	ReleaseArguments arguments = {
		.quasi_identifiers = argument_array(fcinfo, argument_number(&names, "quasi_identifiers")),
		.models = argument_text(fcinfo, argument_number(&names, "models")),
		.suppression = NAN,
		.person = argument_name(fcinfo, argument_number(&names, "person"))};

	if (argument_given(fcinfo, suppression))
	{
		arguments.suppression = PG_GETARG_FLOAT8(suppression);
		limits_check_suppression(arguments.suppression);
	}
	if (argument_given(fcinfo, options))
		arguments.options = PG_GETARG_JSONB_P(options);
	return arguments;
}

#endif /* KANON_ARGUMENT_H */
