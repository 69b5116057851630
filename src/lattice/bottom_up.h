/*
 * bottom_up.h
 *		Bottom-up breadth-first search (LeFevre, DeWitt, Ramakrishnan 2005a, sections 2.2 and 4):
 *		all nodes that satisfy.
 *
 * With rollup, a node's frequency set comes from that of a specialization that failed.  Without it,
 * each node checked needs a scan of the table.
 */
#ifndef KANON_BOTTOM_UP_H
#define KANON_BOTTOM_UP_H

#include "postgres.h"

#include "lattice/search.h"

extern const SearchAlgorithm bottom_up_rollup;
extern const SearchAlgorithm bottom_up_scan;

#endif /* KANON_BOTTOM_UP_H */
