/*
 * dimension_build.h
 *		Makes a dimension table out of the values of a column, and declares it.
 *
 * The table is an ordinary one of the caller's.  Nobody but its owner may read it until that is
 * granted (default_privileges.h): it holds the column's values as they are.
 */
#ifndef KANON_DIMENSION_BUILD_H
#define KANON_DIMENSION_BUILD_H

#include "postgres.h"

#include "dimension/dimension_method.h"
#include "utils/array.h"

typedef struct DimensionRequest
{
	Oid schema;       /* of the table to be made */
	const char *name; /* its name there */
	Oid relation;
	const char *attribute;
	const DimensionMethod *method;
	int argument_count;
	char **arguments;
	Oid taxonomy; /* InvalidOid for other methods */
} DimensionRequest;

/*
 * Resolves what the caller wrote with the caller's search_path: before query_begin.  arguments is
 * a text[]. Errors: malformed names, no schema to create in, an unrecognized method, a null
 * argument, a taxonomy that is not there.
 */
extern DimensionRequest dimension_request(text *name, Oid relation, const char *attribute,
										  const char *method, ArrayType *arguments);

/*
 * Creates, fills and declares the table; returns its OID. The attribute becomes a
 * quasi-identifier with this dimension and keeps its weight.  Within a query scope.  One pass
 * over the relation, and one or two more where the method looks ahead.
 *
 * Errors: those of declaration_set and of the method; a column without values
 * (ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE); PostgreSQL's own about privileges.
 */
extern Oid dimension_build(const DimensionRequest *request);

#endif /* KANON_DIMENSION_BUILD_H */
