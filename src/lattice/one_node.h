/*
 * one_node.h
 *		Searches for one node.
 *
 * Binary search over heights (Samarati 2001) finds one of the lowest height at which any satisfies,
 * the first in the order of levels.  Datafly (Sweeney 2002) finds one that is not always minimal.
 */
#ifndef KANON_ONE_NODE_H
#define KANON_ONE_NODE_H

#include "postgres.h"

#include "lattice/search.h"

extern const SearchAlgorithm binary_search;
extern const SearchAlgorithm datafly;

#endif /* KANON_ONE_NODE_H */
