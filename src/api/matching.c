/*
 * matching.c
 *		SQL window functions of non-homogeneous generalization.
 */
#include "postgres.h"

#include "api/window_argument.h"
#include "cell/recoding_cells.h"
#include "funcapi.h"
#include "matching/ring.h"
#include "matching/two_phase.h"
#include "record/matching_recoding.h"
#include "record/window_classes.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

PG_FUNCTION_INFO_V1(kanon_ring);
PG_FUNCTION_INFO_V1(kanon_two_phase);

enum
{
	ARG_K,
	ARG_ROWS,
	ARG_QUASI_IDENTIFIERS,
	ARG_DIMENSIONS,
	ARG_RANDOMIZE,
	ARG_SEED
};

/* Of one window partition. */
typedef struct MatchingState
{
	bool computed;
	Recoding *recoding; /* NULL: fewer than k rows */
	RecodingCells *cells;
} MatchingState;

static WindowCall *
open_call(FunctionCallInfo fcinfo)
{
	if (fcinfo->flinfo->fn_extra == NULL)
		fcinfo->flinfo->fn_extra = window_classes_open(fcinfo->flinfo->fn_mcxt);
	return fcinfo->flinfo->fn_extra;
}

/* A seed says the same of the same rows, also where a query scans them again. */
static RandomKey
read_key(WindowObject window)
{
	bool isnull;
	Datum value = WinGetFuncArgCurrent(window, ARG_SEED, &isnull);
	char *seed;

	if (isnull)
		return random_key_unforeseeable();
	seed = TextDatumGetCString(value);
	return random_key_of(seed, strlen(seed));
}

/* From the first row of the window partition. */
static WindowRequest
read_arguments(FunctionCallInfo fcinfo, WindowObject window)
{
	WindowRequest request = {.codes_only = true, .keep_codes = true};

	request.k = window_argument_k(window, ARG_K);
	request.roles.quasi_identifiers = window_argument_array(window, ARG_QUASI_IDENTIFIERS);
	request.roles.dimensions = window_argument_array(window, ARG_DIMENSIONS);
	request.row_type = get_fn_expr_argtype(fcinfo->flinfo, ARG_ROWS);
	return request;
}

static void
compute_cells(FunctionCallInfo fcinfo, WindowObject window, MatchingRun run, MatchingState *state)
{
	MemoryContext context = GetMemoryChunkContext(state);
	WindowRequest request = read_arguments(fcinfo, window);
	bool randomize = DatumGetBool(window_argument_required(window, ARG_RANDOMIZE, "randomize"));
	WindowClasses *classes =
		window_classes_compute(open_call(fcinfo), window, ARG_ROWS, &request, context);
	MemoryContext previous;
	Budget *budget;
	RandomKey key;

	state->computed = true;
	if (classes == NULL)
		return;
	if (randomize)
		key = read_key(window);
	previous = MemoryContextSwitchTo(classes->context);
	budget = classes->codes->dataset->budget;
	state->recoding =
		matching_recoding_create(classes->codes, run, (int) request.k, randomize ? &key : NULL);
	state->cells = recoding_cells_create(state->recoding, classes->codes, false, budget);
	MemoryContextSwitchTo(previous);
}

static Datum
matching_window(FunctionCallInfo fcinfo, MatchingRun run)
{
	WindowObject window = PG_WINDOW_OBJECT();
	MatchingState *state = window_argument_state(window, sizeof(MatchingState));
	int32 group;

	if (!state->computed)
		compute_cells(fcinfo, window, run, state);
	if (state->recoding == NULL)
		PG_RETURN_NULL();
	group = state->recoding->group_of_row[WinGetCurrentPosition(window)];
	PG_RETURN_HEAPTUPLEHEADER(recoding_cells_record(state->cells, group, false));
}

Datum
kanon_ring(PG_FUNCTION_ARGS)
{
	return matching_window(fcinfo, ring_run);
}

Datum
kanon_two_phase(PG_FUNCTION_ARGS)
{
	return matching_window(fcinfo, two_phase_run);
}
