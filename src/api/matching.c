/*
 * matching.c
 *		SQL window functions of non-homogeneous generalization.
 */
#include "postgres.h"

#include "api/window_argument.h"
#include "funcapi.h"
#include "io/matching_cells.h"
#include "io/window_classes.h"
#include "matching/ring.h"
#include "matching/two_phase.h"
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

/* What one call in a query keeps between window partitions. */
typedef struct MatchingCall
{
	WindowCall *window;
	Random random; /* goes on from one to the next, so that they are drawn independently */
	bool begun;    /* it has a key */
	char *seed;    /* the key, or NULL: nobody knows it */
} MatchingCall;

/* Of one window partition. */
typedef struct MatchingState
{
	bool computed;
	MatchingCells *cells; /* NULL: fewer than k rows */
} MatchingState;

static MatchingCall *
open_call(FunctionCallInfo fcinfo)
{
	MatchingCall *call = fcinfo->flinfo->fn_extra;

	if (call == NULL)
	{
		call = MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt, sizeof(MatchingCall));
		call->window = window_classes_open(fcinfo->flinfo->fn_mcxt);
		fcinfo->flinfo->fn_extra = call;
	}
	return call;
}

/* Where the numbers go on, unless another seed is given. */
static Random *
find_random(FunctionCallInfo fcinfo, MatchingCall *call, WindowObject window)
{
	bool unforeseeable;
	Datum value = WinGetFuncArgCurrent(window, ARG_SEED, &unforeseeable);
	char *seed = unforeseeable ? NULL : TextDatumGetCString(value);

	if (call->begun && unforeseeable == (call->seed == NULL) &&
		(unforeseeable || strcmp(call->seed, seed) == 0))
		return &call->random;
	call->random = unforeseeable ? random_unforeseeable() : random_from_key(seed, strlen(seed));
	if (call->seed)
		pfree(call->seed);
	call->seed = unforeseeable ? NULL : MemoryContextStrdup(fcinfo->flinfo->fn_mcxt, seed);
	call->begun = true;
	return &call->random;
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

static MatchingCells *
compute_cells(FunctionCallInfo fcinfo, WindowObject window, MatchingRun run, MemoryContext context)
{
	MatchingCall *call = open_call(fcinfo);
	WindowRequest request = read_arguments(fcinfo, window);
	bool randomize = DatumGetBool(window_argument_required(window, ARG_RANDOMIZE, "randomize"));
	Random *random = randomize ? find_random(fcinfo, call, window) : NULL;
	WindowClasses *classes =
		window_classes_compute(call->window, window, ARG_ROWS, &request, context);
	MemoryContext previous;
	MatchingCells *cells;

	if (classes == NULL)
		return NULL;
	previous = MemoryContextSwitchTo(context);
	cells = matching_cells_create(classes->codes, run, (int) request.k, random);
	MemoryContextSwitchTo(previous);
	return cells;
}

static Datum
matching_window(FunctionCallInfo fcinfo, MatchingRun run)
{
	WindowObject window = PG_WINDOW_OBJECT();
	MatchingState *state = window_argument_state(window, sizeof(MatchingState));

	if (!state->computed)
	{
		state->cells = compute_cells(fcinfo, window, run, GetMemoryChunkContext(state));
		state->computed = true;
	}
	if (state->cells == NULL)
		PG_RETURN_NULL();
	PG_RETURN_HEAPTUPLEHEADER(matching_cells_record(state->cells, WinGetCurrentPosition(window)));
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
