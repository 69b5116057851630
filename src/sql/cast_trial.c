/*
 * cast_trial.c
 *		See cast_trial.h.
 */
#include "postgres.h"

#include "sql/cast_trial.h"

#include "executor/spi.h"
#include "miscadmin.h"
#include "sql/query.h"
#include "sql/query_jobs.h"

typedef struct CastTrial
{
	SPIPlanPtr cast;
	SPITupleTable *values;
	uint64 count;
	uint64 next; /* the value to cast next */
} CastTrial;

/* Casts the values that are left, until one raises an error. */
static void
cast_values(void *state)
{
	CastTrial *trial = state;

	for (; trial->next < trial->count; trial->next++)
	{
		bool null;
		Datum value =
			SPI_getbinval(trial->values->vals[trial->next], trial->values->tupdesc, 1, &null);

		CHECK_FOR_INTERRUPTS();
		(void) SPI_execute_plan(trial->cast, &value, NULL, true, 1);
		SPI_freetuptable(SPI_tuptable);
	}
}

void
cast_trial_run(const char *cast, Oid source, const char *values, CastFailure report, void *state)
{
	CastTrial trial = {.cast = SPI_prepare(psprintf("SELECT %s", cast), 1, &source)};
	ErrorData *error;

	if (trial.cast == NULL)
		elog(ERROR, "%s", SPI_result_code_string(SPI_result));
	query_run(values, true);
	trial.values = SPI_tuptable;
	trial.count = SPI_processed;
	while ((error = query_undo(cast_values, &trial)) != NULL)
	{
		HeapTuple value = trial.values->vals[trial.next++];
		bool null;

		if (ERRCODE_TO_CATEGORY(error->sqlerrcode) != ERRCODE_DATA_EXCEPTION &&
			ERRCODE_TO_CATEGORY(error->sqlerrcode) != ERRCODE_INTEGRITY_CONSTRAINT_VIOLATION)
			ReThrowError(error);
		report(state, SPI_getvalue(value, trial.values->tupdesc, 3),
			   DatumGetInt64(SPI_getbinval(value, trial.values->tupdesc, 2, &null)),
			   error->message);
	}
	SPI_freetuptable(trial.values);
}
