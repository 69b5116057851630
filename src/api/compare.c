/*
 * compare.c
 *		SQL functions that compare the releases that could be made of a relation, draw, and report.
 */
#include "postgres.h"

#include <math.h>

#include "api/argument.h"
#include "api/result.h"
#include "audit/class_audit.h"
#include "audit/prediction.h"
#include "base/compat.h"
#include "base/interrupt.h"
#include "base/names.h"
#include "count/relation_search.h"
#include "lattice/choice.h"
#include "lib/qunique.h"
#include "partition/partition.h"
#include "report/plots.h"
#include "report/release_report.h"
#include "sql/name_array.h"
#include "sql/relation_name.h"
#include "sql/rights.h"

/* A copy of an array argument; raises ERRCODE_NULL_VALUE_NOT_ALLOWED if an element is NULL. */
static ArrayType *
compare_argument_array(FunctionCallInfo fcinfo, int number, const char *name)
{
	ArrayType *array = PG_GETARG_ARRAYTYPE_P_COPY(number);

	if (array_contains_nulls(array))
		ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
						errmsg("argument \"%s\" must not have nulls", name)));
	return array;
}

/* Every k of an int[], with the errors of limits_check_k. */
static int *
compare_argument_k(FunctionCallInfo fcinfo, int number, int *count)
{
	ArrayType *array = compare_argument_array(fcinfo, number, "k");
	int *k = (int *) ARR_DATA_PTR(array);

	*count = ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array));
	for (int i = 0; i < *count; i++)
		limits_check_k(k[i]);
	return k;
}

/*
 * The recodings that a text[] names, each of which must take the models, and can be predicted; all
 * such for NULL, but for those whose search for a rule may take long.
 */
static List *
compare_argument_recodings(FunctionCallInfo fcinfo, int number, List *models)
{
	List *recodings = NIL;

	if (PG_ARGISNULL(number))
	{
		foreach_ptr (RecodingOps, recoding, release_recoding_all(models ? RECODING_MODELS : 0))
			if (prediction_is_possible(recoding) && !(recoding->takes & RECODING_RULE))
				recodings = lappend(recodings, recoding);
		return recodings;
	}
	foreach_ptr (const char, name,
				 array_strings(compare_argument_array(fcinfo, number, "recodings")))
	{
		RecodingOps *recoding = unconstify(RecodingOps *, release_recoding_find(name));

		if (models)
			release_recoding_check_taken(list_make1(recoding), RECODING_MODELS, "models");
		if (!prediction_is_possible(recoding))
			ereport(ERROR,
					(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
					 errmsg("result of recoding \"%s\" depends on more than the current rows",
							recoding->name)));
		recodings = lappend(recodings, recoding);
	}
	return recodings;
}

/* What a release by one recoding would be: of the options, it gets those that it takes. */
static PredictedRelease
predict(const ReleaseRequest *all, const RecodingOps *recoding, int k, bool *told)
{
	ReleaseRequest request = *all;

	CHECK_FOR_INTERRUPTS();
	request.recoding = recoding;
	request.demand.k = k;
	request.options.given = 0;
	(void) release_request_leave(&request);
	return prediction_make(&request, told);
}

/* Arguments: relation, k, recodings, quasi_identifiers, models, suppression, options. */
SQL_FUNCTION(kanon_compare)
{
	ReturnSetInfo *result = result_begin(fcinfo);
	ReleaseArguments arguments;
	ReleaseRequest all;
	List *recodings;
	int *every_k;
	int count;
	bool told = false;
	QueryScope scope;

	ARGUMENTS_REQUIRE(fcinfo, "relation", "k", NULL, NULL, "models", "suppression");
	arguments = release_arguments(fcinfo);
	all = release_request_new(&arguments);
	all.relation = PG_GETARG_OID(0);
	every_k = compare_argument_k(fcinfo, 1, &count);
	recodings = compare_argument_recodings(fcinfo, 2, all.demand.models);
	release_options_check_taken(&all.options, recodings, true);
	split_name_check_target(release_options_split(&all.options, NULL), all.options.target);
	scope = rights_begin(all.relation, RIGHTS_TO_READ, AccessShareLock);
	for (int i = 0; i < count; i++)
		foreach_ptr (const RecodingOps, recoding, recodings)
		{
			PredictedRelease compared = predict(&all, recoding, every_k[i], &told);
			bool published = compared.rows > 0;
			bool has_classes = published && recoding->has_classes;

			result_put(result, "it?d?l?ll?dd", every_k[i], recoding->name, published, compared.loss,
					   has_classes, compared.classes, has_classes, compared.smallest,
					   compared.missing, published, compared.risk, compared.milliseconds / 1000);
		}
	query_end(scope);
	return (Datum) 0;
}

/* The input of all pictures; each uses what concerns it. */
typedef struct PlotCall
{
	FunctionCallInfo fcinfo;
	ReleaseRequest request;
	int *k; /* NULL: not given */
	int ks;
} PlotCall;

static const int usual_k[] = {3, 5, 10, 20, 50, 100};

static SvgPicture
draw_tradeoff(PlotCall *call)
{
	List *recodings = compare_argument_recodings(call->fcinfo, 3, call->request.demand.models);
	int count = list_length(recodings);
	const int *every_k = call->k ? call->k : usual_k;
	int ks = call->k ? call->ks : (int) lengthof(usual_k);
	double *k = palloc(sizeof(double) * Max(ks, 1));
	double *loss = palloc(sizeof(double) * Max(ks * count, 1));
	const char **names = palloc(sizeof(char *) * Max(count, 1));
	bool told = false;

	if (call->k)
	{
		qsort(call->k, ks, sizeof(int), interrupt_compare_int32);
		ks = (int) qunique(call->k, ks, sizeof(int), interrupt_compare_int32);
	}
	if (ks == 0 || count == 0)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("there is nothing to compare: name a k and a recoding")));
	for (int r = 0; r < count; r++)
	{
		const RecodingOps *recoding = list_nth(recodings, r);

		names[r] = recoding->name;
		for (int i = 0; i < ks; i++)
		{
			PredictedRelease compared = predict(&call->request, recoding, every_k[i], &told);

			k[i] = every_k[i];
			loss[r * ks + i] = compared.rows > 0 ? compared.loss : NAN;
		}
	}
	return tradeoff_plot_draw(&(TradeoffPlot){.relation = relation_name(call->request.relation),
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
		number += lattice->stride[i] *
				  (answer->node[n * lattice->width + lattice->attribute[i]] - lattice->lowest[i]);
	return number;
}

static SvgPicture
draw_answer(const PlotCall *call, Search *search, const Answer *answer, const LossTable *loss)
{
	const Lattice *lattice =
		lattice_create(search->source->space, NULL, search->source->space->quasi);
	LatticePlotState *state;
	Choice *choice;
	int64 best;

	if (lattice->nodes > LATTICE_PLOT_MOST)
		ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
						errmsg("the lattice of relation %s has more than %d generalizations",
							   relation_name(call->request.relation), LATTICE_PLOT_MOST),
						errhint("Name fewer quasi-identifiers.")));
	state = palloc0(sizeof(LatticePlotState) * lattice->nodes);
	for (int64 n = 0; n < answer->count; n++)
		state[number_of(lattice, answer, n)] =
			answer->minimal[n] ? LATTICE_PLOT_MINIMAL : LATTICE_PLOT_SATISFIES;
	choice = choice_begin(search, answer, loss);
	best = choice_next(choice);
	choice_end(choice);
	if (best >= 0)
		state[number_of(lattice, answer, best)] = LATTICE_PLOT_CHOSEN;
	return lattice_plot_draw(psprintf("Generalizations of %s, k = %d",
									  relation_name(call->request.relation), call->k[0]),
							 lattice, state);
}

pg_noreturn static void
refuse_count(const PlotCall *call, const char *drawn)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 call->ks == 0 ? errmsg("%s for one k, which is missing", drawn)
						   : errmsg("%s for one k, not for %d different ones", drawn, call->ks),
			 errhint("Pass it as k => '{5}'.")));
}

static SvgPicture
draw_lattice(PlotCall *call)
{
	Budget budget = budget_begin();
	Search search = {.suppression = call->request.suppression, .budget = &budget};
	Description *description =
		description_load(call->request.relation, call->request.quasi_identifiers);
	Answer *answer;

	if (call->ks != 1)
		refuse_count(call, "a lattice is drawn");
	search.k = call->k[0];
	description_demand(description, call->request.demand.models, NULL);
	description->demand.known = call->request.demand.known;
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
	ClassAudit audit = {.relation = call->request.relation,
						.quasi_identifiers = call->request.quasi_identifiers};
	ClassesPlot plot = {.relation = relation_name(call->request.relation)};

	if (call->ks > 1)
		refuse_count(call, "classes are drawn");
	audit.k = call->ks == 1 ? call->k[0] : 0;
	class_audit_open(&audit);
	plot.k = audit.k;
	audit.person = NULL;
	class_audit_each(&audit, false, add_class, &plot);
	return classes_plot_draw(&plot);
}

/* Besides those from the report of a release. */
static const struct
{
	const char *name;
	SvgPicture (*draw)(PlotCall *call);
} plots[] = {{"tradeoff", draw_tradeoff}, {"lattice", draw_lattice}, {"classes", draw_classes}};

#define PLOTS (int) lengthof(plots)

/* Its number: those here come first. */
static int
find_picture(const char *name)
{
	const char *names[PLOTS + REPORT_PICTURES];

	for (int i = 0; i < PLOTS + REPORT_PICTURES; i++)
		names[i] = i < PLOTS ? plots[i].name : report_pictures[i - PLOTS].name;
	return names_find("picture", name, names, sizeof(names[0]), PLOTS + REPORT_PICTURES, strcmp);
}

static SvgPicture
draw_picture(PlotCall *call, int number)
{
	if (number < PLOTS)
		return plots[number].draw(call);
	return release_report_draw(call->request.relation, &report_pictures[number - PLOTS],
							   call->request.quasi_identifiers);
}

/* Arguments: what, relation, k, recodings, quasi_identifiers, models, suppression. */
SQL_FUNCTION(kanon_plot)
{
	PlotCall call = {.fcinfo = fcinfo};
	ReleaseArguments arguments;
	QueryScope scope;
	text *picture;
	int number;

	ARGUMENTS_REQUIRE(fcinfo, "what", "relation", NULL, NULL, NULL, "models", "suppression");
	arguments = release_arguments(fcinfo);
	call.request = release_request_new(&arguments);
	call.request.relation = argument_oid(fcinfo, 1);
	if (!PG_ARGISNULL(2))
		call.k = compare_argument_k(fcinfo, 2, &call.ks);
	number = find_picture(argument_text(fcinfo, 0));
	scope = rights_begin(PG_GETARG_OID(1), RIGHTS_TO_READ, AccessShareLock);
	MemoryContextSwitchTo(scope.caller);
	picture = cstring_to_text(draw_picture(&call, number).text);
	query_end(scope);
	PG_RETURN_TEXT_P(picture);
}

SQL_FUNCTION(kanon_report)
{
	QueryScope scope;
	text *page;

	argument_require(fcinfo, 0, "release");
	scope = rights_begin(PG_GETARG_OID(0), RIGHTS_TO_READ, AccessShareLock);
	MemoryContextSwitchTo(scope.caller);
	page = cstring_to_text(release_report_write(PG_GETARG_OID(0)));
	query_end(scope);
	PG_RETURN_TEXT_P(page);
}
