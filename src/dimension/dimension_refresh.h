/*
 * dimension_refresh.h
 *		Adds to a dimension what its rule says of the values that it lacks.
 */
#ifndef KANON_DIMENSION_REFRESH_H
#define KANON_DIMENSION_REFRESH_H

#include "postgres.h"

/*
 * Adds a row for each value that the dimension lacks, of the columns declared with it whose
 * relations are the current user's own: those of others, who might have declared a view, are
 * not read.  Returns how many.  Within a query scope.
 *
 * Errors: the current user does not own the dimension (ERRCODE_INSUFFICIENT_PRIVILEGE); no such
 * column (ERRCODE_UNDEFINED_OBJECT); no rule serves one (ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE);
 * new rows would put two labels above one (ERRCODE_CARDINALITY_VIOLATION); those of
 * dimension_query_load; PostgreSQL's own about the table.
 */
extern int64 dimension_refresh(Oid dimension);

#endif /* KANON_DIMENSION_REFRESH_H */
