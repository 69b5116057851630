/*
 * dimension_source.h
 *		Which relations count as dimensions.
 *
 * All who read a dimension ask here, each time, also at each refresh.  The lock taken here
 * keeps the answer true until the end of the transaction, but for indexes and statistics, which
 * may be made while others read.
 */
#ifndef KANON_DIMENSION_SOURCE_H
#define KANON_DIMENSION_SOURCE_H

#include "postgres.h"

#include "relation/description.h"

/*
 * Errors unless the relation counts: a view, a foreign table or one with code of its own that is
 * not the current user's (ERRCODE_INSUFFICIENT_PRIVILEGE), row security
 * (ERRCODE_INVALID_TABLE_DEFINITION). One that does not exist is for whoever opens it to report.
 */
extern void dimension_source_check(Oid relation);

/*
 * The columns of a dimension that can serve an attribute, with so many levels at least: one when
 * it is declared, none when it is read, since its owner may have dropped them.  Errors, besides
 * those of dimension_source_check, description_load_columns and description_check_levels: too few
 * levels (ERRCODE_INVALID_TABLE_DEFINITION), a ground value without cast of PostgreSQL's own to
 * the attribute's base type (ERRCODE_CANNOT_COERCE).
 */
extern Description *dimension_source_load(Oid dimension, const DescribedAttribute *attribute,
										  int levels);

#endif /* KANON_DIMENSION_SOURCE_H */
