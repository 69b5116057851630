/*
 * ring.h
 *		Ring generalization (Wong, Mamoulis, Cheung 2010; Murakami, Uno 2017, section 4): rows are
 *		sorted so that neighbours are similar and cut into groups of k to 2k - 1 rows.  Within a
 *		group, each record covers itself and the next k - 1 around the ring.
 */
#ifndef KANON_RING_H
#define KANON_RING_H

#include "postgres.h"

#include "matching/matching.h"

/* A MatchingRun.  Except for ties, independent of the order of the rows.  Time: order_rows. */
extern Matching *ring_run(const MatchingTable *rows, int k);

#endif /* KANON_RING_H */
