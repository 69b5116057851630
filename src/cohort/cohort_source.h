/*
 * cohort_source.h
 *		The people of a table tonight, and those in its state.
 *
 * One query in the latest snapshot reads the table: who is present, with which quasi-identifiers,
 * and the values that may be published.
 */
#ifndef KANON_COHORT_SOURCE_H
#define KANON_COHORT_SOURCE_H

#include "postgres.h"

#include "cohort/cohort_state.h"
#include "record/record_codes.h"
#include "sql/tuple_spool.h"

typedef struct CohortSource
{
	const CohortState *state;
	Description *description;
	RecordCodes *codes; /* of rows, then of two for each cell: the lower and upper bounds of its
						 * label */
	CohortNight night;  /* with all but its columns, and not passed yet */
	int plain_count;
	const DescribedAttribute **plain; /* columns that are published as they are */
	TupleSpool *values;               /* (person, plain columns), for people whose values may be
									   * read; the reader's to free */
} CohortSource;

/*
 * Reads both; codes are final.  A row with a NULL key is ignored, and so are all rows of a repeated
 * key.  In the current context, against a budget over it.  Errors: those of
 * record_roles_describe_relation and the query; a column that is gone (ERRCODE_UNDEFINED_COLUMN);
 * the memory limit.
 */
extern CohortSource *cohort_source_read(const CohortState *state, Budget *budget);

/* Takes a person, by index; the slot has that, then the values. */
typedef void (*CohortReading)(void *state, int32 person, TupleTableSlot *values);

/* Passes on everybody whose values are read tonight, in row order. */
extern void cohort_source_each_reading(const CohortSource *source, CohortReading take, void *state);

/*
 * People by the table as it is now and the cells of the last night: of those that releases show,
 * who is still there; and who is there, but not shown.
 */
typedef struct CohortPresence
{
	int64 left;    /* of a shown cell, and no longer there */
	int64 hidden;  /* there, of a cell that is not shown */
	int64 waiting; /* there, of no cell yet */
} CohortPresence;

/* Reads both as cohort_source_read does, with its errors; in the current context. */
extern CohortPresence cohort_presence_count(const CohortState *state);

/*
 * Raises ERRCODE_FEATURE_NOT_SUPPORTED unless equal values of the key have equal texts, or unless
 * values of the column can be restored from their texts.
 */
extern void cohort_source_check_key(const Description *description, const char *key);
extern void cohort_source_check_column(const Description *description,
									   const DescribedAttribute *attribute);

#endif /* KANON_COHORT_SOURCE_H */
