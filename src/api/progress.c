/*
 * progress.c
 *		SQL function behind the view kanon_progress.
 */
#include "postgres.h"

#include "base/progress.h"

#include "api/result.h"
#include "fmgr.h"
#include "utils/timestamp.h"

PG_FUNCTION_INFO_V1(kanon_progress_entries);

#define PROGRESS_COLUMNS 6

Datum
kanon_progress_entries(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = result_begin(fcinfo);
	int count;
	const ProgressEntry *entries = progress_entries(&count);

	for (int i = 0; i < count; i++)
	{
		const ProgressEntry *entry = &entries[i];
		bool nulls[PROGRESS_COLUMNS] = {[5] = entry->total == 0};
		Datum values[PROGRESS_COLUMNS] = {
			Int32GetDatum(entry->pid),         TimestampTzGetDatum(entry->statement),
			TimestampTzGetDatum(entry->began), CStringGetTextDatum(entry->phase),
			Int64GetDatum(entry->done),        Int64GetDatum(entry->total),
		};

		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	}
	return (Datum) 0;
}
