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
 *	- between date and timestamp, between time and interval;
 *	- from text to arrays, ranges and composites of what is read in one way;
 *	- from text to dates and times, if it is in ISO form, and to intervals without a minus.
 * Not so from dates, times, floating point or bytea to text (DateStyle, extra_float_digits,
 * bytea_output), to or from money (lc_monetary) or timestamps with time zone (TimeZone, but
 * for texts with an offset), or with anything else.
 */
#ifndef KANON_CAST_SETTINGS_H
#define KANON_CAST_SETTINGS_H

#include "postgres.h"

/* Is a cast of PostgreSQL's own between the base types of the two the same everywhere? */
extern bool cast_settings_none(Oid source, Oid target);

/*
 * A regular expression, for the operator ~, of the texts that a cast between the base types reads
 * in one way; NULL where there are none, or cast_settings_none is true.
 */
extern const char *cast_settings_pattern(Oid source, Oid target);

/* Is a value of this type, written under kanon's settings, read alike under all?  Only if it is
 * made of no parts, which may have domains among them. */
extern bool cast_settings_none_to_read(Oid type);

#endif /* KANON_CAST_SETTINGS_H */
