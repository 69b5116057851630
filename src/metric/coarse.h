/*
 * coarse.h
 *		Figures of a table that are told to those who may not see it.
 *
 * Of two exact numbers the difference may be one person.  So numbers of rows are rounded to steps
 * of at least 2k rows and 10, and shares to steps of at least 1 % and of that many rows: k people
 * more or less are seen at most where a number was about to be rounded the other way.
 */
#ifndef KANON_COARSE_H
#define KANON_COARSE_H

#include "postgres.h"

typedef struct Coarse
{
	double step;  /* of rows: 1, 2 or 5 times a power of ten */
	double share; /* of shares, 0.01 to 0.5 */
} Coarse;

/* For figures of a table of so many rows, about 1 % of which a step may be. */
extern Coarse coarse_of(int64 rows, int k);

/* NaN stays what it is, and so does nothing else on purpose. */
extern double coarse_rows(const Coarse *coarse, double rows);
extern double coarse_share(const Coarse *coarse, double share);

/*
 * What a share is at most: 1, 2 or 5 times a power of ten per cent.  For those that one row may
 * change by more than a step.
 */
extern double coarse_bound(const Coarse *coarse, double share);

/* A size that is at least k: the greatest k * 2^i that it reaches; 0 below k. */
extern double coarse_size(int64 size, int k);

#endif /* KANON_COARSE_H */
