/*
 * comparators.h
 *		What Incognito was compared with (its sections 2.2 and 4).
 */
#ifndef KANON_COMPARATORS_H
#define KANON_COMPARATORS_H

#include "lattice/search.h"

/*
 * Bottom-up breadth-first search over the lattice of all attributes; finds all
 * nodes that satisfy.  With rollup a node's frequency set comes from that of a
 * specialization that failed, without it from the table, one scan for each node
 * checked.
 */
extern const SearchAlgorithm bottom_up_rollup;
extern const SearchAlgorithm bottom_up_scan;

/*
 * Samarati's binary search over heights (IEEE TKDE 13(6), 2001): one node of
 * the lowest height at which any satisfies, the first in the order of levels.
 */
extern const SearchAlgorithm binary_search;

/*
 * Sweeney's Datafly (Int. J. Uncertainty, Fuzziness and Knowledge-based Systems
 * 10(5), 2002): generalize the attribute with the most distinct values until
 * what lies in small classes can be suppressed.  One node, not always minimal.
 */
extern const SearchAlgorithm datafly;

#endif /* KANON_COMPARATORS_H */
