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

/*
 * Values as numbers.  Types are base types.  Whole-number types are integers and counts of a unit,
 * such as days: whether a type is one; the number of a value, false if it is infinite; the value of
 * a number.
 */
extern bool number_query_is_whole(Oid type);
extern bool number_query_whole(Oid type, Datum value, int64 *number);
extern Datum number_query_value(Oid type, int64 number);

/*
 * Types with a scale: whether a type has one; the place of a value, not finite if the value is
 * infinite or beyond float8.
 */
extern bool number_query_is_scaled(Oid type);
extern double number_query_scaled(Oid type, Datum value);

/* Is this a numeric type, with sums and means? */
extern bool number_query_is_numeric(Oid type);

#endif /* KANON_TYPE_QUERY_H */
