/*
 * dimension_source.h
 *		Which relations may serve as dimensions.
 *
 * All code that reads a dimension asks here, every time, also at each refresh.  The lock taken here
 * keeps the answer valid until the end of the transaction, except for indexes and statistics, which
 * others may create meanwhile.
 */
#ifndef KANON_DIMENSION_SOURCE_H
#define KANON_DIMENSION_SOURCE_H

#include "postgres.h"

#include "relation/description.h"

/*
 * Raises ERRCODE_INSUFFICIENT_PRIVILEGE for a view, a foreign table or a table with code of its own
 * that the current user does not own, and ERRCODE_INVALID_TABLE_DEFINITION for row security.  If
 * the relation does not exist, opening it will report that.
 */
extern void dimension_source_check(Oid relation);

/*
 * The columns of a dimension for an attribute, with at least "levels" levels: one when it is
 * declared, none when it is read, because its owner may have dropped them.  Errors, besides those
 * of dimension_source_check, description_load_columns and description_check_levels: too few levels
 * (ERRCODE_INVALID_TABLE_DEFINITION); no cast of PostgreSQL's own from the ground value to the
 * attribute's base type (ERRCODE_CANNOT_COERCE).
 */
extern Description *dimension_source_load(Oid dimension, const DescribedAttribute *attribute,
										  int levels);

#endif /* KANON_DIMENSION_SOURCE_H */
