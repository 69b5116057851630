/*
 * pattern_walk.h
 *		Patterns (a level for each attribute) from the one that loses least on.
 */
#ifndef KANON_PATTERN_WALK_H
#define KANON_PATTERN_WALK_H

#include "postgres.h"

#include "matching/block.h"

typedef struct PatternWalk PatternWalk;

/*
 * Begins before the pattern that generalizes nothing, and ends after so many; in the current
 * context, against the block's budget.
 */
extern PatternWalk *pattern_walk_create(const Block *block, int most);

/*
 * The next pattern, [attribute], by the average cost over all rows, each once; NULL after
 * the last.  Levels beyond PG_UINT8_MAX are left out.  Good until the next call.
 * O(attributes + log patterns).
 */
extern const uint8 *pattern_walk_next(PatternWalk *walk);

extern void pattern_walk_free(PatternWalk *walk);

#endif /* KANON_PATTERN_WALK_H */
