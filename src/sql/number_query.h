/*
 * number_query.h
 *		Values of SQL types as numbers.
 */
#ifndef KANON_NUMBER_QUERY_H
#define KANON_NUMBER_QUERY_H

#include "postgres.h"

/*
 * Types are base types.  Are values whole numbers, of something?  The number of one, false if it
 * is infinite; the value of a number.
 */
extern bool number_query_is_whole(Oid type);
extern bool number_query_whole(Oid type, Datum value, int64 *number);
extern Datum number_query_value(Oid type, int64 number);

/*
 * Do values have a place on a scale?  The place of one; not finite where the value is not, or
 * lies beyond float8.
 */
extern bool number_query_is_scaled(Oid type);
extern double number_query_scaled(Oid type, Datum value);

/* Is this a type of numbers, to add up and to take the mean of? */
extern bool number_query_is_numeric(Oid type);

#endif /* KANON_NUMBER_QUERY_H */
