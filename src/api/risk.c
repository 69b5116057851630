/*
 * risk.c
 *		SQL functions that measure the risk of re-identification, and find the columns and rows that
 *		single people out.
 */
#include "postgres.h"

#include "api/argument.h"
#include "api/result.h"
#include "audit/class_audit.h"
#include "base/context.h"
#include "count/group_query.h"
#include "fmgr.h"
#include "funcapi.h"
#include "metric/sample_uniques.h"
#include "sql/name_array.h"
#include "sql/rights.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

/* Shares of an empty table, and figures that need a population, are NULL. */
static Datum
risk_datum(FunctionCallInfo fcinfo, const RiskTally *tally, bool has_population)
{
	RiskAgainst prosecutor = {0};
	RiskAgainst journalist = {0};
	bool any = tally->rows > 0;
	bool both = any && has_population;
	double rows = (double) Max(tally->rows, 1);

	if (any)
	{
		prosecutor = risk_against(tally, &tally->table);
		journalist = risk_against(tally, &tally->population);
	}
	return result_row(fcinfo, "lll?d?d?d?d?l?d?d?d?d?d", tally->rows, tally->classes,
					  tally->table.uniques, any, (double) tally->table.uniques / rows, any,
					  prosecutor.highest, any, prosecutor.average, any, prosecutor.at_risk, both,
					  tally->population.uniques, both, (double) tally->population.uniques / rows,
					  both, journalist.highest, both, journalist.average, both, journalist.at_risk,
					  any, any ? risk_marketer(tally) : 0.0);
}

SQL_FUNCTION(kanon_risk)
{
	bool has_population = !PG_ARGISNULL(2);
	double threshold = PG_ARGISNULL(3) ? RISK_THRESHOLD_KNOWN : PG_GETARG_FLOAT8(3);
	RiskTally tally;
	QueryScope scope;

	argument_require(fcinfo, 0, "relation");
	/* NaN fails both comparisons. */
	if (!PG_ARGISNULL(3) && !(threshold >= 0 && threshold <= 1))
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("threshold must be between 0 and 1, not %g", threshold)));
	scope = rights_begin(PG_GETARG_OID(0), RIGHTS_TO_READ, AccessShareLock);
	tally = class_audit_risk(PG_GETARG_OID(0), argument_array(fcinfo, 1), argument_oid(fcinfo, 2),
							 threshold);
	query_end(scope);
	PG_RETURN_DATUM(risk_datum(fcinfo, &tally, has_population));
}

typedef struct Output
{
	ReturnSetInfo *result;
	const Description *description;
	int64 rows;
	MemoryContext scratch; /* of one set */
} Output;

static ArrayType *
names_of(const Description *description, const SampleUniques *set)
{
	List *names = NIL;

	for (int i = 0; i < set->size; i++)
		names = lappend(names, unconstify(char *, description->quasi[set->column[i]]->name));
	return name_array_of(names);
}

/* The share of an empty table is NULL. */
static void
put_set(void *state, const SampleUniques *set)
{
	Output *output = state;
	MemoryContext previous = MemoryContextSwitchTo(output->scratch);

	result_put(output->result, "Nl?dl", names_of(output->description, set), set->uniques,
			   output->rows > 0, (double) set->uniques / (double) Max(output->rows, 1),
			   set->minimal);
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

/* The request of both functions, without a consumer. */
static SampleUniquesRequest
begin_search(const Description *description, int size, Budget *budget)
{
	SampleUniquesRequest request = {.size = Min(size, description->quasi_count), .budget = budget};

	sample_uniques_check(description->quasi_count, request.size);
	return request;
}

SQL_FUNCTION(kanon_sample_uniques)
{
	Output output = {0};
	Budget budget;
	SampleUniquesRequest request;
	QueryScope scope;
	int size;

	argument_require(fcinfo, 0, "relation");
	size = size_argument(fcinfo, 2);
	output.result = result_begin(fcinfo);
	scope = rights_begin(PG_GETARG_OID(0), RIGHTS_TO_READ, AccessShareLock);
	budget = budget_begin();
	output.description =
		group_query_describe_sample(PG_GETARG_OID(0), argument_array(fcinfo, 1), NULL);
	output.scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon set of columns", CONTEXT_SMALL_SIZES);
	request = begin_search(output.description, size, &budget);
	request.consumer = put_set;
	request.state = &output;
	request.table = group_query_read_sample(output.description, NULL, NULL, &output.rows, &budget);
	sample_uniques_find(&request);
	query_end(scope);
	return (Datum) 0;
}

/* Adds a row that has minimal sample uniques: how many of each size. */
static void
put_row(ReturnSetInfo *result, const SampleUniquesRequest *request, const int32 *minimal,
		TupleSpool *keys)
{
	TupleTableSlot *slot = tuple_spool_next(keys);
	double score = sample_uniques_score(request->table->attributes, request->size, minimal);
	Datum key;
	bool isnull;

	if (slot == NULL)
		elog(ERROR, "there are fewer keys than rows");
	if (score == 0)
		return;
	key = slot_getattr(slot, 1, &isnull);
	result_put(result, "?vId", !isnull, TEXTOID, key, int_array_of(minimal, request->size), score);
}

static void
put_rows(ReturnSetInfo *result, const SampleUniquesRequest *request, TupleSpool *keys)
{
	MemoryContext scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon special unique", CONTEXT_SMALL_SIZES);
	MemoryContext previous = MemoryContextSwitchTo(scratch);

	for (int64 row = 0; row < request->table->rows; row++)
	{
		CHECK_FOR_INTERRUPTS();
		put_row(result, request, &request->minimal_of_row[row * request->size], keys);
		MemoryContextReset(scratch);
	}
	MemoryContextSwitchTo(previous);
	MemoryContextDelete(scratch);
}

SQL_FUNCTION(kanon_special_uniques)
{
	Budget budget;
	ReturnSetInfo *result;
	SampleUniquesRequest request;
	Description *description;
	TupleSpool *keys;
	const char *key;
	QueryScope scope;
	int size;

	ARGUMENTS_REQUIRE(fcinfo, "relation", "key");
	key = NameStr(*PG_GETARG_NAME(1));
	size = size_argument(fcinfo, 3);
	result = result_begin(fcinfo);
	scope = rights_begin(PG_GETARG_OID(0), RIGHTS_TO_READ, AccessShareLock);
	budget = budget_begin();
	description = group_query_describe_sample(PG_GETARG_OID(0), argument_array(fcinfo, 2), key);
	request = begin_search(description, size, &budget);
	request.table = group_query_read_sample(description, key, &keys, NULL, &budget);
	request.minimal_of_row = sample_uniques_counters(&request);
	sample_uniques_find(&request);
	put_rows(result, &request, keys);
	tuple_spool_free(keys);
	query_end(scope);
	return (Datum) 0;
}
