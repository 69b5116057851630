/*
 * datafly.h
 *		Datafly (Sweeney 2002): one node, not always minimal.
 */
#ifndef KANON_DATAFLY_H
#define KANON_DATAFLY_H

#include "postgres.h"

#include "lattice/search.h"

extern const SearchAlgorithm datafly;

#endif /* KANON_DATAFLY_H */
