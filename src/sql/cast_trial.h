/*
 * cast_trial.h
 *		Which values have no cast.
 */
#ifndef KANON_CAST_TRIAL_H
#define KANON_CAST_TRIAL_H

#include "postgres.h"

/* A value without a cast, in so many rows, and why; all live during the call only. */
typedef void (*CastFailure)(void *state, const char *value, int64 rows, const char *message);

/*
 * Casts each value of a SELECT (value, rows::int8, text of the value) by "cast", SQL over $1 of
 * type "source", and reports those where the data are to blame (SQLSTATE classes 22 and 23);
 * other errors are raised.  One subtransaction more than there are such values; memory: all
 * values.  Within a query scope.
 */
extern void cast_trial_run(const char *cast, Oid source, const char *values, CastFailure report,
						   void *state);

#endif /* KANON_CAST_TRIAL_H */
