/*
 * number_query.h
 *		Values of SQL types as numbers.
 */
#ifndef KANON_NUMBER_QUERY_H
#define KANON_NUMBER_QUERY_H

#include "postgres.h"

/* Are values of this type (a base type) whole numbers, of something? */
extern bool number_query_is_whole(Oid type);

/* The whole number of a value of such a type; false if it is infinite. */
extern bool number_query_whole(Oid type, Datum value, int64 *number);

/* The value of a whole number. */
extern Datum number_query_value(Oid type, int64 number);

/* Do values of this type (a base type) have a place on a scale? */
extern bool number_query_is_scaled(Oid type);

/* That place; not finite where the value is not, or lies beyond float8. */
extern double number_query_scaled(Oid type, Datum value);

/* Is this a type of numbers, to add up and to take the mean of? */
extern bool number_query_is_numeric(Oid type);

#endif /* KANON_NUMBER_QUERY_H */
