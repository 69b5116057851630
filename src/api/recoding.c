/*
 * recoding.c
 *		SQL window functions of rows: those that recode them (the one for the texts of releases,
 *		which serves all recodings, and those with a name of their own), and the one that guards
 *		published classes; and the function that takes a cell out of a record.
 */
#include "postgres.h"

#include "api/argument.h"
#include "api/recoding_call.h"
#include "api/result.h"
#include "base/context.h"
#include "base/progress.h"
#include "cell/recoding_cells.h"
#include "count/whole_query.h"
#include "data/row_classes.h"
#include "funcapi.h"
#include "partition/partition.h"
#include "record/class_verdicts.h"
#include "record/record_reader.h"
#include "record/record_spill.h"
#include "release/release_options.h"
#include "sql/name_array.h"
#include "sql/rights.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "windowapi.h"

/* The state of one window partition. */
typedef struct RecodedWindow
{
	bool computed;
	/* All NULL: fewer than k rows, or they do not satisfy. */
	PublishedRows *rows;    /* with cells; .. */
	RowClasses *classes;    /* .. for functions of classes, and kanon_view_candidates; .. */
	Recoding *recoding;     /* .. for the latter, without classes; .. */
	ClassVerdicts verdicts; /* .. for kanon_view_satisfies, by position */
} RecodedWindow;

/* Evaluates the arguments for the current row, all but the rows, so that argument.h reads them. */
static void
evaluate_arguments(FunctionCallInfo fcinfo, int rows)
{
	for (int i = 0; i < PG_NARGS(); i++)
		if (i != rows)
			fcinfo->args[i].value =
				WinGetFuncArgCurrent(PG_WINDOW_OBJECT(), i, &fcinfo->args[i].isnull);
}

/* Refuses what the recoding does not take, and would ignore. */
static void
check_taken(const RecodingCall *call)
{
	const RecordRoles *roles = &call->rows.roles;
	List *recoding = list_make1(unconstify(RecodingOps *, call->recoding));

	release_recoding_check_taken(recoding, RECODING_ROWS, "rows");
	if (roles->models && roles->models[0])
		release_recoding_check_taken(recoding, RECODING_MODELS, "models");
	if (roles->person)
		release_recoding_check_taken(recoding, RECODING_PERSON, "person");
	if (roles->beside != 0)
		release_recoding_check_taken(recoding, RECODING_BESIDE, "beside");
	if (call->recode.suppression > 0)
		release_recoding_check_taken(recoding, RECODING_SUPPRESSION, "suppression");
	if (call->options.seed)
		release_recoding_check_taken(recoding, RECODING_DRAW, "seed");
	release_options_check_taken(&call->options, recoding, false);
	if (call->rows.split != SPLIT_MEDIAN && !(call->recoding->takes & RECODING_TARGET))
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("relaxed partitioning splits at the median only")));
}

/* The number of an argument of one of these functions; those that a function lacks are NULL. */
#define NUMBER(name) argument_number(&call->names, name)

/* How to recode; of_release: the cells of a release, which are asked for as it was made. */
static void
prepare_recoding(RecodingCall *call, bool of_release)
{
	call->rows.way = of_release ? record_spill_of_release(call->options.partitioning)
								: (PartitioningWay){.partitioning = record_spill_partitioning};
	call->rows.may_spill = call->recoding->takes_tape;
	call->rows.ranks = call->recoding->ranks;
	call->rows.roles.flat = call->recoding->flat;
	call->rows.roles.nulls = call->recoding->nulls;
	call->rows.regions = call->recoding->regions;
	call->rows.spans = release_options_spans(&call->options, call->recoding);
	check_taken(call);
	if (call->rows.whole && call->recoding->nodes == NULL)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("recoding \"%s\" takes no whole", call->recoding->name)));
	release_options_recode(&call->options, call->recoding, &call->recode);
	call->recode.draw = (call->recoding->takes & RECODING_DRAW) && call->options.randomize;
	split_name_check_target(call->rows.split, call->rows.roles.target);
}

/* What makes the classes to be judged. */
static void
read_classes(FunctionCallInfo fcinfo, RecodingCall *call)
{
	RecordRoles *roles = &call->rows.roles;

	roles->classes = NUMBER("class") >= 0;
	if (!roles->classes)
		return;
	if (!argument_given(fcinfo, NUMBER("columns")))
	{
		argument_require(fcinfo, NUMBER("class"), "class");
		roles->quasi_identifiers =
			name_array_of(list_make1(unconstify(char *, argument_name(fcinfo, NUMBER("class")))));
		return;
	}
	roles->quasi_identifiers = argument_array(fcinfo, NUMBER("columns"));
	roles->known = argument_known(fcinfo, NUMBER("known"));
	call->rows.ranks = true;
}

/* The arguments in the first row. */
static void
read_call(FunctionCallInfo fcinfo, RecodingCall *call, const char *recoding)
{
	static const char *const required[] = {"recoding", "k",         "relaxed",
										   "beside",   "randomize", "suppression"};
	ReleaseOptions *options = &call->options;
	RecordRoles *roles = &call->rows.roles;

	*options = release_options_default();
	for (int i = 0; i < (int) lengthof(required); i++)
		if (NUMBER(required[i]) >= 0)
			argument_require(fcinfo, NUMBER(required[i]), required[i]);
	if (recoding == NULL)
		recoding = argument_text(fcinfo, NUMBER("recoding"));
	if (argument_given(fcinfo, NUMBER("relaxed")) && PG_GETARG_BOOL(NUMBER("relaxed")))
		recoding = "relaxed_mondrian";
	if (argument_given(fcinfo, NUMBER("randomize")))
		options->randomize = PG_GETARG_BOOL(NUMBER("randomize"));
	if (argument_given(fcinfo, NUMBER("ranges")))
		options->ranges = PG_GETARG_BOOL(NUMBER("ranges"));
	if (argument_given(fcinfo, NUMBER("split")))
		options->split = argument_text(fcinfo, NUMBER("split"));
	options->target = argument_name(fcinfo, NUMBER("target"));
	if (argument_given(fcinfo, NUMBER("options")))
		release_options_read(options, PG_GETARG_JSONB_P(NUMBER("options")), OPTIONS_OF_CELLS);
	options->seed = argument_text(fcinfo, NUMBER("seed"));
	if (NUMBER("suppression") >= 0)
	{
		call->recode.suppression = PG_GETARG_FLOAT8(NUMBER("suppression"));
		limits_check_suppression(call->recode.suppression);
	}
	*roles = (RecordRoles){
		.fields = argument_array(fcinfo, NUMBER("fields")),
		.quasi_identifiers = argument_array(fcinfo, NUMBER("quasi_identifiers")),
		.dimensions = argument_array(fcinfo, NUMBER("dimensions")),
		.target = options->target,
		.models = argument_text(fcinfo, NUMBER("models")),
		.model_dimensions = argument_array(fcinfo, NUMBER("model_dimensions")),
		.person = argument_name(fcinfo, NUMBER("person")),
		.beside = argument_given(fcinfo, NUMBER("beside")) ? PG_GETARG_INT32(NUMBER("beside")) : 0,
		.weights = options->column_weights};
	read_classes(fcinfo, call);
	if (recoding)
		call->recoding = NUMBER("beside") >= 0 ? release_recoding_of_text(recoding, options->rest)
											   : release_recoding_find(recoding);
	roles->plain = call->recoding && call->recoding->keeps_types &&
				   release_options_plain(options, call->recoding);
	call->rows.split = release_options_split(options, call->recoding);
	call->rows.whole =
		argument_given(fcinfo, NUMBER("whole")) ? PG_GETARG_JSONB_P_COPY(NUMBER("whole")) : NULL;
	roles->whole = call->rows.whole;
	if (argument_given(fcinfo, NUMBER("memory")))
		call->rows.memory = PG_GETARG_INT32(NUMBER("memory"));
	call->recode.k = argument_k(fcinfo, NUMBER("k"));
	if (call->recoding)
		prepare_recoding(call, NUMBER("beside") >= 0);
}

/* A variable of PL/pgSQL is none, although it is stable: the next call may find another value. */
static bool
argument_is_constant(FunctionCallInfo fcinfo, int number)
{
	const Node *call = fcinfo->flinfo->fn_expr;

	return call && IsA(call, FuncExpr) &&
		   IsA(list_nth(((const FuncExpr *) call)->args, number), Const);
}

RecodingCall
recoding_call_read(FunctionCallInfo fcinfo)
{
	RecodingCall call = {.names = argument_names(fcinfo)};

	for (int i = 0; i < PG_NARGS(); i++)
		if (i != argument_number(&call.names, "rows") && !argument_is_constant(fcinfo, i))
			ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
							errmsg("argument \"%s\" must be a constant", call.names.name[i])));
	argument_require(fcinfo, argument_number(&call.names, "whole"), "whole");
	argument_require(fcinfo, argument_number(&call.names, "tree"), "tree");
	read_call(fcinfo, &call, NULL);
	return call;
}

/* Are the arguments, all but the rows, the same for all rows? */
static bool
arguments_are_same(FunctionCallInfo fcinfo, int rows)
{
	bool same = true;

	for (int i = 0; same && i < PG_NARGS(); i++)
		same = i == rows || get_fn_expr_arg_stable(fcinfo->flinfo, i);
	return same;
}

/* Reads them, once if they are. */
static RecodingCall *
begin_call(FunctionCallInfo fcinfo, const char *recoding)
{
	MemoryContext previous = MemoryContextSwitchTo(fcinfo->flinfo->fn_mcxt);
	RecodingCall *call = fcinfo->flinfo->fn_extra;
	bool first = call == NULL;
	const char *seed;

	if (first)
	{
		fcinfo->flinfo->fn_extra = call = palloc0(sizeof(RecodingCall));
		call->names = argument_names(fcinfo);
		call->same = arguments_are_same(fcinfo, NUMBER("rows"));
		call->reader = record_reader_open(fcinfo, NUMBER("rows"), call->same);
	}
	if (!call->same)
		MemoryContextSwitchTo(previous);
	if (first || !call->same)
	{
		evaluate_arguments(fcinfo, NUMBER("rows"));
		read_call(fcinfo, call, recoding);
	}
	MemoryContextSwitchTo(previous);
	/* A seed gives the same draw for the same rows, also if a query scans them again. */
	seed = call->options.seed;
	if (call->recode.draw)
		call->recode.key = seed ? random_key_of(seed, strlen(seed)) : random_key_unforeseeable();
	return call;
}

/* The class of each row, as formed. */
static RowClasses *
classes_of(Recoding *recoding, const RecordCodes *codes)
{
	RowClasses *classes = row_classes_create(recoding, codes->tapes, codes->budget, true);

	do
	{
		for (int32 class = 1; class <= recoding->groups; class ++)
			row_classes_add(classes, recoding, class);
	} while (recoding->next && recoding->next(recoding));
	return classes;
}

/* Recodes or judges the window partition, and keeps what the answers need: cells, or who is where.
 */
static void
compute(FunctionCallInfo fcinfo, RecodedWindow *state, const char *named, bool cells)
{
	RecodingCall *call = begin_call(fcinfo, named);
	bool classes = call->recoding == NULL || call->recoding->has_classes;
	MemoryContext context = AllocSetContextCreate(GetMemoryChunkContext(state),
												  "kanon window partition", CONTEXT_SMALL_SIZES);
	MemoryContext working =
		AllocSetContextCreate(context, "kanon window rows", CONTEXT_SMALL_SIZES);
	MemoryContext previous = MemoryContextSwitchTo(classes ? working : context);
	RecordCodes *codes = record_reader_window(call->reader, PG_WINDOW_OBJECT(), call->recode.k,
											  &call->rows, context);
	Recoding *recoding = NULL;

	call->recode.by_class = cells && call->rows.roles.beside <= 0;
	call->recode.kinds = !cells;
	if (codes && call->recoding)
		recoding = record_codes_recode(codes, call->recoding->recode, call->recode);
	if (recoding && cells)
		state->rows = published_rows_create(recoding, codes, call->options.means, context);
	else if (recoding && classes)
	{
		MemoryContextSwitchTo(context);
		state->classes = named ? classes_of(recoding, codes)
							   : recoding_classes_shown(recoding, codes, call->options.means);
	}
	else
		state->recoding = recoding;
	if (codes && call->recoding == NULL)
	{
		record_codes_finish(codes);
		MemoryContextSwitchTo(context);
		state->verdicts = class_verdicts(codes, call->recode.k);
	}
	if (cells)
		progress_phase("handing out rows", WinGetPartitionRowCount(PG_WINDOW_OBJECT()));
	MemoryContextSwitchTo(previous);
	MemoryContextDelete(working);
	state->computed = true;
}

/* The state of the current row's window partition, and the row's position. */
static const RecodedWindow *
recoded_window(FunctionCallInfo fcinfo, const char *named, bool cells, int64 *row)
{
	WindowObject window = PG_WINDOW_OBJECT();
	RecodedWindow *state;

	/* A call without OVER, which the parser prevents. */
	if (!WindowObjectIsValid(window))
		elog(ERROR, "not called as a window function");
	state = WinGetPartitionLocalMemory(window, sizeof(RecodedWindow));
	if (!state->computed)
		compute(fcinfo, state, named, cells);
	*row = WinGetCurrentPosition(window);
	return state;
}

static Datum
class_of_row(FunctionCallInfo fcinfo, const char *recoding)
{
	int64 row;
	const RecodedWindow *state = recoded_window(fcinfo, recoding, false, &row);
	int32 class = state->classes ? row_classes_get(state->classes, row) : 0;

	if (class == 0)
		PG_RETURN_NULL();
	PG_RETURN_INT32(class);
}

SQL_FUNCTION(kanon_mondrian)
{
	return class_of_row(fcinfo, "mondrian");
}

SQL_FUNCTION(kanon_strict_mondrian)
{
	return class_of_row(fcinfo, "strict_mondrian");
}

SQL_FUNCTION(kanon_local)
{
	return class_of_row(fcinfo, "local");
}

static Datum
cells_of_row(FunctionCallInfo fcinfo, const char *recoding)
{
	int64 row;
	const RecodedWindow *state = recoded_window(fcinfo, recoding, true, &row);

	Datum published;

	progress_check(row);
	if (state->rows && published_rows_next(state->rows, row, &published))
		PG_RETURN_DATUM(published);
	PG_RETURN_NULL();
}

SQL_FUNCTION(kanon_ring)
{
	return cells_of_row(fcinfo, "ring");
}

SQL_FUNCTION(kanon_two_phase)
{
	return cells_of_row(fcinfo, "two_phase");
}

/* The values of a relation, for nodes of its partition tree. */
SQL_FUNCTION(kanon_view_whole)
{
	Description *description;
	QueryScope scope;
	Datum whole;

	argument_require(fcinfo, 0, "relation");
	scope = rights_begin(PG_GETARG_OID(0), RIGHTS_TO_READ, AccessShareLock);
	description = description_load(PG_GETARG_OID(0), argument_array(fcinfo, 1));
	description_demand(description, argument_models(fcinfo, 2), argument_name(fcinfo, 3));
	MemoryContextSwitchTo(scope.caller);
	whole = whole_query_run(description, false);
	query_end(scope);
	PG_RETURN_DATUM(whole);
}

SQL_FUNCTION(kanon_view_cells)
{
	return cells_of_row(fcinfo, NULL);
}

/* The row's kind, and the kinds that its record covers. */
static Datum
kinds_of_row(const Recoding *recoding, int64 row)
{
	int32 *kind = palloc(sizeof(int32) * (1 + recoding->covers));

	kind[0] = recoding->kind_of_row[row];
	recoding->covered(recoding, recoding->group_of_row[row], kind + 1);
	return PointerGetDatum(int_array_of(kind, 1 + recoding->covers));
}

SQL_FUNCTION(kanon_view_candidates)
{
	int64 row;
	const RecodedWindow *state = recoded_window(fcinfo, NULL, false, &row);

	int32 class = state->classes ? row_classes_get(state->classes, row) : 0;

	if (class > 0)
		PG_RETURN_POINTER(int_array_of(&class, 1));
	if (state->recoding)
		PG_RETURN_DATUM(kinds_of_row(state->recoding, row));
	PG_RETURN_NULL();
}

SQL_FUNCTION(kanon_view_satisfies)
{
	int64 row;
	const ClassVerdicts *class = &recoded_window(fcinfo, NULL, false, &row)->verdicts;

	if (class->satisfies == NULL)
		PG_RETURN_BOOL(false);
	/* The release's contents are known once its last row is judged. */
	if (row + 1 == WinGetPartitionRowCount(PG_WINDOW_OBJECT()))
		recoding_figures_keep(&(RecodingFigures){
			.rows = class->rows, .classes = class->classes, .people = class->people});
	PG_RETURN_BOOL(class->satisfies[row]);
}

/* Checks that the field exists and has the caller's type. */
static CellField *
open_cell(FunctionCallInfo fcinfo, CellRecord cells, const text *name)
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
 * Caches the field that a call site last asked for.  Compares its name each time: a variable of
 * PL/pgSQL is the same expression with another value.
 */
SQL_FUNCTION(kanon_view_cell)
{
	const CellField *field = fcinfo->flinfo->fn_extra;
	const text *name;
	CellRecord cells;
	bool isnull;
	Datum value;

	argument_require(fcinfo, 1, "field");
	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	cells = cell_field_record(PG_GETARG_DATUM(0));
	name = PG_GETARG_TEXT_PP(1);
	if (field == NULL || !cell_field_fits(field, cells, name))
		field = open_cell(fcinfo, cells, name);
	value = cell_field_value(field, cells, &isnull);
	if (isnull)
		PG_RETURN_NULL();
	PG_RETURN_DATUM(value);
}
