/*
 * incognito.h
 *		Incognito's three algorithms (LeFevre, DeWitt, Ramakrishnan 2005a, sections 3.1, 3.3.1 and
 *		3.3.2): all nodes that satisfy.
 *
 * They differ in the source of the roots' frequency sets: basic reads the table once for each root,
 * superroots once for each attribute set, cube once in all.
 */
#ifndef KANON_INCOGNITO_H
#define KANON_INCOGNITO_H

#include "postgres.h"

#include "lattice/search.h"

extern const SearchAlgorithm incognito_basic;
extern const SearchAlgorithm incognito_superroots;
extern const SearchAlgorithm incognito_cube;

#endif /* KANON_INCOGNITO_H */
