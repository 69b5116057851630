/*
 * cast_settings.h
 *		Which casts give the same whatever the settings.
 *
 * A full-domain release runs without kanon, under the settings of whoever refreshes it.  So the
 * ground values of a dimension are compared as they are, or by a cast that follows none:
 *	- among types that are written and read in one way: numbers, texts, boolean, uuid, bit
 *	  strings, network addresses, json, enums, and types of extensions whose input and
 *	  output functions are immutable;
 *	- from these to floating point numbers and bytea, which are read in one way and written
 *	  in several; and among floating point and other numbers;
 *	- between date and timestamp, between time and interval.
 * Not so between text and dates or times (DateStyle, IntervalStyle), from floating point or
 * bytea to text (extra_float_digits, bytea_output), and to or from timestamps with time
 * zone (TimeZone), money (lc_monetary) or anything else.
 */
#ifndef KANON_CAST_SETTINGS_H
#define KANON_CAST_SETTINGS_H

#include "postgres.h"

/* Is a cast of PostgreSQL's own between the base types of the two the same everywhere? */
extern bool cast_settings_none(Oid source, Oid target);

/* Is a value of this type, written under kanon's settings, read alike under all? */
extern bool cast_settings_none_to_read(Oid type);

#endif /* KANON_CAST_SETTINGS_H */
