/*
 * type_query.h
 *		SQL types as the lower rooms see them.
 */
#ifndef KANON_TYPE_QUERY_H
#define KANON_TYPE_QUERY_H

#include "postgres.h"

#include "data/value_type.h"

/*
 * Equality, hash and order of a type from its default operator classes, under a collation;
 * domains count as their base types.  Good for the session.  ERRCODE_UNDEFINED_FUNCTION without
 * default btree operator class.
 */
extern ValueType type_query_value_type(Oid type, Oid collation);

/*
 * PostgreSQL's own range type over the values of a base type, int2 as int4, or InvalidOid.
 * People's own ranges are not looked for: which one would it be?
 */
extern Oid type_query_range(Oid base_type);

/* Is the test true of a type, or of one that its values are made of? */
typedef bool (*TypeTest)(Oid type);
extern bool type_query_has(Oid type, TypeTest test);

#endif /* KANON_TYPE_QUERY_H */
