/*
 * plot.c
 *		SQL function that draws.
 */
#include "postgres.h"

#include <math.h>

#include "api/release_argument.h"
#include "audit/class_audit.h"
#include "base/names.h"
#include "count/relation_search.h"
#include "lattice/two_way.h"
#include "report/plots.h"
#include "report/release_report.h"
#include "sql/relation_name.h"
#include "sql/rights.h"

PG_FUNCTION_INFO_V1(kanon_plot);

/* The input of all pictures; each uses what concerns it. */
typedef struct PlotCall
{
	FunctionCallInfo fcinfo;
	const char *what;
	Oid relation;
	int *k; /* NULL: not given */
	int ks;
	ArrayType *quasi_identifiers;
	List *models;
	double suppression;
} PlotCall;

static const int usual_k[] = {3, 5, 10, 20, 50, 100};

static int
compare_ints(const void *a, const void *b)
{
	return *(const int *) a - *(const int *) b;
}

/* Sorts and removes duplicates. */
static int
sort_k(int *k, int count)
{
	int kept = 0;

	qsort(k, count, sizeof(int), compare_ints);
	for (int i = 0; i < count; i++)
		if (kept == 0 || k[kept - 1] != k[i])
			k[kept++] = k[i];
	return kept;
}

static SvgPicture
draw_tradeoff(PlotCall *call)
{
	ReleaseRequest request = {.relation = call->relation,
							  .quasi_identifiers = call->quasi_identifiers,
							  .suppression = call->suppression,
							  .demand = {.models = call->models},
							  .options = release_options_default()};
	List *recodings = compare_argument_recodings(call->fcinfo, 3, call->models);
	int count = list_length(recodings);
	const int *every_k = call->k ? call->k : usual_k;
	int ks = call->k ? sort_k(call->k, call->ks) : (int) lengthof(usual_k);
	double *k = palloc(sizeof(double) * Max(ks, 1));
	double *loss = palloc(sizeof(double) * Max(ks * count, 1));
	const char **names = palloc(sizeof(char *) * Max(count, 1));

	if (ks == 0 || count == 0)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("there is nothing to compare: name a k and a recoding")));
	for (int r = 0; r < count; r++)
	{
		request.recoding = list_nth(recodings, r);
		names[r] = request.recoding->name;
		for (int i = 0; i < ks; i++)
		{
			ComparedRelease compared;

			CHECK_FOR_INTERRUPTS();
			k[i] = request.demand.k = every_k[i];
			compared = comparison_measure(&request);
			loss[r * ks + i] = compared.rows > 0 ? compared.loss : NAN;
		}
	}
	return tradeoff_plot_draw(&(TradeoffPlot){.relation = relation_name(call->relation),
											  .ks = ks,
											  .k = k,
											  .recodings = count,
											  .recoding = names,
											  .loss = loss});
}

/* The number of the answer's node number n in the lattice. */
static int64
number_of(const Lattice *lattice, const Answer *answer, int64 n)
{
	int64 number = 0;

	for (int i = 0; i < lattice->attributes; i++)
		number += lattice->stride[i] * answer->node[n * lattice->width + lattice->attribute[i]];
	return number;
}

static SvgPicture
draw_answer(const PlotCall *call, const Search *search, const Answer *answer, const LossTable *loss)
{
	const Lattice *lattice = lattice_create_full(search->source->space);
	LatticePlotState *state;
	int64 best = -1;

	if (lattice->nodes > LATTICE_PLOT_MOST)
		ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
						errmsg("the lattice of relation %s has more than %d generalizations",
							   relation_name(call->relation), LATTICE_PLOT_MOST),
						errhint("Name fewer quasi-identifiers.")));
	state = palloc0(sizeof(LatticePlotState) * lattice->nodes);
	for (int64 n = 0; n < answer->count; n++)
	{
		state[number_of(lattice, answer, n)] =
			answer->minimal[n] ? LATTICE_PLOT_MINIMAL : LATTICE_PLOT_SATISFIES;
		if (best < 0 || loss_of(loss, answer->node + n * lattice->width) <
							loss_of(loss, answer->node + best * lattice->width))
			best = n;
	}
	if (best >= 0)
		state[number_of(lattice, answer, best)] = LATTICE_PLOT_CHOSEN;
	return lattice_plot_draw(
		&(LatticePlot){.title = psprintf("Generalizations of %s, k = %d",
										 relation_name(call->relation), call->k[0]),
					   .lattice = lattice,
					   .state = state});
}

static SvgPicture
draw_lattice(PlotCall *call)
{
	Budget budget = budget_begin();
	Search search = {.suppression = call->suppression, .budget = &budget};
	Description *description = description_load(call->relation, call->quasi_identifiers);
	Answer *answer;

	if (call->ks != 1)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("a lattice is drawn for one k, not for %d", call->ks)));
	search.k = call->k[0];
	description_demand(description, call->models, NULL);
	relation_search_open(&search, description);
	answer = relation_search_run(&search, &two_way);
	return draw_answer(call, &search, answer, relation_search_loss(&search, description));
}

/* A JudgedClassConsumer. */
static void
add_class(void *state, const JudgedClass *class)
{
	classes_plot_add(state, class->class->rows);
}

static SvgPicture
draw_classes(PlotCall *call)
{
	ClassAudit audit = {.relation = call->relation, .quasi_identifiers = call->quasi_identifiers};
	ClassesPlot plot = {.relation = relation_name(call->relation)};

	if (call->ks > 1)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("classes are drawn for one k, not for %d", call->ks)));
	audit.k = plot.k = call->ks == 1 ? call->k[0] : class_audit_known(&audit).k;
	class_audit_each(&audit, add_class, &plot);
	return classes_plot_draw(&plot);
}

typedef SvgPicture (*PlotDraw)(PlotCall *call);

static const struct
{
	const char *name;
	PlotDraw draw;
} plots[] = {{"tradeoff", draw_tradeoff}, {"lattice", draw_lattice}, {"classes", draw_classes}};

static PlotDraw
find_plot(const char *name)
{
	for (int i = 0; i < (int) lengthof(plots); i++)
		if (strcmp(plots[i].name, name) == 0)
			return plots[i].draw;
	return NULL;
}

static const char *
plot_names(void)
{
	int left = lengthof(plots) - 1;
	StringInfoData names;

	initStringInfo(&names);
	for (const ReportPicture *picture = report_pictures; picture->name; picture++)
		left++;
	for (int i = 0; i < (int) lengthof(plots); i++)
		names_add(&names, plots[i].name, left--);
	for (const ReportPicture *picture = report_pictures; picture->name; picture++)
		names_add(&names, picture->name, left--);
	return names.data;
}

/* A picture from the report of a release. */
static SvgPicture
draw_report(PlotCall *call)
{
	return release_report_draw(call->relation, report_picture(call->what), call->quasi_identifiers);
}

/* Arguments: what, relation, k, recodings, quasi_identifiers, models, suppression. */
Datum
kanon_plot(PG_FUNCTION_ARGS)
{
	MemoryContext caller = CurrentMemoryContext;
	PlotCall call = {.fcinfo = fcinfo,
					 .relation = argument_oid(fcinfo, 1),
					 .quasi_identifiers = argument_array(fcinfo, 4),
					 .models = argument_models(fcinfo, 5)};
	PlotDraw draw;
	QueryScope scope;
	text *picture;

	ARGUMENTS_REQUIRE(fcinfo, "what", "relation", NULL, NULL, NULL, "models", "suppression");
	call.what = argument_text(fcinfo, 0);
	call.suppression = PG_GETARG_FLOAT8(6);
	limits_check_suppression(call.suppression);
	if (!PG_ARGISNULL(2))
		call.k = compare_argument_k(fcinfo, 2, &call.ks);
	draw = find_plot(call.what);
	if (draw == NULL && report_picture(call.what))
		draw = draw_report;
	if (draw == NULL)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("unrecognized picture \"%s\"", call.what),
						errhint("Pictures are %s.", plot_names())));
	scope = rights_begin(PG_GETARG_OID(1), RIGHTS_TO_READ, AccessShareLock);
	caller = MemoryContextSwitchTo(caller);
	picture = cstring_to_text(draw(&call).text);
	MemoryContextSwitchTo(caller);
	query_end(scope);
	PG_RETURN_TEXT_P(picture);
}
