/*
 * quality.c
 *		SQL functions that measure a release against its source.
 */
#include "postgres.h"

#include "api/argument.h"
#include "api/result.h"
#include "audit/quality_audit.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "metric/workload.h"
#include "sql/rights.h"
#include "utils/array.h"
#include "utils/builtins.h"

PG_FUNCTION_INFO_V1(kanon_quality);
PG_FUNCTION_INFO_V1(kanon_query_errors);

#define QUALITY_COLUMNS 11

static List *
parse_predicates(ArrayType *array)
{
	List *predicates = NIL;
	Datum *elements;
	bool *nulls;
	int count;

	deconstruct_array(array, TEXTOID, -1, false, TYPALIGN_INT, &elements, &nulls, &count);
	for (int i = 0; i < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (nulls[i])
			ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
							errmsg("a predicate must not be null")));
		predicates = lappend(predicates, predicate_parse(TextDatumGetCString(elements[i])));
	}
	return predicates;
}

static Workload
workload_of(const QualityReport *quality, int queries)
{
	Workload workload = {0};

	for (int i = 0; i < queries; i++)
		workload_add(&workload, quality->answers[i].actual, quality->answers[i].estimate);
	return workload;
}

static void
put_classes(Datum *values, bool *nulls, const QualityTally *tally, int k)
{
	int64 suppressed = Max(tally->source_rows - tally->rows, 0);
	double rows = (double) tally->rows;

	values[0] = Int64GetDatum(tally->rows);
	values[1] = Int64GetDatum(tally->classes);
	values[2] = Int64GetDatum(tally->smallest);
	nulls[2] = tally->classes == 0;
	values[3] = Int64GetDatum(suppressed);
	values[4] = Float8GetDatum(tally->squares + (double) suppressed * (double) tally->source_rows);
	nulls[5] = tally->classes == 0 || k == 0;
	if (!nulls[5])
		values[5] = Float8GetDatum(rows / (double) tally->classes / k);
	values[6] = Float8GetDatum(tally->loss);
	nulls[6] = !tally->has_loss;
}

static void
put_workload(Datum *values, bool *nulls, const Workload *workload)
{
	values[0] = Int64GetDatum(workload->queries);
	values[1] = Float8GetDatum(workload->mean);
	values[2] = Float8GetDatum(workload_deviation(workload));
	nulls[1] = nulls[2] = workload->queries == 0;
	nulls[3] = workload->relatives == 0;
	if (!nulls[3])
		values[3] = Float8GetDatum(workload->relative / (double) workload->relatives);
}

Datum
kanon_quality(PG_FUNCTION_ARGS)
{
	QualityAudit request = {0};
	QualityReport quality;
	Workload workload;
	QueryScope scope;
	Datum values[QUALITY_COLUMNS] = {0};
	bool nulls[QUALITY_COLUMNS] = {0};

	argument_require(fcinfo, 0, "release");
	if (!PG_ARGISNULL(3))
		limits_check_k(PG_GETARG_INT32(3));
	request.release = PG_GETARG_OID(0);
	request.relation = argument_oid(fcinfo, 1);
	request.quasi_identifiers = argument_array(fcinfo, 2);
	if (!PG_ARGISNULL(4))
		request.predicates = parse_predicates(PG_GETARG_ARRAYTYPE_P(4));
	scope = rights_begin(request.release, RIGHTS_TO_READ, AccessShareLock);
	quality = quality_audit_run(&request);
	workload = workload_of(&quality, list_length(request.predicates));
	query_end(scope);
	put_classes(values, nulls, &quality.tally, PG_ARGISNULL(3) ? quality.k : PG_GETARG_INT32(3));
	put_workload(values + 7, nulls + 7, &workload);
	nulls[7] = PG_ARGISNULL(4);
	PG_RETURN_DATUM(result_row(fcinfo, values, nulls));
}

Datum
kanon_query_errors(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result;
	QualityAudit request = {0};
	QualityReport quality;
	QueryScope scope;
	ListCell *cell;

	ARGUMENTS_REQUIRE(fcinfo, "release", "predicates");
	result = result_begin(fcinfo);
	request.release = PG_GETARG_OID(0);
	request.predicates = parse_predicates(PG_GETARG_ARRAYTYPE_P(1));
	request.relation = argument_oid(fcinfo, 2);
	request.quasi_identifiers = argument_array(fcinfo, 3);
	scope = rights_begin(request.release, RIGHTS_TO_READ, AccessShareLock);
	quality = quality_audit_run(&request);
	foreach (cell, request.predicates)
	{
		const QualityAnswer *answer = &quality.answers[foreach_current_index(cell)];
		const Predicate *predicate = lfirst(cell);
		bool nulls[4] = {false};
		Datum values[4] = {
			CStringGetTextDatum(predicate->text),
			Int64GetDatum(answer->actual),
			Float8GetDatum(answer->estimate),
			Float8GetDatum(workload_error(answer->actual, answer->estimate)),
		};

		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	}
	query_end(scope);
	return (Datum) 0;
}
