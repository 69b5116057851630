/*
 * satisfies.c
 *		SQL window function that guards published classes.
 */
#include "postgres.h"

#include "api/window_argument.h"
#include "cell/recoding_figures.h"
#include "record/class_verdicts.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

PG_FUNCTION_INFO_V1(kanon_view_satisfies);

enum
{
	ARG_K,
	ARG_ROWS,
	ARG_CLASS,
	ARG_MODELS,
	ARG_PERSON,
	ARG_MODEL_DIMENSIONS
};

/* The state of one window partition. */
typedef struct Verdicts
{
	bool computed;
	int64 rows;          /* in the partition; 0: fewer than k */
	ClassVerdicts class; /* by position */
} Verdicts;

static RecordRequest
read_arguments(WindowObject window)
{
	Datum class = window_argument_required(window, ARG_CLASS, "class");

	return (RecordRequest){
		.roles = {.quasi_identifiers =
					  construct_array(&class, 1, NAMEOID, NAMEDATALEN, false, TYPALIGN_CHAR),
				  .models = window_argument_text(window, ARG_MODELS),
				  .person = window_argument_name(window, ARG_PERSON),
				  .model_dimensions = window_argument_array(window, ARG_MODEL_DIMENSIONS)}};
}

static void
compute_verdicts(FunctionCallInfo fcinfo, WindowObject window, Verdicts *verdicts)
{
	MemoryContext context = window_argument_context(verdicts);
	MemoryContext working =
		AllocSetContextCreate(context, "kanon window rows", ALLOCSET_SMALL_SIZES);
	WindowRecords records = {.argument = ARG_ROWS,
							 .type = get_fn_expr_argtype(fcinfo->flinfo, ARG_ROWS)};
	RecordRequest request = read_arguments(window);
	MemoryContext previous = MemoryContextSwitchTo(working);
	RecordCodes *codes;

	records.least = window_argument_k(window, ARG_K);
	codes = record_reader_window(window_argument_call(fcinfo), window, records, &request, context);
	if (codes)
		record_codes_finish(codes);
	MemoryContextSwitchTo(context);
	if (codes)
	{
		verdicts->rows = codes->dataset->rows;
		verdicts->class = class_verdicts(codes, records.least);
	}
	MemoryContextSwitchTo(previous);
	MemoryContextDelete(working);
	verdicts->computed = true;
}

Datum
kanon_view_satisfies(PG_FUNCTION_ARGS)
{
	WindowObject window = PG_WINDOW_OBJECT();
	Verdicts *verdicts = window_argument_state(window, sizeof(Verdicts));
	const ClassVerdicts *class = &verdicts->class;
	int64 position = WinGetCurrentPosition(window);

	if (!verdicts->computed)
		compute_verdicts(fcinfo, window, verdicts);
	/* The release's contents are known once its last row is judged. */
	if (position + 1 == verdicts->rows)
		recoding_figures_keep(&(RecodingFigures){
			.rows = class->rows, .classes = class->classes, .people = class->people});
	PG_RETURN_BOOL(position < verdicts->rows && class->satisfies[position]);
}
