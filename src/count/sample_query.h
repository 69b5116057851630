/*
 * sample_query.h
 *		A table as codes, for the search of sample uniques.
 */
#ifndef KANON_SAMPLE_QUERY_H
#define KANON_SAMPLE_QUERY_H

#include "postgres.h"

#include "data/dataset.h"
#include "relation/description.h"
#include "utils/array.h"

typedef struct SampleKeys SampleKeys;

/*
 * The relation with the columns to search as its quasi-identifiers: those of a name[] or, for NULL,
 * all of sortable types that are not declared as identifiers and are not the key (a column, or
 * NULL).  Within a query scope.  Errors: those of description_load; a key that is not a column
 * (ERRCODE_UNDEFINED_COLUMN); no column at all (ERRCODE_INVALID_PARAMETER_VALUE).
 */
extern Description *sample_query_describe(Oid relation, ArrayType *columns, const char *key);

/*
 * The rows of these columns, in the order of the quasi-identifiers, read once as the current user:
 * columns of codes in order of appearance.  With a key, its values go to "keys", which spills to
 * disk beyond work_mem.  Equal rows of a remote relation may travel as one and then count as two,
 * with any of their keys; "rows" is the true number.  In the current context, within a query scope.
 */
extern Dataset *sample_query_read(const Description *description, const char *key,
								  SampleKeys **keys, int64 *rows, Budget *budget);

/* The key of the next row, in the order of the dataset, as text; valid until the next call. */
extern Datum sample_query_next_key(SampleKeys *keys, bool *isnull);

extern void sample_query_end_keys(SampleKeys *keys);

#endif /* KANON_SAMPLE_QUERY_H */
