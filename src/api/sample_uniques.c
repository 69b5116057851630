/*
 * sample_uniques.c
 *		SQL functions that find the columns by which single rows can be told.
 */
#include "postgres.h"

#include "api/argument.h"
#include "api/result.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "funcapi.h"
#include "io/query.h"
#include "io/sample_query.h"
#include "metric/sample_uniques.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

PG_FUNCTION_INFO_V1(kanon_sample_uniques);

typedef struct Output
{
	ReturnSetInfo *result;
	const Description *description;
	int64 rows;
	MemoryContext scratch; /* of one set */
} Output;

static Datum
name_array(const Description *description, const SampleUniques *set)
{
	Datum *names = palloc(sizeof(Datum) * set->size);

	for (int i = 0; i < set->size; i++)
		names[i] = DirectFunctionCall1(
			namein,
			CStringGetDatum(description->attributes[description->quasi[set->column[i]]].name));
	return PointerGetDatum(
		construct_array(names, set->size, NAMEOID, NAMEDATALEN, false, TYPALIGN_CHAR));
}

/* The share of an empty table is NULL. */
static void
put_set(void *state, const SampleUniques *set)
{
	Output *output = state;
	MemoryContext previous = MemoryContextSwitchTo(output->scratch);
	Datum values[] = {name_array(output->description, set), Int64GetDatum(set->uniques),
					  Float8GetDatum((double) set->uniques / (double) Max(output->rows, 1)),
					  Int64GetDatum(set->minimal)};
	bool nulls[lengthof(values)] = {false};

	nulls[2] = output->rows == 0;
	tuplestore_putvalues(output->result->setResult, output->result->setDesc, values, nulls);
	MemoryContextSwitchTo(previous);
	MemoryContextReset(output->scratch);
}

static int
size_argument(FunctionCallInfo fcinfo, int number)
{
	int size;

	argument_require(fcinfo, number, "size");
	size = PG_GETARG_INT32(number);
	if (size < 1)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("size must be at least 1, not %d", size)));
	return size;
}

/* Within a query scope: what is allocated goes with it. */
static void
find_sets(Output *output, int size)
{
	Budget budget = budget_begin();
	SampleUniquesRequest request = {
		.size = Min(size, output->description->quasi_count),
		.consumer = put_set,
		.state = output,
		.budget = &budget,
	};

	sample_uniques_check(output->description->quasi_count, request.size);
	request.table = sample_query_read(output->description, &budget);
	output->rows = request.table->rows;
	output->scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon set of columns", ALLOCSET_SMALL_SIZES);
	sample_uniques_find(&request);
}

Datum
kanon_sample_uniques(PG_FUNCTION_ARGS)
{
	Output output = {0};
	QueryScope scope;
	int size;

	argument_require(fcinfo, 0, "relation");
	size = size_argument(fcinfo, 2);
	output.result = result_begin(fcinfo);
	scope = query_begin();
	output.description =
		sample_query_describe(PG_GETARG_OID(0), PG_ARGISNULL(1) ? NULL : PG_GETARG_ARRAYTYPE_P(1));
	find_sets(&output, size);
	query_end(scope);
	return (Datum) 0;
}
