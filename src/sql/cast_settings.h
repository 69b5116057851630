/*
 * cast_settings.h
 *		Casts whose result depends on no setting, and values that a cast cannot convert.
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
 * Are values of this type written alike under all settings?  No for those of extensions: cube says
 * that its output is immutable, and it is not.
 */
extern bool cast_settings_none_to_write(Oid type);

/*
 * Is a value of this type that was written under kanon's settings read alike under all settings?
 * False for types with parts, which may include domains.
 */
extern bool cast_settings_none_to_read(Oid type);

/*
 * Takes a value that cannot be cast, the number of its rows, and the error message.  All are valid
 * only during the call.
 */
typedef void (*CastFailure)(void *state, const char *value, int64 rows, const char *message);

/*
 * Casts each value of a SELECT (value, rows::int8, text of the value) by "cast", an SQL expression
 * over $1 of type "source".  Reports the values that raise errors of SQLSTATE classes 22 and 23,
 * which are about data; raises other errors.  Uses one subtransaction more than there are such
 * values.  Memory: all values.  Call within a query scope.
 */
extern void cast_trial_run(const char *cast, Oid source, const char *values, CastFailure report,
						   void *state);

#endif /* KANON_CAST_SETTINGS_H */
