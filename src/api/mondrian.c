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
#include "partition/split_name.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

PG_FUNCTION_INFO_V1(kanon_mondrian);
PG_FUNCTION_INFO_V1(kanon_view_mondrian);
PG_FUNCTION_INFO_V1(kanon_view_cell);

/* Arguments; those after the person are kanon_view_mondrian' alone. */
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
	/* NULL: fewer than k rows, or they do not satisfy. */
	const int32 *class_of_row;
	RecodingCells *cells;
} WindowState;

/* From the first row of the window partition. */
static void
read_arguments(FunctionCallInfo fcinfo, WindowObject window, WindowRequest *rows,
			   PartitionRequest *request)
{
	request->k = rows->least = window_argument_k(window, ARG_K);
	request->relaxed = DatumGetBool(window_argument_required(window, ARG_RELAXED, "relaxed"));
	rows->argument = ARG_ROWS;
	rows->row_type = get_fn_expr_argtype(fcinfo->flinfo, ARG_ROWS);
	rows->split = split_name_require(
		TextDatumGetCString(window_argument_required(window, ARG_SPLIT, "split")));
	rows->roles.quasi_identifiers = window_argument_array(window, ARG_QUASI_IDENTIFIERS);
	rows->roles.models = window_argument_text(window, ARG_MODELS);
	rows->roles.target = window_argument_name(window, ARG_TARGET);
	rows->roles.person = window_argument_name(window, ARG_PERSON);
	split_name_check_target(rows->split, rows->roles.target);
	if (rows->split != SPLIT_MEDIAN && request->relaxed)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("relaxed partitioning splits at the median only")));
}

/* The classes alone: codes go as soon as they are known. */
static void
compute_classes(FunctionCallInfo fcinfo, WindowObject window, WindowState *state)
{
	MemoryContext context = window_argument_context(state);
	MemoryContext working =
		AllocSetContextCreate(context, "kanon window rows", ALLOCSET_SMALL_SIZES);
	PartitionRequest request = {0};
	WindowRequest rows = {0};
	MemoryContext previous;
	RecordCodes *codes;
	Recoding *recoding = NULL;

	read_arguments(fcinfo, window, &rows, &request);
	previous = MemoryContextSwitchTo(working);
	codes = window_rows_read(window_argument_call(fcinfo), window, &rows, context);
	if (codes)
		recoding = record_codes_partition(codes, request, context);
	if (recoding)
		state->class_of_row = recoding->group_of_row;
	MemoryContextSwitchTo(previous);
	MemoryContextDelete(working);
	state->computed = true;
}

Datum
kanon_mondrian(PG_FUNCTION_ARGS)
{
	WindowObject window = PG_WINDOW_OBJECT();
	WindowState *state = window_argument_state(window, sizeof(WindowState));

	if (!state->computed)
		compute_classes(fcinfo, window, state);
	if (state->class_of_row == NULL)
		PG_RETURN_NULL();
	PG_RETURN_INT32(state->class_of_row[WinGetCurrentPosition(window)]);
}

static void
compute_cells(FunctionCallInfo fcinfo, WindowObject window, WindowState *state)
{
	MemoryContext context = window_argument_context(state);
	PartitionRequest request = {0};
	WindowRequest rows = {0};
	MemoryContext previous;
	RecordCodes *codes;
	Recoding *recoding = NULL;
	bool means;

	read_arguments(fcinfo, window, &rows, &request);
	means = DatumGetBool(window_argument_required(window, ARG_MEANS, "means"));
	request.places_only = DatumGetBool(window_argument_required(window, ARG_BY_CLASS, "by_class"));
	rows.roles.dimensions = window_argument_array(window, ARG_DIMENSIONS);
	rows.roles.model_dimensions = window_argument_array(window, ARG_MODEL_DIMENSIONS);
	previous = MemoryContextSwitchTo(context);
	codes = window_rows_read(window_argument_call(fcinfo), window, &rows, context);
	if (codes)
		recoding = record_codes_partition(codes, request, context);
	if (recoding)
		state->cells = recoding_cells_create(recoding, codes, means, codes->dataset->budget);
	MemoryContextSwitchTo(previous);
	state->computed = true;
}

Datum
kanon_view_mondrian(PG_FUNCTION_ARGS)
{
	WindowObject window = PG_WINDOW_OBJECT();
	WindowState *state = window_argument_state(window, sizeof(WindowState));

	if (!state->computed)
		compute_cells(fcinfo, window, state);
	if (state->cells == NULL)
		PG_RETURN_NULL();
	PG_RETURN_HEAPTUPLEHEADER(recoding_cells_record(state->cells, WinGetCurrentPosition(window)));
}

/* Sees that the field is there and has the type that the caller says. */
static CellField *
open_cell(FunctionCallInfo fcinfo, HeapTupleHeader cells, const text *name)
{
	Oid wanted = get_fn_expr_rettype(fcinfo->flinfo);
	MemoryContext previous = MemoryContextSwitchTo(fcinfo->flinfo->fn_mcxt);
	CellField *field = cell_field_open(cells, name);

	MemoryContextSwitchTo(previous);
	if (cell_field_type(field) != wanted)
		ereport(ERROR, (errcode(ERRCODE_DATATYPE_MISMATCH),
						errmsg("field \"%s\" has type %s, not %s", text_to_cstring(name),
							   format_type_be(cell_field_type(field)), format_type_be(wanted))));
	if (fcinfo->flinfo->fn_extra)
		cell_field_free(fcinfo->flinfo->fn_extra);
	return fcinfo->flinfo->fn_extra = field;
}

/*
 * Keeps the field that a call site last asked for.  Its name is compared each time: a variable
 * of PL/pgSQL is the same expression with another value.
 */
Datum
kanon_view_cell(PG_FUNCTION_ARGS)
{
	const CellField *field = fcinfo->flinfo->fn_extra;
	HeapTupleHeader cells;
	const text *name;
	bool isnull;
	Datum value;

	argument_require(fcinfo, 1, "field");
	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	cells = PG_GETARG_HEAPTUPLEHEADER(0);
	name = PG_GETARG_TEXT_PP(1);
	if (field == NULL || !cell_field_fits(field, cells, name))
		field = open_cell(fcinfo, cells, name);
	value = cell_field_value(field, cells, &isnull);
	if (isnull)
		PG_RETURN_NULL();
	PG_RETURN_DATUM(value);
}
