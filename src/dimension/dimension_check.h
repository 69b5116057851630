/*
 * dimension_check.h
 *		Finds what is wrong with a dimension as the hierarchy of a column.
 *
 * Any table can serve as a dimension, also one loaded as text from a file.
 * Each problem is one row: problem, level (0 is the ground value), the value
 * or label concerned, how many rows, detail.
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
 */
#ifndef KANON_DIMENSION_CHECK_H
#define KANON_DIMENSION_CHECK_H

#include "postgres.h"

#include "access/tupdesc.h"
#include "utils/tuplestore.h"

/*
 * Adds a row (text, int4, text, int8, text) for each problem to a tuplestore, sorted by problem in
 * the order above, then by level, rows (most first) and value.  Call within a query scope.  Reads
 * as the current user and writes nothing.  Memory: the distinct ground values if they need a cast,
 * otherwise the executor's.
 *
 * Errors: arguments that are not relations; a column that does not exist or cannot be a
 * quasi-identifier; those of dimension_source_load; more invalid values than fit in the memory
 * limit.
 */
extern void dimension_check(Oid dimension, Oid relation, const char *attribute,
							Tuplestorestate *problems, TupleDesc row);

#endif /* KANON_DIMENSION_CHECK_H */
