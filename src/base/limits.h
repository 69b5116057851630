/*
 * limits.h
 *		Bounds of the parameters that many functions share.
 */
#ifndef KANON_LIMITS_H
#define KANON_LIMITS_H

#include "postgres.h"

/* ERRCODE_INVALID_PARAMETER_VALUE if k is below 1. */
extern void limits_check_k(int k);

/* ERRCODE_INVALID_PARAMETER_VALUE if the share is not in [0, 1). */
extern void limits_check_suppression(double suppression);

/*
 * How many of so many rows that share is, never all: floor(suppression * rows) as decimals have
 * it, so 29 of 100 rows for 0.29, whose nearest double lies below it.
 */
extern int64 limits_suppressible(double suppression, int64 rows);

#endif /* KANON_LIMITS_H */
