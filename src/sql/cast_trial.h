/*
 * cast_trial.h
 *		Values that a cast cannot convert.
 */
#ifndef KANON_CAST_TRIAL_H
#define KANON_CAST_TRIAL_H

#include "postgres.h"

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

#endif /* KANON_CAST_TRIAL_H */
