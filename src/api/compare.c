/*
 * compare.c
 *		SQL function that compares the releases that could be made of a relation.
 */
#include "postgres.h"

#include "api/compare_argument.h"
#include "api/result.h"
#include "sql/rights.h"

PG_FUNCTION_INFO_V1(kanon_compare);

#define COMPARE_COLUMNS 8

static void
put_compared(ReturnSetInfo *result, const ReleaseRequest *request, const ComparedRelease *compared)
{
	bool published = compared->rows > 0;
	bool has_classes = published && request->recoding->has_classes;
	bool nulls[COMPARE_COLUMNS] = {
		[2] = !published, [3] = !has_classes, [4] = !has_classes, [6] = !published};
	Datum values[COMPARE_COLUMNS] = {
		Int32GetDatum(request->demand.k),  CStringGetTextDatum(request->recoding->name),
		Float8GetDatum(compared->loss),    Int64GetDatum(compared->classes),
		Int64GetDatum(compared->smallest), Int64GetDatum(compared->missing),
		Float8GetDatum(compared->risk),    Float8GetDatum(compared->milliseconds / 1000),
	};

	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

/* Arguments: relation, k, recodings, quasi_identifiers, models, suppression. */
Datum
kanon_compare(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = result_begin(fcinfo);
	ReleaseRequest request = {.relation = argument_oid(fcinfo, 0),
							  .quasi_identifiers = argument_array(fcinfo, 3),
							  .demand = {.models = argument_models(fcinfo, 4)}};
	List *recodings;
	ListCell *cell;
	int *every_k;
	int count;
	QueryScope scope;

	ARGUMENTS_REQUIRE(fcinfo, "relation", "k", NULL, NULL, "models", "suppression");
	request.suppression = PG_GETARG_FLOAT8(5);
	limits_check_suppression(request.suppression);
	every_k = compare_argument_k(fcinfo, 1, &count);
	recodings = compare_argument_recodings(fcinfo, 2, request.demand.models ? RECODING_MODELS : 0);
	scope = rights_begin(request.relation, RIGHTS_TO_READ, AccessShareLock);
	for (int i = 0; i < count; i++)
		foreach (cell, recodings)
		{
			ComparedRelease compared;

			CHECK_FOR_INTERRUPTS();
			request.demand.k = every_k[i];
			request.recoding = lfirst(cell);
			compared = comparison_measure(&request, argument_text(fcinfo, 4));
			put_compared(result, &request, &compared);
		}
	query_end(scope);
	return (Datum) 0;
}
