/*
 * pattern_walk.h
 *		Enumerates patterns (a level for each attribute) in the order of their cost.
 */
#ifndef KANON_PATTERN_WALK_H
#define KANON_PATTERN_WALK_H

#include "postgres.h"

#include "matching/block.h"

typedef struct PatternWalk PatternWalk;

/*
 * Starts before the pattern that generalizes nothing and ends after "most" patterns; in the current
 * context, against the block's budget.
 */
extern PatternWalk *pattern_walk_create(const Block *block, int most);

/*
 * The next pattern, [attribute], by mean cost over all rows, each once; NULL after the last.  Skips
 * levels beyond PG_UINT8_MAX.  Valid until the next call.  O(attributes + log patterns).
 */
extern const uint8 *pattern_walk_next(PatternWalk *walk);

extern void pattern_walk_free(PatternWalk *walk);

#endif /* KANON_PATTERN_WALK_H */
