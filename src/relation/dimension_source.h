/*
 * dimension_source.h
 *		Which relations count as dimensions.
 *
 * Who searches a table reads the dimensions that its owner declared, which may be
 * anybody's.  That must be as harmless as a look at the table, so a dimension is stored
 * data: a table or a materialized view.  What is computed when it is read, a view, or
 * fetched from elsewhere, a foreign table, counts only if the current user is its owner:
 * not a member of that role, nor a superuser.  So does a table whose indexes, statistics or
 * partition key call functions that are not PostgreSQL's own (stored_code.h).  Row security
 * would run its policies, so there must be none.  The same goes for the parts of a partitioned
 * table and for child tables.
 * Columns that are computed when they are read (PostgreSQL 18) call PostgreSQL's own
 * functions only.
 *
 * All who read a dimension ask here, each time: also at each refresh, where the current
 * user is the release's owner.  The lock taken here keeps the answer true until the end of the
 * transaction, but for indexes and statistics, which may be made while others read.
 */
#ifndef KANON_DIMENSION_SOURCE_H
#define KANON_DIMENSION_SOURCE_H

#include "postgres.h"

#include "relation/description.h"

/*
 * Errors unless the relation is such a one: a view, a foreign table or such an index that is
 * not the current user's (ERRCODE_INSUFFICIENT_PRIVILEGE), row security
 * (ERRCODE_INVALID_TABLE_DEFINITION).  A relation that does not exist is for whoever opens it to
 * report.
 */
extern void dimension_source_check(Oid relation);

/*
 * The columns of a dimension that can serve an attribute, with so many levels at least: one when
 * it is declared, none when it is read, since its owner may have dropped them.  Errors, besides
 * those of dimension_source_check, description_load_columns and description_check_levels: too few
 * levels (ERRCODE_INVALID_TABLE_DEFINITION), a ground value that PostgreSQL itself has no cast for
 * to the base type of the attribute's (ERRCODE_CANNOT_COERCE, see value_text.h).
 */
extern Description *dimension_source_load(Oid dimension, const DescribedAttribute *attribute,
										  int levels);

#endif /* KANON_DIMENSION_SOURCE_H */
