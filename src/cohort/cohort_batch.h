/*
 * cohort_batch.h
 *		Rows for a table of cohorts, which are written many at a time.
 */
#ifndef KANON_COHORT_BATCH_H
#define KANON_COHORT_BATCH_H

#include "postgres.h"

#include "cohort/cohort_state.h"

typedef struct CohortBatch
{
	Oid table;
	const char *sql; /* %s: the table; $1: the number of the state; $2, ..: arrays of columns */
	int64 number;
	int columns;
	const Oid *type; /* [column] */
	Datum **value;   /* [column][row] */
	bool **null;
	int32 rows;
	MemoryContext context; /* of the values */
} CohortBatch;

/* In the current context; sql and types are kept. */
extern CohortBatch *cohort_batch_create(Oid table, int64 number, const char *sql, int columns,
										const Oid *type);

/* One more row: the values are copied.  Writes all there are if they are many. */
extern void cohort_batch_add(CohortBatch *batch, const Datum *values, const bool *nulls);

/* Writes what is left. */
extern void cohort_batch_end(CohortBatch *batch);

#endif /* KANON_COHORT_BATCH_H */
