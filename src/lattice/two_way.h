/*
 * two_way.h
 *		kanon's own search: prunes upwards and downwards.
 *
 * Incognito prunes what generalizes a node that satisfies and goes up level by
 * level through everything that fails.  What fails rules out all its
 * specializations as well, so a chain of the lattice needs only a binary search
 * (the idea of the search over heights, Samarati 2001, applied to chains until
 * nothing is left undecided).  Same answer as Incognito.
 */
#ifndef KANON_TWO_WAY_H
#define KANON_TWO_WAY_H

#include "postgres.h"

#include "lattice/search.h"

extern const SearchAlgorithm two_way;

#endif /* KANON_TWO_WAY_H */
