/*
 * ring.h
 *		Ring generalization (Wong, Mamoulis, Cheung, SIGMOD 2010, section 4):
 *		rows are sorted so that neighbours are alike and cut into groups of k to
 *		2k - 1; within a group each record covers itself and the next k - 1
 *		around the ring.
 */
#ifndef KANON_RING_H
#define KANON_RING_H

#include "postgres.h"

#include "matching/matching.h"

/*
 * The matching, palloc'd in the current context against the rows' budget; at least k
 * rows.  Sorting dominates: O(rows * attributes * log rows).
 */
extern Matching *ring_run(const CellRows *rows, int k);

#endif /* KANON_RING_H */
