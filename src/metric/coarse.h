/*
 * coarse.h
 *		Rounded figures of a table, for readers who may not see it.
 *
 * The difference of two exact numbers may reveal one person.  So row counts are rounded to steps of
 * at least 2k and at least 10 rows, and shares to steps of at least 1 % and at least as many rows.
 * A change of k people then shows at most where a number was close to the next rounding step.
 */
#ifndef KANON_COARSE_H
#define KANON_COARSE_H

#include "postgres.h"

typedef struct Coarse
{
	double step;  /* of row counts: 1, 2 or 5 times a power of ten */
	double share; /* of shares, 0.01 to 0.5 */
} Coarse;

/*
 * The steps for a table with this many rows; about 1 % of the rows or less, if 2k and 10 allow it.
 */
extern Coarse coarse_of(int64 rows, int k);

/* The rounded number, or share in [0, 1].  NaN stays NaN. */
extern double coarse_rows(const Coarse *coarse, double rows);
extern double coarse_share(const Coarse *coarse, double share);

/*
 * An upper bound of a share: 1, 2 or 5 times a power of ten per cent.  For shares that one row may
 * change by more than a step.
 */
extern double coarse_bound(const Coarse *coarse, double share);

/* The greatest k * 2^i that a size reaches; 0 if it is below k. */
extern double coarse_size(int64 size, int k);

#endif /* KANON_COARSE_H */
