/*
 * dimension_build.h
 *		Makes a dimension table from the values of a column, and declares it; finds what is wrong
 *		with it; later adds the values that it lacks, with labels by its rule.
 *
 * The table is an ordinary one that the current user owns.  Only its owner may read it until access
 * is granted (rights_made), because it holds the column's original values.
 */
#ifndef KANON_DIMENSION_BUILD_H
#define KANON_DIMENSION_BUILD_H

#include "postgres.h"

#include "dimension/dimension_method.h"
#include "utils/array.h"
#include "utils/tuplestore.h"

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

/*
 * Finds what is wrong with any table, also one loaded as text from a file, as the hierarchy of a
 * column.  Adds a row (text, int4, text, int8, text) for each problem to a tuplestore: problem,
 * level (0 is the ground value), the value or label concerned, how many rows, detail; in this order
 * of problems, then by level, rows (most first) and value:
 *
 *		invalid ground value	cannot be cast to the column's type
 *		null ground value
 *		duplicate ground value	with different labels; also after the cast: '05' and '5'
 *		null label
 *		not many-to-one			a label with two labels one level up
 *		missing value			in the column, not in the dimension; rows are
 *								the column's, in problems above the
 *								dimension's
 *		odd value				in the column: looks like a mistake (relation/odd_values.h)
 *
 * Call within a query scope.  Reads as the current user and writes nothing.  Memory: the distinct
 * ground values if they need a cast, otherwise the executor's.
 *
 * Errors: arguments that are not relations; a column that does not exist or cannot be a
 * quasi-identifier; those of dimension_source_load; more invalid values than fit in the memory
 * limit.
 */
extern void dimension_check(Oid dimension, Oid relation, const char *attribute,
							Tuplestorestate *problems, TupleDesc row);

#endif /* KANON_DIMENSION_BUILD_H */
