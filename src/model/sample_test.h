/*
 * sample_test.h
 *		May a split be made if only a sample of the rows is known?  (LeFevre, DeWitt 2007, section
 *		3.1)
 *
 * It may if the sample shows clearly enough that each part satisfies.  If a part did not, the
 * sample would look like this with a probability of at most alpha, which the parts share
 * (Bonferroni).  These are rules of thumb: callers check all rows afterwards.  The tests allow for
 * a sample that is drawn without replacement and is a large part of the rows.
 */
#ifndef KANON_SAMPLE_TEST_H
#define KANON_SAMPLE_TEST_H

#include "postgres.h"

typedef struct SampleTest
{
	int64 sample;     /* rows in it: n */
	int64 population; /* rows it was drawn from: N */
	double alpha;     /* 0: the sample is taken at face value */
	/* For the current split, set by sample_test_split. */
	double share;    /* alpha / m */
	double quantile; /* its normal quantile; 0 if alpha is 0 */
} SampleTest;

/* The share of the rows that a split may leave undecided. */
#define SAMPLE_ALPHA 0.05

/*
 * The rows of the sample that a part needs if it needs this many of all rows (section 3.1.1); at
 * least one.
 */
extern int64 sample_test_least(const SampleTest *test, int64 rows, int children);

/* From now on a split into m parts is tested. */
extern void sample_test_split(SampleTest *test, int children);

/*
 * The finite population correction (N - n) / N of a part whose size is known from the sample alone.
 */
extern double sample_test_correction(const SampleTest *test);

/*
 * ---- Quantiles of the normal and the chi-square distribution.
 */

/*
 * The point of the standard normal distribution with probability "right" above it, in (0, 1).
 * Relative error: about 1e-15.
 */
extern double quantile_normal(double right);

/*
 * The same for the chi-square distribution with at least one degree of freedom: 10 digits up to
 * 1000 degrees of freedom, 5 digits beyond (Wilson, Hilferty 1931).
 */
extern double quantile_chi_square(double right, double degrees);

#endif /* KANON_SAMPLE_TEST_H */
