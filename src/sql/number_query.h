/*
 * number_query.h
 *		Values of SQL types as numbers.
 */
#ifndef KANON_NUMBER_QUERY_H
#define KANON_NUMBER_QUERY_H

#include "postgres.h"

/*
 * Types are base types.  Whole-number types are integers and counts of a unit, such as days:
 * whether a type is one; the number of a value, false if it is infinite; the value of a number.
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

#endif /* KANON_NUMBER_QUERY_H */
