/*
 * cohort_batch.h
 *		Writes rows to a table of cohorts in batches.
 */
#ifndef KANON_COHORT_BATCH_H
#define KANON_COHORT_BATCH_H

#include "postgres.h"

#include "cohort/cohort_state.h"

typedef struct CohortBatch
{
	const char *sql; /* for own_table_do; $1: the number of the state; $2, ..: arrays of columns */
	int64 number;
	int columns;
	const Oid *type; /* [column] */
	Datum **value;   /* [column][row] */
	bool **null;
	int32 rows;
	MemoryContext context; /* of the values */
} CohortBatch;

/* In the current context; keeps pointers to sql and types. */
extern CohortBatch *cohort_batch_create(int64 number, const char *sql, int columns,
										const Oid *type);

/* Adds a row and copies its values; writes the batch if it is full. */
extern void cohort_batch_add(CohortBatch *batch, const Datum *values, const bool *nulls);

/* Writes the remaining rows. */
extern void cohort_batch_end(CohortBatch *batch);

#endif /* KANON_COHORT_BATCH_H */
