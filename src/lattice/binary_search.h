/*
 * binary_search.h
 *		Binary search over heights (Samarati 2001): one node of the lowest height at which any
 *		satisfies, the first in the order of levels.
 */
#ifndef KANON_BINARY_SEARCH_H
#define KANON_BINARY_SEARCH_H

#include "postgres.h"

#include "lattice/search.h"

extern const SearchAlgorithm binary_search;

#endif /* KANON_BINARY_SEARCH_H */
