/*
 * mondrian.c
 *		SQL window function of multidimensional recoding.
 */
#include "postgres.h"

#include "api/split_argument.h"
#include "base/limits.h"
#include "fmgr.h"
#include "io/window_classes.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

PG_FUNCTION_INFO_V1(kanon_mondrian);

/* Arguments. */
enum
{
	ARG_K,
	ARG_ROWS,
	ARG_QUASI_IDENTIFIERS,
	ARG_RELAXED,
	ARG_SPLIT,
	ARG_TARGET
};

/* Of one window partition. */
typedef struct WindowClasses
{
	bool computed;
	int32 *class_of_row; /* by position; NULL: fewer than k rows */
} WindowClasses;

/* The argument of the current row, which must not be null. */
static Datum
required_argument(WindowObject window, int number, const char *name)
{
	bool isnull;
	Datum value = WinGetFuncArgCurrent(window, number, &isnull);

	if (isnull)
		ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
						errmsg("argument \"%s\" must not be null", name)));
	return value;
}

static void
check_options(const WindowRequest *request)
{
	split_argument_check_target(request->split, request->target);
	if (request->split != SPLIT_MEDIAN && request->relaxed)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("relaxed partitioning splits at the median only")));
}

/* From the first row of the window partition. */
static WindowRequest
read_arguments(FunctionCallInfo fcinfo, WindowObject window)
{
	WindowRequest request = {0};
	bool isnull;
	int k = DatumGetInt32(required_argument(window, ARG_K, "k"));
	Datum value;

	limits_check_k(k);
	request.k = k;
	request.relaxed = DatumGetBool(required_argument(window, ARG_RELAXED, "relaxed"));
	request.split =
		split_argument(TextDatumGetCString(required_argument(window, ARG_SPLIT, "split")));
	value = WinGetFuncArgCurrent(window, ARG_QUASI_IDENTIFIERS, &isnull);
	request.quasi_identifiers = isnull ? NULL : DatumGetArrayTypeP(value);
	value = WinGetFuncArgCurrent(window, ARG_TARGET, &isnull);
	request.target = isnull ? NULL : NameStr(*DatumGetName(value));
	request.row_type = get_fn_expr_argtype(fcinfo->flinfo, ARG_ROWS);
	check_options(&request);
	return request;
}

static void
compute_classes(FunctionCallInfo fcinfo, WindowObject window, WindowClasses *classes)
{
	WindowRequest request = read_arguments(fcinfo, window);

	if (fcinfo->flinfo->fn_extra == NULL)
		fcinfo->flinfo->fn_extra = window_classes_open(fcinfo->flinfo->fn_mcxt);
	classes->class_of_row = window_classes_compute(fcinfo->flinfo->fn_extra, window, ARG_ROWS,
												   &request, GetMemoryChunkContext(classes));
	classes->computed = true;
}

Datum
kanon_mondrian(PG_FUNCTION_ARGS)
{
	WindowObject window = PG_WINDOW_OBJECT();
	WindowClasses *classes;

	/* Called without OVER, which the parser does not let happen. */
	if (!WindowObjectIsValid(window))
		elog(ERROR, "kanon_mondrian is a window function");
	classes = WinGetPartitionLocalMemory(window, sizeof(WindowClasses));
	if (!classes->computed)
		compute_classes(fcinfo, window, classes);
	if (classes->class_of_row == NULL)
		PG_RETURN_NULL();
	PG_RETURN_INT32(classes->class_of_row[WinGetCurrentPosition(window)]);
}
