/*
 * cast_trial.h
 *		Which values have no cast.
 */
#ifndef KANON_CAST_TRIAL_H
#define KANON_CAST_TRIAL_H

#include "postgres.h"

/* A value that has none, as text, in so many rows, and why.  All live during the call only. */
typedef void (*CastFailure)(void *state, const char *value, int64 rows, const char *message);

/*
 * Casts each value of a SELECT (value, rows::int8, text of the value) by "cast", an SQL expression
 * of $1, which has the type "source", and reports those where the data are to blame (SQLSTATE
 * classes 22 and 23); other errors are raised.  In as many subtransactions as there are such
 * values, and one more; memory: all values.  Within a query scope.
 */
extern void cast_trial_run(const char *cast, Oid source, const char *values, CastFailure report,
						   void *state);

#endif /* KANON_CAST_TRIAL_H */
