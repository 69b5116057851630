/*
 * sample_query.h
 *		A table as codes, for the search of sample uniques.
 */
#ifndef KANON_SAMPLE_QUERY_H
#define KANON_SAMPLE_QUERY_H

#include "postgres.h"

#include "data/code_table.h"
#include "io/description.h"
#include "utils/array.h"

/*
 * The relation with the columns to look at as its quasi-identifiers: those named, a
 * name[], or with NULL all whose type has an order and that are not declared as
 * identifiers.  Within a query scope.
 *
 * Errors: those of description_load; no column at all
 * (ERRCODE_INVALID_PARAMETER_VALUE).
 */
extern Description *sample_query_describe(Oid relation, ArrayType *columns);

/*
 * The rows of these columns, in the order of the quasi-identifiers, read once as the
 * caller.  In the current context.  Within a query scope.
 */
extern CodeTable *sample_query_read(const Description *description, Budget *budget);

#endif /* KANON_SAMPLE_QUERY_H */
