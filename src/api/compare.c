/*
 * compare.c
 *		SQL function that compares the releases that could be made of a relation.
 */
#include "postgres.h"

#include "api/release_argument.h"
#include "api/result.h"
#include "partition/split_name.h"
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

/* The request for one recoding: the options are those that it takes. */
static ReleaseRequest
request_of(const ReleaseRequest *all, const RecodingOps *recoding, int k)
{
	ReleaseRequest request = *all;

	request.recoding = recoding;
	request.demand.k = k;
	request.options.given = 0;
	(void) release_options_leave(&request.options, recoding);
	return request;
}

/* Arguments: relation, k, recodings, quasi_identifiers, models, suppression, options. */
Datum
kanon_compare(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = result_begin(fcinfo);
	ReleaseArguments arguments;
	ReleaseRequest all;
	List *recodings;
	ListCell *cell;
	int *every_k;
	int count;
	QueryScope scope;

	ARGUMENTS_REQUIRE(fcinfo, "relation", "k", NULL, NULL, "models", "suppression");
	arguments = release_arguments_shared(fcinfo, 3, false);
	all = release_request_new(&arguments);
	all.relation = PG_GETARG_OID(0);
	every_k = compare_argument_k(fcinfo, 1, &count);
	recodings = compare_argument_recodings(fcinfo, 2, all.demand.models);
	release_options_check_taken(&all.options, recodings);
	release_options_check_foreseen(&all.options);
	split_name_check_target(split_name_require(all.options.split), all.options.target);
	scope = rights_begin(all.relation, RIGHTS_TO_READ, AccessShareLock);
	for (int i = 0; i < count; i++)
		foreach (cell, recodings)
		{
			ReleaseRequest request = request_of(&all, lfirst(cell), every_k[i]);
			ComparedRelease compared;

			CHECK_FOR_INTERRUPTS();
			compared = comparison_measure(&request);
			put_compared(result, &request, &compared);
		}
	query_end(scope);
	return (Datum) 0;
}
