/*
 * cast_settings.h
 *		Casts whose result depends on no setting.
 *
 * A full-domain release runs without kanon, under the settings of whoever refreshes it.
 */
#ifndef KANON_CAST_SETTINGS_H
#define KANON_CAST_SETTINGS_H

#include "postgres.h"

/*
 * Is the result of a cast of PostgreSQL's own, between the base types of both, the same under all
 * settings?
 */
extern bool cast_settings_none(Oid source, Oid target);

/*
 * A regular expression (operator ~) for the texts that the cast between the base types reads alike
 * under all settings; NULL if there are none, or if cast_settings_none is true.
 */
extern const char *cast_settings_pattern(Oid source, Oid target);

/*
 * Is a value of this type that was written under kanon's settings read alike under all settings?
 * False for types with parts, which may include domains.
 */
extern bool cast_settings_none_to_read(Oid type);

#endif /* KANON_CAST_SETTINGS_H */
