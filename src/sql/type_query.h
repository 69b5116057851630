/*
 * type_query.h
 *		Properties of SQL types for the lower rooms.
 */
#ifndef KANON_TYPE_QUERY_H
#define KANON_TYPE_QUERY_H

#include "postgres.h"

#include "data/dictionary.h"

/*
 * Equality, hash and order of a type by its default operator classes, under a collation; domains
 * count as their base types.  Valid for the session.  Raises ERRCODE_UNDEFINED_FUNCTION without a
 * default btree operator class.
 */
extern ValueType type_query_value_type(Oid type, Oid collation);

/*
 * PostgreSQL's own range type over a base type (int4range for int2), or InvalidOid.  User-defined
 * ranges are ignored, because there may be several.
 */
extern Oid type_query_range(Oid base_type);

/* Is the test true of a type or of one of its parts (elements, fields, bounds)? */
typedef bool (*TypeTest)(Oid type);
extern bool type_query_has(Oid type, TypeTest test);

#endif /* KANON_TYPE_QUERY_H */
