/*
 * compare.c
 *		SQL function that compares the releases that could be made of a relation.
 */
#include "postgres.h"

#include "api/argument.h"
#include "api/result.h"
#include "audit/comparison.h"
#include "sql/query.h"

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

/* The elements of an array argument, none of which may be NULL. */
static Datum *
elements_of(ArrayType *array, Oid type, const char *name, int *count)
{
	bool text = type == TEXTOID;
	Datum *elements;
	bool *nulls;

	deconstruct_array(array, type, text ? -1 : (int) sizeof(int32), !text, TYPALIGN_INT, &elements,
					  &nulls, count);
	for (int i = 0; i < *count; i++)
		if (nulls[i])
			ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
							errmsg("argument \"%s\" must not have nulls", name)));
	return elements;
}

/* All that can be foretold and take what is given. */
static List *
all_recodings(int given)
{
	List *recodings = NIL;
	ListCell *cell;

	foreach (cell, release_recoding_all(given))
		if (comparison_foretells(lfirst(cell)))
			recodings = lappend(recodings, lfirst(cell));
	return recodings;
}

/* Those named, which have to be such. */
static List *
read_recodings(FunctionCallInfo fcinfo, int given)
{
	List *recodings = NIL;
	Datum *names;
	int count;

	if (PG_ARGISNULL(2))
		return all_recodings(given);
	names = elements_of(PG_GETARG_ARRAYTYPE_P(2), TEXTOID, "recodings", &count);
	for (int i = 0; i < count; i++)
	{
		const RecodingOps *recoding = release_recoding_find(TextDatumGetCString(names[i]));

		release_recoding_check_options(recoding, given);
		if (!comparison_foretells(recoding))
			ereport(ERROR,
					(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
					 errmsg("what recoding \"%s\" makes depends on more than the rows of today",
							recoding->name)));
		recodings = lappend(recodings, unconstify(RecodingOps *, recoding));
	}
	return recodings;
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
	Datum *every_k;
	int count;
	QueryScope scope;

	ARGUMENTS_REQUIRE(fcinfo, "relation", "k", NULL, NULL, "models", "suppression");
	request.suppression = PG_GETARG_FLOAT8(5);
	limits_check_suppression(request.suppression);
	every_k = elements_of(PG_GETARG_ARRAYTYPE_P(1), INT4OID, "k", &count);
	recodings = read_recodings(fcinfo, request.demand.models ? RECODING_MODELS : 0);
	for (int i = 0; i < count; i++)
		limits_check_k(DatumGetInt32(every_k[i]));
	scope = query_begin();
	for (int i = 0; i < count; i++)
		foreach (cell, recodings)
		{
			ComparedRelease compared;

			CHECK_FOR_INTERRUPTS();
			request.demand.k = DatumGetInt32(every_k[i]);
			request.recoding = lfirst(cell);
			compared = comparison_measure(&request, argument_text(fcinfo, 4));
			put_compared(result, &request, &compared);
		}
	query_end(scope);
	return (Datum) 0;
}
