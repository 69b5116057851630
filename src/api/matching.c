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
	RecodingCells *cells; /* NULL: fewer than k rows */
} MatchingState;

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

/* As the first row of the window partition says. */
static void
compute_cells(FunctionCallInfo fcinfo, WindowObject window, MatchingRun run, MatchingState *state)
{
	WindowRequest rows = {.argument = ARG_ROWS, .order = DICTIONARY_BY_BYTES, .dense = true};
	MemoryContext context = window_argument_context(state);
	int k = window_argument_k(window, ARG_K);
	bool randomize = DatumGetBool(window_argument_required(window, ARG_RANDOMIZE, "randomize"));
	MemoryContext previous;
	RecordCodes *codes;

	rows.least = k;
	rows.row_type = get_fn_expr_argtype(fcinfo->flinfo, ARG_ROWS);
	rows.roles.quasi_identifiers = window_argument_array(window, ARG_QUASI_IDENTIFIERS);
	rows.roles.dimensions = window_argument_array(window, ARG_DIMENSIONS);
	previous = MemoryContextSwitchTo(context);
	codes = window_rows_read(window_argument_call(fcinfo), window, &rows, context);
	if (codes)
	{
		Budget *budget = codes->dataset->budget;
		RandomKey key;

		if (randomize)
			key = read_key(window);
		state->cells = recoding_cells_create(
			matching_recoding_create(codes, run, k, randomize ? &key : NULL), codes, false, budget);
	}
	MemoryContextSwitchTo(previous);
	state->computed = true;
}

static Datum
matching_window(FunctionCallInfo fcinfo, MatchingRun run)
{
	WindowObject window = PG_WINDOW_OBJECT();
	MatchingState *state = window_argument_state(window, sizeof(MatchingState));

	if (!state->computed)
		compute_cells(fcinfo, window, run, state);
	if (state->cells == NULL)
		PG_RETURN_NULL();
	PG_RETURN_HEAPTUPLEHEADER(recoding_cells_record(state->cells, WinGetCurrentPosition(window)));
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
