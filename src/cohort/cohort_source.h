/*
 * cohort_source.h
 *		The people of a table as they are tonight, and those whom its state remembers.
 *
 * The table is read once, by one query in the latest snapshot: whoever is there tonight, where,
 * and the values that may be published of them.
 */
#ifndef KANON_COHORT_SOURCE_H
#define KANON_COHORT_SOURCE_H

#include "postgres.h"

#include "cohort/cohort_state.h"
#include "record/record_codes.h"
#include "utils/tuplestore.h"

typedef struct CohortSource
{
	Budget *budget;
	const RecordShape *shape;
	RecordCodes *codes; /* of rows, then of two for each cell: where it begins and ends */
	CohortPerson *person;
	int32 people;
	CohortCell *cell;
	int32 cells;
	int plain_count;
	const DescribedAttribute **plain; /* columns that are published as they are */
	Tuplestorestate *values;          /* (row, plain columns), of who may be read; */
	TupleTableSlot *slot;             /* .. to read it with */
	struct digests_hash *digests;
} CohortSource;

/*
 * Reads both; codes are final.  A row whose key is NULL is nobody's, and of a key that stands there
 * twice neither is anybody's.  In the current context, against a budget over it. Errors: those of
 * record_shape_of_relation and the query's own; a column that is gone (ERRCODE_UNDEFINED_COLUMN);
 * the memory limit.
 */
extern CohortSource *cohort_source_read(const CohortState *state, Budget *budget);

/* The person of a digest that the state has, by place. */
extern int32 cohort_source_find(const CohortSource *source, Datum digest);

/* Takes one of the people, by place, whose values are in the slot, behind the row's number. */
typedef void (*CohortReading)(void *state, int32 person);

/* All whose values are read tonight, in the order of their rows; takes memory of the budget. */
extern void cohort_source_each_reading(CohortSource *source, CohortReading take, void *state);

/* Ends reading. */
extern void cohort_source_close(CohortSource *source);

/*
 * ERRCODE_FEATURE_NOT_SUPPORTED unless the key's equal values have equal texts, and the column's
 * values can be made of their texts again.
 */
extern void cohort_source_check_key(const Description *description, const char *key);
extern void cohort_source_check_column(const Description *description,
									   const DescribedAttribute *attribute);

#endif /* KANON_COHORT_SOURCE_H */
