/*
 * sample_test.h
 *		May a split be made, of which only a sample of the rows tells? (LeFevre, DeWitt 2007,
 *		section 3.1)
 *
 * Yes, if what is demanded of each of its parts would show so clearly in the sample with a
 * probability of alpha at most if one of them did not satisfy: alpha is shared by the parts
 * (Bonferroni). These are rules of thumb: whoever splits by them looks at all rows afterwards.
 * The sample is drawn without replacement from few enough rows to take account of it.
 */
#ifndef KANON_SAMPLE_TEST_H
#define KANON_SAMPLE_TEST_H

#include "postgres.h"

typedef struct SampleTest
{
	int64 sample;     /* rows in it: n */
	int64 population; /* rows that it was drawn from: N */
	double alpha;     /* 0: what the sample shows is taken for granted */
	int children;     /* parts of the split at hand: m */
} SampleTest;

/* How many of the rows a split may leave undecided. */
#define SAMPLE_ALPHA 0.05

/* How many rows of the sample a part needs for so many of all rows (3.1.1): at least one. */
extern int64 sample_test_least(const SampleTest *test, int64 rows, int children);

/* Of the split at hand: the normal quantile of alpha / m; 0 where the sample is taken for granted.
 */
extern double sample_test_quantile(const SampleTest *test);

/* .. the share alpha / m */
extern double sample_test_share(const SampleTest *test);

/* The finite population correction of a part, of whose size only the sample tells: (N - n) / N. */
extern double sample_test_correction(const SampleTest *test);

#endif /* KANON_SAMPLE_TEST_H */
