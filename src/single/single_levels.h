/*
 * single_levels.h
 *		Full-domain generalizations of a table of trees, as cuts to begin a search with.
 */
#ifndef KANON_SINGLE_LEVELS_H
#define KANON_SINGLE_LEVELS_H

#include "postgres.h"

#include "single/cut_space.h"

typedef struct SingleLevels SingleLevels;

/*
 * The generalizations that have k rows in each class, in the order of their total loss
 * (lattice/choice.h), by a search over the lattice.  In the current context.
 */
extern SingleLevels *single_levels_begin(const CutSpace *space, int64 k, double suppression);

/* Sets the marks of the next one; false if there are no more. */
extern bool single_levels_next(SingleLevels *levels, uint8 *mark);

extern void single_levels_end(SingleLevels *levels);

#endif /* KANON_SINGLE_LEVELS_H */
