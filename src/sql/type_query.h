/*
 * type_query.h
 *		SQL types as the lower rooms see them.
 */
#ifndef KANON_TYPE_QUERY_H
#define KANON_TYPE_QUERY_H

#include "postgres.h"

#include "data/value_type.h"

/*
 * Equality, hash and order of a type from its default operator classes, under
 * a collation; domains count as their base type.  The result is good as long
 * as the type cache, that is for the session.  The type must have a default
 * btree operator class (description_load sees to it); raises
 * ERRCODE_UNDEFINED_FUNCTION if it has not.
 */
extern ValueType type_query_value_type(Oid type, Oid collation);

/*
 * PostgreSQL's own range type over the values of a base type, or InvalidOid.  int2 has that of
 * int4.  Ranges that people define are not looked for: which one would it be?
 */
extern Oid type_query_range(Oid base_type);

#endif /* KANON_TYPE_QUERY_H */
