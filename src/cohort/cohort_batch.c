/*
 * cohort_batch.c
 *		See cohort_batch.h.
 */
#include "postgres.h"

#include "cohort/cohort_batch.h"

#include "catalog/pg_type.h"
#include "sql/own_table.h"
#include "utils/array.h"
#include "utils/datum.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#define ROWS 4096 /* rows written at a time */

CohortBatch *
cohort_batch_create(int64 number, const char *sql, int columns, const Oid *type)
{
	CohortBatch *batch = palloc0(sizeof(CohortBatch));

	*batch = (CohortBatch){.sql = sql,
						   .number = number,
						   .columns = columns,
						   .type = type,
						   .value = palloc(sizeof(Datum *) * columns),
						   .null = palloc(sizeof(bool *) * columns)};
	for (int i = 0; i < columns; i++)
	{
		batch->value[i] = palloc(sizeof(Datum) * ROWS);
		batch->null[i] = palloc(sizeof(bool) * ROWS);
	}
	batch->context =
		AllocSetContextCreate(CurrentMemoryContext, "kanon cohort batch", ALLOCSET_DEFAULT_SIZES);
	return batch;
}

static void
write_rows(CohortBatch *batch)
{
	MemoryContext previous = MemoryContextSwitchTo(batch->context);
	Oid *types = palloc(sizeof(Oid) * (batch->columns + 1));
	Datum *values = palloc(sizeof(Datum) * (batch->columns + 1));
	QueryParameters parameters = {.count = batch->columns + 1, .types = types, .values = values};
	int start = 1;

	types[0] = INT8OID;
	values[0] = Int64GetDatum(batch->number);
	for (int i = 0; i < batch->columns; i++)
	{
		int16 length;
		bool by_value;
		char alignment;

		get_typlenbyvalalign(batch->type[i], &length, &by_value, &alignment);
		types[i + 1] = get_array_type(batch->type[i]);
		values[i + 1] = PointerGetDatum(construct_md_array(batch->value[i], batch->null[i], 1,
														   &batch->rows, &start, batch->type[i],
														   length, by_value, alignment));
	}
	own_table_do_bound(batch->sql, &parameters);
	MemoryContextSwitchTo(previous);
	MemoryContextReset(batch->context);
	batch->rows = 0;
}

void
cohort_batch_add(CohortBatch *batch, const Datum *values, const bool *nulls)
{
	MemoryContext previous = MemoryContextSwitchTo(batch->context);

	for (int i = 0; i < batch->columns; i++)
	{
		int16 length;
		bool by_value;

		get_typlenbyval(batch->type[i], &length, &by_value);
		batch->null[i][batch->rows] = nulls[i];
		batch->value[i][batch->rows] = nulls[i] ? 0 : datumCopy(values[i], by_value, length);
	}
	MemoryContextSwitchTo(previous);
	if (++batch->rows == ROWS)
		write_rows(batch);
}

void
cohort_batch_end(CohortBatch *batch)
{
	if (batch->rows > 0)
		write_rows(batch);
	MemoryContextDelete(batch->context);
}
