/*
 * check.c
 *		SQL functions that judge the current contents of a table.
 */
#include "postgres.h"

#include "api/argument.h"
#include "api/result.h"
#include "audit/class_audit.h"
#include "fmgr.h"
#include "sql/rights.h"

PG_FUNCTION_INFO_V1(kanon_check);
PG_FUNCTION_INFO_V1(kanon_classes);

static Datum
tally_datum(FunctionCallInfo fcinfo, const ClassTally *tally)
{
	Datum values[] = {
		BoolGetDatum(tally->small_classes == 0), Int64GetDatum(tally->rows),
		Int64GetDatum(tally->classes),           Int64GetDatum(tally->smallest),
		Int64GetDatum(tally->small_classes),     Int64GetDatum(tally->small_rows),
	};
	bool nulls[lengthof(values)] = {false};

	nulls[3] = tally->classes == 0;
	return result_row(fcinfo, values, nulls);
}

/* The arguments that both functions share, in this order. */
static ClassAudit
check_arguments(FunctionCallInfo fcinfo)
{
	argument_require(fcinfo, 0, "relation");
	return (ClassAudit){
		.relation = PG_GETARG_OID(0),
		.k = PG_ARGISNULL(1) ? 0 : argument_k(fcinfo, 1),
		.quasi_identifiers = argument_array(fcinfo, 2),
		.models = argument_models(fcinfo, 3),
		.known_models = PG_ARGISNULL(3),
		.person = argument_name(fcinfo, 4),
	};
}

Datum
kanon_check(PG_FUNCTION_ARGS)
{
	ClassAudit check;
	ClassTally tally;
	QueryScope scope;

	check = check_arguments(fcinfo);
	scope = rights_begin(PG_GETARG_OID(0), RIGHTS_TO_READ, AccessShareLock);
	check = class_audit_known(&check);
	tally = class_audit_tally(&check);
	query_end(scope);
	PG_RETURN_DATUM(tally_datum(fcinfo, &tally));
}

/* Arrays over the models: the class's distinct sensitive values, and each model's figure. */
static void
model_arrays(const JudgedClass *judged, Datum *distinct, Datum *figures)
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
		values[i] =
			Float8GetDatum(model_value(demand->model[i], histogram, demand->domain[column]));
	}
	*distinct = PointerGetDatum(
		construct_array(counts, models, INT8OID, sizeof(int64), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE));
	*figures = PointerGetDatum(construct_array(values, models, FLOAT8OID, sizeof(float8),
											   FLOAT8PASSBYVAL, TYPALIGN_DOUBLE));
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
	Datum values[] = {judged->class->values, Int64GetDatum(judged->class->members), 0, 0,
					  BoolGetDatum(judged->satisfied)};
	bool nulls[lengthof(values)] = {false};

	model_arrays(judged, &values[2], &values[3]);
	nulls[4] = !rows->judged;
	tuplestore_putvalues(rows->result->setResult, rows->result->setDesc, values, nulls);
	MemoryContextSwitchTo(caller);
	MemoryContextReset(rows->context);
}

Datum
kanon_classes(PG_FUNCTION_ARGS)
{
	ClassAudit check = check_arguments(fcinfo);
	ClassRows rows = {.result = result_begin(fcinfo)};
	QueryScope scope;

	rows.context =
		AllocSetContextCreate(CurrentMemoryContext, "kanon class", ALLOCSET_DEFAULT_SIZES);
	scope = rights_begin(PG_GETARG_OID(0), RIGHTS_TO_READ, AccessShareLock);
	check = class_audit_known(&check);
	rows.judged = check.k > 0 || check.models != NIL;
	class_audit_each(&check, put_class, &rows);
	query_end(scope);
	return (Datum) 0;
}
