/*
 * mondrian.c
 *		SQL window functions of multidimensional recoding.
 */
#include "postgres.h"

#include "api/argument.h"
#include "api/window_argument.h"
#include "cell/cell_field.h"
#include "cell/recoding_cells.h"
#include "funcapi.h"
#include "partition/partition_recoding.h"
#include "partition/split_name.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

PG_FUNCTION_INFO_V1(kanon_mondrian);
PG_FUNCTION_INFO_V1(kanon_mondrian_cells);
PG_FUNCTION_INFO_V1(kanon_cell);

/* Arguments; those after the person are kanon_mondrian_cells' alone. */
enum
{
	ARG_K,
	ARG_ROWS,
	ARG_QUASI_IDENTIFIERS,
	ARG_MODELS,
	ARG_RELAXED,
	ARG_SPLIT,
	ARG_TARGET,
	ARG_PERSON,
	ARG_DIMENSIONS,
	ARG_MEANS,
	ARG_BY_CLASS,
	ARG_MODEL_DIMENSIONS
};

/* Of one window partition. */
typedef struct WindowState
{
	bool computed;
	WindowClasses *classes; /* NULL: fewer than k rows, or they do not satisfy */
	RecodingCells *cells;
	bool by_class;
	int32 next_class; /* by class: that of the row at hand or one before it */
} WindowState;

static void
check_options(const WindowRequest *request)
{
	split_name_check_target(request->split, request->roles.target);
	if (request->split != SPLIT_MEDIAN && request->relaxed)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("relaxed partitioning splits at the median only")));
}

/* From the first row of the window partition. */
static WindowRequest
read_arguments(FunctionCallInfo fcinfo, WindowObject window)
{
	WindowRequest request = {.k = window_argument_k(window, ARG_K)};

	request.relaxed = DatumGetBool(window_argument_required(window, ARG_RELAXED, "relaxed"));
	request.split = split_name_require(
		TextDatumGetCString(window_argument_required(window, ARG_SPLIT, "split")));
	request.roles.quasi_identifiers = window_argument_array(window, ARG_QUASI_IDENTIFIERS);
	request.roles.models = window_argument_text(window, ARG_MODELS);
	request.roles.target = window_argument_name(window, ARG_TARGET);
	request.roles.person = window_argument_name(window, ARG_PERSON);
	request.row_type = get_fn_expr_argtype(fcinfo->flinfo, ARG_ROWS);
	check_options(&request);
	return request;
}

Datum
kanon_mondrian(PG_FUNCTION_ARGS)
{
	WindowObject window = PG_WINDOW_OBJECT();
	WindowState *state = window_argument_state(window, sizeof(WindowState));

	if (!state->computed)
	{
		WindowRequest request = read_arguments(fcinfo, window);

		state->classes = window_classes_compute(window_argument_call(fcinfo), window, ARG_ROWS,
												&request, GetMemoryChunkContext(state));
		state->computed = true;
	}
	if (state->classes == NULL)
		PG_RETURN_NULL();
	PG_RETURN_INT32(state->classes->partition->class_of_row[WinGetCurrentPosition(window)]);
}

static void
compute_cells(FunctionCallInfo fcinfo, WindowObject window, WindowState *state)
{
	MemoryContext context = GetMemoryChunkContext(state);
	WindowRequest request = read_arguments(fcinfo, window);
	bool means = DatumGetBool(window_argument_required(window, ARG_MEANS, "means"));
	MemoryContext previous;
	RecordCodes *codes;
	Recoding *recoding;

	state->by_class = DatumGetBool(window_argument_required(window, ARG_BY_CLASS, "by_class"));
	request.roles.dimensions = window_argument_array(window, ARG_DIMENSIONS);
	request.roles.model_dimensions = window_argument_array(window, ARG_MODEL_DIMENSIONS);
	request.keep_codes = true;
	request.places_only = state->by_class;
	state->classes =
		window_classes_compute(window_argument_call(fcinfo), window, ARG_ROWS, &request, context);
	state->next_class = 1;
	state->computed = true;
	if (state->classes == NULL)
		return;
	previous = MemoryContextSwitchTo(state->classes->context);
	codes = state->classes->codes;
	recoding =
		partition_recoding_create(state->classes->partition, codes->dataset, codes->attribute);
	state->cells = recoding_cells_create(recoding, codes, means, codes->dataset->budget);
	MemoryContextSwitchTo(previous);
}

/* The class of the row that stands at this position in the order of the classes. */
static int32
class_at(WindowState *state, int64 position)
{
	const int32 *end = state->classes->partition->class_end;

	if (position < end[state->next_class - 1])
		state->next_class = 1;
	while (position >= end[state->next_class])
		state->next_class++;
	return state->next_class;
}

Datum
kanon_mondrian_cells(PG_FUNCTION_ARGS)
{
	WindowObject window = PG_WINDOW_OBJECT();
	WindowState *state = window_argument_state(window, sizeof(WindowState));
	int64 position = WinGetCurrentPosition(window);
	HeapTupleHeader record;

	if (!state->computed)
		compute_cells(fcinfo, window, state);
	if (state->classes == NULL)
		PG_RETURN_NULL();
	if (state->by_class)
		record = recoding_cells_record(state->cells, class_at(state, position), false);
	else
		record = recoding_cells_record(state->cells,
									   state->classes->partition->class_of_row[position], true);
	PG_RETURN_HEAPTUPLEHEADER(record);
}

/* Sees that the field is there and has the type that the caller says. */
static CellField *
open_cell(FunctionCallInfo fcinfo, HeapTupleHeader cells, int32 number)
{
	Oid wanted = get_fn_expr_rettype(fcinfo->flinfo);
	MemoryContext previous = MemoryContextSwitchTo(fcinfo->flinfo->fn_mcxt);
	CellField *field = cell_field_open(cells, number);

	MemoryContextSwitchTo(previous);
	if (cell_field_type(field) != wanted)
		ereport(ERROR, (errcode(ERRCODE_DATATYPE_MISMATCH),
						errmsg("cell %d has type %s, not %s", number,
							   format_type_be(cell_field_type(field)), format_type_be(wanted))));
	if (fcinfo->flinfo->fn_extra)
		cell_field_free(fcinfo->flinfo->fn_extra);
	return fcinfo->flinfo->fn_extra = field;
}

/* Keeps the field that a call site last asked for. */
Datum
kanon_cell(PG_FUNCTION_ARGS)
{
	const CellField *field = fcinfo->flinfo->fn_extra;
	HeapTupleHeader cells;
	int32 number;
	bool isnull;
	Datum value;

	argument_require(fcinfo, 1, "number");
	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	cells = PG_GETARG_HEAPTUPLEHEADER(0);
	number = PG_GETARG_INT32(1);
	if (field == NULL || !cell_field_fits(field, cells, number))
		field = open_cell(fcinfo, cells, number);
	value = cell_field_value(field, cells, &isnull);
	if (isnull)
		PG_RETURN_NULL();
	PG_RETURN_DATUM(value);
}
