/*
 * limits.h
 *		Bounds of parameters that many functions share.
 */
#ifndef KANON_LIMITS_H
#define KANON_LIMITS_H

#include "postgres.h"

/* Raises ERRCODE_INVALID_PARAMETER_VALUE if k is below 1. */
extern void limits_check_k(int k);

/* Raises ERRCODE_INVALID_PARAMETER_VALUE if the share is not in [0, 1). */
extern void limits_check_suppression(double suppression);

/*
 * The number of rows that may be suppressed, always below "rows": floor(suppression * rows),
 * computed as if in decimals.  So 0.29 of 100 rows is 29, although the double nearest to 0.29 is
 * smaller.
 */
extern int64 limits_suppressible(double suppression, int64 rows);

#endif /* KANON_LIMITS_H */
