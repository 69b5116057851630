/*
 * incognito.h
 *		Breadth-first searches for all nodes that satisfy (LeFevre, DeWitt, Ramakrishnan 2005a).
 *
 * Incognito's three algorithms (sections 3.1, 3.3.1 and 3.3.2) differ in the source of the roots'
 * frequency sets: basic reads the table once for each root, superroots once for each attribute set,
 * cube once in all.
 *
 * Bottom-up search (sections 2.2 and 4) looks at the set of all attributes alone.  With rollup, a
 * node's frequency set comes from that of a specialization that failed.  Without it, each node
 * checked needs a scan of the table.
 */
#ifndef KANON_INCOGNITO_H
#define KANON_INCOGNITO_H

#include "postgres.h"

#include "lattice/search.h"

extern const SearchAlgorithm incognito_basic;
extern const SearchAlgorithm incognito_superroots;
extern const SearchAlgorithm incognito_cube;
extern const SearchAlgorithm bottom_up_rollup;
extern const SearchAlgorithm bottom_up_scan;

#endif /* KANON_INCOGNITO_H */
