/*
 * two_way.h
 *		kanon's own search, which prunes upwards and downwards: all nodes that satisfy (see
 *		two_way.c).
 */
#ifndef KANON_TWO_WAY_H
#define KANON_TWO_WAY_H

#include "postgres.h"

#include "lattice/search.h"

extern const SearchAlgorithm two_way;

#endif /* KANON_TWO_WAY_H */
