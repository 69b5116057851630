/*
 * dimension_refresh.h
 *		Adds the values that a dimension lacks, with labels by its rule.
 */
#ifndef KANON_DIMENSION_REFRESH_H
#define KANON_DIMENSION_REFRESH_H

#include "postgres.h"

/*
 * Adds a row for each missing value of the columns that are declared with the dimension, of
 * relations whose owners' rights the current user has.  Reads each as its owner, and writes as the
 * dimension's owner.  Returns the number of rows added.  Call within a query scope, as the caller.
 *
 * Errors: the current user does not own the dimension (ERRCODE_INSUFFICIENT_PRIVILEGE); no such
 * column (ERRCODE_UNDEFINED_OBJECT); no rule applies to one
 * (ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE); new rows would give a label two parents
 * (ERRCODE_CARDINALITY_VIOLATION); those of dimension_query_load; PostgreSQL's own about the table.
 */
extern int64 dimension_refresh(Oid dimension);

#endif /* KANON_DIMENSION_REFRESH_H */
