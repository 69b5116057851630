/*
 * check.c
 *		SQL functions that judge and measure tables and releases: classes, matchings, several
 *		releases of one relation with the copies kept for that, and quality.
 */
#include "postgres.h"

#include "api/argument.h"
#include "api/result.h"
#include "audit/aside_audit.h"
#include "audit/class_audit.h"
#include "audit/matching_audit.h"
#include "audit/prediction.h"
#include "base/context.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "metric/workload.h"
#include "miscadmin.h"
#include "release/release_create.h"
#include "release/release_members.h"
#include "sql/name_array.h"
#include "sql/own_extension.h"
#include "sql/rights.h"
#include "utils/array.h"
#include "utils/builtins.h"

/* Opens the audit of the arguments that both functions share, in this order. */
static QueryScope
open_audit(FunctionCallInfo fcinfo, ClassAudit *audit)
{
	QueryScope scope;

	argument_require(fcinfo, 0, "relation");
	*audit = (ClassAudit){
		.relation = PG_GETARG_OID(0),
		.k = PG_ARGISNULL(1) ? 0 : argument_k(fcinfo, 1),
		.quasi_identifiers = argument_array(fcinfo, 2),
		.models = argument_models(fcinfo, 3),
		.known_models = PG_ARGISNULL(3),
		.person = argument_name(fcinfo, 4),
		.known = argument_known(fcinfo, 5),
		.null_matches = PG_ARGISNULL(6) ? NEITHER : PG_GETARG_BOOL(6),
	};
	scope = rights_begin(audit->relation, RIGHTS_TO_READ, AccessShareLock);
	class_audit_open(audit);
	return scope;
}

SQL_FUNCTION(kanon_check)
{
	ClassAudit audit;
	QueryScope scope = open_audit(fcinfo, &audit);
	ClassTally tally = class_audit_tally(&audit);

	query_end(scope);
	return result_row(fcinfo, "bll?lll", tally.small_classes == 0, tally.rows, tally.classes,
					  tally.classes > 0, tally.smallest, tally.small_classes, tally.small_rows);
}

/* Arrays over the models: the class's distinct sensitive values, and each model's figure. */
static void
model_arrays(const JudgedClass *judged, ArrayType **distinct, ArrayType **figures)
{
	const Demand *demand = &judged->description->demand;
	int models = demand->models;
	Datum *counts = palloc(sizeof(Datum) * Max(models, 1));
	Datum *values = palloc(sizeof(Datum) * Max(models, 1));

	for (int i = 0; i < models; i++)
	{
		int column = demand->column_of[i];
		const Histogram *histogram = judged->class->histogram[column];

		counts[i] = Int64GetDatum(histogram->values);
		values[i] = Float8GetDatum(
			demand->model[i]->ops->value(demand->model[i], histogram, demand->domain[column]));
	}
	*distinct = array_of(INT8OID, counts, NULL, models);
	*figures = array_of(FLOAT8OID, values, NULL, models);
}

typedef struct ClassRows
{
	ReturnSetInfo *result;
	bool judged; /* k or a model was given */
	MemoryContext context;
} ClassRows;

static void
put_class(void *state, const JudgedClass *judged)
{
	ClassRows *rows = state;
	MemoryContext caller = MemoryContextSwitchTo(rows->context);
	List *columns = NIL;
	ArrayType *distinct;
	ArrayType *figures;

	model_arrays(judged, &distinct, &figures);
	for (int i = 0; i < judged->description->quasi_count; i++)
		columns = lappend(columns, unconstify(char *, judged->description->quasi[i]->name));
	result_put(rows->result, "TlLD?bN?l", DatumGetArrayTypeP(judged->class->values),
			   judged->class->members, distinct, figures, rows->judged, judged->satisfied,
			   name_array_of(columns), judged->class->matches > 0, judged->class->matches);
	MemoryContextSwitchTo(caller);
	MemoryContextReset(rows->context);
}

SQL_FUNCTION(kanon_classes)
{
	ClassRows rows = {.result = result_begin(fcinfo)};
	ClassAudit audit;
	QueryScope scope;

	rows.context =
		AllocSetContextCreate(CurrentMemoryContext, "kanon class", CONTEXT_DEFAULT_SIZES);
	scope = open_audit(fcinfo, &audit);
	rows.judged = audit.k > 0 || audit.models != NIL;
	class_audit_each(&audit, true, put_class, &rows);
	query_end(scope);
	return (Datum) 0;
}

SQL_FUNCTION(kanon_check_matchings)
{
	int k;
	KnownRelease known;
	MatchingReport report;
	const MatchingVerdict *verdict = &report.verdict;
	QueryScope scope;
	Datum row;

	argument_require(fcinfo, 0, "release");
	k = PG_ARGISNULL(1) ? 0 : argument_k(fcinfo, 1);
	scope = rights_begin(PG_GETARG_OID(0), RIGHTS_TO_READ, AccessShareLock);
	known = known_release_open(PG_GETARG_OID(0), argument_oid(fcinfo, 2), argument_array(fcinfo, 3),
							   false);
	report = matching_audit_run(&known, k, NULL);
	MemoryContextSwitchTo(scope.caller);
	row = result_row(fcinfo, "bll?llTt", verdict->reason == MATCHING_SATISFIED, report.rows,
					 report.released, verdict->reason != MATCHING_TOO_MANY, verdict->flow,
					 verdict->needed, report.singled_out ? text_array_of(report.singled_out) : NULL,
					 report.detail);
	query_end(scope);
	PG_RETURN_DATUM(row);
}

SQL_FUNCTION(kanon_matching_bound)
{
	double bound;
	bool enough;
	int k;
	QueryScope scope;

	ARGUMENTS_REQUIRE(fcinfo, "relation", "k", [3] = "priced");
	k = argument_k(fcinfo, 1);
	scope = rights_begin(PG_GETARG_OID(0), RIGHTS_TO_READ, AccessShareLock);
	enough = prediction_bound(PG_GETARG_OID(0), argument_array(fcinfo, 2), k, PG_GETARG_BOOL(3),
							  PG_ARGISNULL(4) ? NEITHER : PG_GETARG_BOOL(4), &bound);
	query_end(scope);
	if (!enough)
		PG_RETURN_NULL();
	PG_RETURN_FLOAT8(bound);
}

/* [1 .. k - 1], up to the largest size that occurs. */
static ArrayType *
sizes_array(const AsideReport *report)
{
	Datum *sizes = palloc(sizeof(Datum) * report->people.size_end);
	int count = 0;

	for (int size = 1; size < report->people.size_end; size++)
	{
		sizes[size - 1] = Int64GetDatum(report->people.sizes[size]);
		if (report->people.sizes[size] > 0)
			count = size;
	}
	return array_of(INT8OID, sizes, NULL, count);
}

SQL_FUNCTION(kanon_check_releases)
{
	ArrayType *releases;
	const char *key;
	AsideReport report;
	const SideBySideReport *people = &report.people;
	QueryScope scope;
	Datum row;
	int k;

	ARGUMENTS_REQUIRE(fcinfo, "relation", "releases");
	releases = PG_GETARG_ARRAYTYPE_P(1);
	k = PG_ARGISNULL(2) ? 0 : argument_k(fcinfo, 2);
	key = argument_name(fcinfo, 3);
	if (ArrayGetNItems(ARR_NDIM(releases), ARR_DIMS(releases)) == 0 ||
		array_contains_nulls(releases))
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("argument \"releases\" must name releases, and none that is NULL")));
	scope = rights_begin(linitial_oid(oid_array_list(releases)), RIGHTS_TO_READ, AccessShareLock);
	own_extension_check_names();
	report = aside_audit_run(PG_GETARG_OID(0), releases, k, key);
	MemoryContextSwitchTo(scope.caller);
	row = result_row(fcinfo, "billl?lLT", people->below == 0, report.k, people->people,
					 people->below, people->alone, people->people > 0, people->smallest,
					 sizes_array(&report), text_array_of(report.weakest));
	query_end(scope);
	PG_RETURN_DATUM(row);
}

SQL_FUNCTION(kanon_copy_release)
{
	ReleaseName table;
	QueryScope scope;
	Oid copy;

	ARGUMENTS_REQUIRE(fcinfo, "release", "copy", "key");
	PreventCommandIfReadOnly("kanon_copy_release()");
	table = release_create_name(PG_GETARG_TEXT_PP(1));
	scope = rights_begin(PG_GETARG_OID(0), RIGHTS_OF_RELEASE, AccessShareLock);
	own_extension_check_names();
	copy = release_copy(PG_GETARG_OID(0), table, argument_name(fcinfo, 2));
	query_end(scope);
	PG_RETURN_OID(copy);
}

static List *
parse_predicates(ArrayType *array)
{
	List *predicates = array_strings(array);
	ListCell *cell;

	foreach (cell, predicates)
	{
		CHECK_FOR_INTERRUPTS();
		if (lfirst(cell) == NULL)
			ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
							errmsg("a predicate must not be null")));
		lfirst(cell) = predicate_parse(lfirst(cell));
	}
	return predicates;
}

static Workload
workload_of(const QualityAnswer *answers, int queries)
{
	Workload workload = {0};

	for (int i = 0; i < queries; i++)
		workload_add(&workload, answers[i].actual, answers[i].estimate);
	return workload;
}

/* k: 0 if unknown. */
static Datum
quality_datum(FunctionCallInfo fcinfo, const QualityTally *tally, int k, const Workload *workload)
{
	int64 suppressed = Max(tally->source_rows - tally->rows, 0);
	double discernibility = tally->squares + (double) suppressed * (double) tally->source_rows;
	bool classes = tally->classes > 0;
	double average = (double) tally->rows / (double) Max(tally->classes, 1) / Max(k, 1);
	bool queries = workload->queries > 0;
	double relative = workload->relative / (double) Max(workload->relatives, 1);

	return result_row(fcinfo, "ll?lld?d?d?l?d?d?d", tally->rows, tally->classes, classes,
					  tally->smallest, suppressed, discernibility, classes && k > 0, average,
					  tally->rows > 0, tally->loss, !PG_ARGISNULL(4), workload->queries, queries,
					  workload->mean, queries, workload_deviation(workload),
					  workload->relatives > 0, relative);
}

SQL_FUNCTION(kanon_quality)
{
	List *predicates = NIL;
	KnownRelease known;
	QualityTally tally;
	QualityAnswer *answers;
	Workload workload;
	int k;
	QueryScope scope;

	argument_require(fcinfo, 0, "release");
	if (!PG_ARGISNULL(3))
		limits_check_k(PG_GETARG_INT32(3));
	if (!PG_ARGISNULL(4))
		predicates = parse_predicates(PG_GETARG_ARRAYTYPE_P(4));
	scope = rights_begin(PG_GETARG_OID(0), RIGHTS_TO_READ, AccessShareLock);
	known = known_release_open(PG_GETARG_OID(0), argument_oid(fcinfo, 1), argument_array(fcinfo, 2),
							   true);
	k = known.entry ? known.entry->demand.k : 0;
	tally = known_release_quality(&known, predicates, &answers);
	workload = workload_of(answers, list_length(predicates));
	query_end(scope);
	return quality_datum(fcinfo, &tally, PG_ARGISNULL(3) ? k : PG_GETARG_INT32(3), &workload);
}

SQL_FUNCTION(kanon_query_errors)
{
	ReturnSetInfo *result;
	List *predicates;
	KnownRelease known;
	QualityAnswer *answers;
	QueryScope scope;

	ARGUMENTS_REQUIRE(fcinfo, "release", "predicates");
	result = result_begin(fcinfo);
	predicates = parse_predicates(PG_GETARG_ARRAYTYPE_P(1));
	scope = rights_begin(PG_GETARG_OID(0), RIGHTS_TO_READ, AccessShareLock);
	known = known_release_open(PG_GETARG_OID(0), argument_oid(fcinfo, 2), argument_array(fcinfo, 3),
							   true);
	(void) known_release_quality(&known, predicates, &answers);
	foreach_ptr (const Predicate, predicate, predicates)
	{
		const QualityAnswer *answer = &answers[foreach_current_index(predicate)];

		result_put(result, "tldd", predicate->text, answer->actual, answer->estimate,
				   workload_error(answer->actual, answer->estimate));
	}
	query_end(scope);
	return (Datum) 0;
}
