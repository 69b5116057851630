/*
 * cast_trial.c
 *		See cast_trial.h.
 */
#include "postgres.h"

#include "sql/cast_trial.h"

#include "access/xact.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "sql/query.h"
#include "utils/resowner.h"

typedef struct CastTrial
{
	SPIPlanPtr cast;
	SPITupleTable *values;
	uint64 count;
} CastTrial;

/* Catches errors that are about data; raises all others again. */
static char *
catch_data_error(MemoryContext context, ResourceOwner owner)
{
	ErrorData *error;

	MemoryContextSwitchTo(context);
	error = CopyErrorData();
	FlushErrorState();
	RollbackAndReleaseCurrentSubTransaction();
	MemoryContextSwitchTo(context);
	CurrentResourceOwner = owner;
	if (ERRCODE_TO_CATEGORY(error->sqlerrcode) != ERRCODE_DATA_EXCEPTION &&
		ERRCODE_TO_CATEGORY(error->sqlerrcode) != ERRCODE_INTEGRITY_CONSTRAINT_VIOLATION)
		ReThrowError(error);
	return error->message;
}

/*
 * Casts the values from *i on in a subtransaction.  If one raises an error, leaves *i there and
 * returns the message; otherwise NULL.
 */
static char *
try_casts(const CastTrial *trial, volatile uint64 *i)
{
	MemoryContext context = CurrentMemoryContext;
	ResourceOwner owner = CurrentResourceOwner;
	char *volatile message = NULL;

	BeginInternalSubTransaction(NULL);
	MemoryContextSwitchTo(context);
	PG_TRY();
	{
		for (; *i < trial->count; ++*i)
		{
			bool null;
			Datum value = SPI_getbinval(trial->values->vals[*i], trial->values->tupdesc, 1, &null);

			CHECK_FOR_INTERRUPTS();
			(void) SPI_execute_plan(trial->cast, &value, NULL, true, 1);
			SPI_freetuptable(SPI_tuptable);
		}
		ReleaseCurrentSubTransaction();
		MemoryContextSwitchTo(context);
		CurrentResourceOwner = owner;
	}
	PG_CATCH();
	{
		message = catch_data_error(context, owner);
	}
	PG_END_TRY();
	return message;
}

void
cast_trial_run(const char *cast, Oid source, const char *values, CastFailure report, void *state)
{
	CastTrial trial = {.cast = SPI_prepare(psprintf("SELECT %s", cast), 1, &source)};
	volatile uint64 i = 0;
	char *message;

	if (trial.cast == NULL)
		elog(ERROR, "%s", SPI_result_code_string(SPI_result));
	query_run(values, true);
	trial.values = SPI_tuptable;
	trial.count = SPI_processed;
	while ((message = try_casts(&trial, &i)) != NULL)
	{
		HeapTuple value = trial.values->vals[i++];
		bool null;

		report(state, SPI_getvalue(value, trial.values->tupdesc, 3),
			   DatumGetInt64(SPI_getbinval(value, trial.values->tupdesc, 2, &null)), message);
	}
	SPI_freetuptable(trial.values);
}
