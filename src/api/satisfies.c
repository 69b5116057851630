/*
 * satisfies.c
 *		SQL window function that guards published classes.
 */
#include "postgres.h"

#include "api/window_argument.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

PG_FUNCTION_INFO_V1(kanon_satisfies);

enum
{
	ARG_K,
	ARG_ROWS,
	ARG_CLASS,
	ARG_MODELS,
	ARG_PERSON,
	ARG_MODEL_DIMENSIONS
};

/* Of one window partition. */
typedef struct Verdicts
{
	bool computed;
	WindowClasses *classes; /* NULL: fewer than k rows */
} Verdicts;

static WindowRequest
read_arguments(FunctionCallInfo fcinfo, WindowObject window)
{
	WindowRequest request = {.judge_only = true};
	Datum class = window_argument_required(window, ARG_CLASS, "class");

	request.k = window_argument_k(window, ARG_K);
	request.roles.quasi_identifiers =
		construct_array(&class, 1, NAMEOID, NAMEDATALEN, false, TYPALIGN_CHAR);
	request.roles.models = window_argument_text(window, ARG_MODELS);
	request.roles.person = window_argument_name(window, ARG_PERSON);
	request.roles.model_dimensions = window_argument_array(window, ARG_MODEL_DIMENSIONS);
	request.row_type = get_fn_expr_argtype(fcinfo->flinfo, ARG_ROWS);
	return request;
}

Datum
kanon_satisfies(PG_FUNCTION_ARGS)
{
	WindowObject window = PG_WINDOW_OBJECT();
	Verdicts *verdicts = window_argument_state(window, sizeof(Verdicts));

	if (!verdicts->computed)
	{
		WindowRequest request = read_arguments(fcinfo, window);

		verdicts->classes = window_classes_compute(window_argument_call(fcinfo), window, ARG_ROWS,
												   &request, GetMemoryChunkContext(verdicts));
		verdicts->computed = true;
	}
	PG_RETURN_BOOL(verdicts->classes &&
				   verdicts->classes->satisfies[WinGetCurrentPosition(window)]);
}
