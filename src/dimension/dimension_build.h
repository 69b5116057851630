/*
 * dimension_build.h
 *		Makes a dimension table from the values of a column, and declares it; later adds the values
 *		that it lacks, with labels by its rule.
 *
 * The table is an ordinary one that the current user owns.  Only its owner may read it until access
 * is granted (rights_made), because it holds the column's original values.
 */
#ifndef KANON_DIMENSION_BUILD_H
#define KANON_DIMENSION_BUILD_H

#include "postgres.h"

#include "dimension/dimension_method.h"
#include "utils/array.h"

typedef struct DimensionRequest
{
	Oid schema;       /* of the new table */
	const char *name; /* its name there */
	Oid relation;
	const char *attribute;
	DimensionPlan plan; /* its request, without the column */
} DimensionRequest;

/*
 * Resolves the caller's names in the caller's search_path, so call it before query_begin. arguments
 * is a text[].  Errors: malformed names, no schema to create in, an unknown method, a null
 * argument, a missing taxonomy.
 */
extern DimensionRequest dimension_request(text *name, Oid relation, const char *attribute,
										  const char *method, ArrayType *arguments);

/*
 * Creates, fills and declares the table; returns its OID.  The attribute becomes a quasi-identifier
 * with this dimension and keeps its weight.  Call within a query scope.  Cost: one pass over the
 * relation, and one or two more if the method looks ahead.
 *
 * Errors: those of declaration_set and of the method; a column without values
 * (ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE); PostgreSQL's own errors about privileges.
 */
extern Oid dimension_build(const DimensionRequest *request);

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

#endif /* KANON_DIMENSION_BUILD_H */
