/*
 * cast_settings.h
 *		Which casts give the same whatever the settings.
 *
 * A full-domain release runs without kanon, under the settings of whoever refreshes it.
 */
#ifndef KANON_CAST_SETTINGS_H
#define KANON_CAST_SETTINGS_H

#include "postgres.h"

/* Is a cast of PostgreSQL's own between the base types of the two the same everywhere? */
extern bool cast_settings_none(Oid source, Oid target);

/*
 * A regular expression (operator ~) of the texts that a cast between the base types reads in one
 * way; NULL where there are none, or cast_settings_none is true.
 */
extern const char *cast_settings_pattern(Oid source, Oid target);

/*
 * Is a value of this type, written under kanon's settings, read alike under all?  Not where it
 * has parts, among which may be domains.
 */
extern bool cast_settings_none_to_read(Oid type);

#endif /* KANON_CAST_SETTINGS_H */
