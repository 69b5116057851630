/*
 * release_argument.h
 *		Arguments of SQL functions that make releases, or tell what they would be.
 */
#ifndef KANON_RELEASE_ARGUMENT_H
#define KANON_RELEASE_ARGUMENT_H

#include "postgres.h"

#include <math.h>

#include "api/argument.h"
#include "release/release_request.h"

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

#endif /* KANON_RELEASE_ARGUMENT_H */
