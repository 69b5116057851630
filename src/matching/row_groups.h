/*
 * row_groups.h
 *		Patterns, which give each attribute a level: groups the rows of a block that are equal under
 *		one, and enumerates them in the order of their cost.
 */
#ifndef KANON_ROW_GROUPS_H
#define KANON_ROW_GROUPS_H

#include "postgres.h"

#include "matching/block.h"

/* Rows, or records, sorted by key; those with the same key are adjacent. */
typedef struct RowGroups
{
	const Block *block;
	int32 *row;   /* [place] */
	int32 *place; /* [row] */
	int32 *begin; /* [place]: of its group */
	int32 *end;   /* [place]: of its group */
	uint64 *key;  /* [place] */
	uint64 *other_key;
	int32 *other_row;
	int32 *order;   /* the rows' order within groups under a pattern */
	uint64 *ground; /* [place in the order]: key of the row without generalization */
	int32 *column;  /* [attribute * rows + place in the order]: code, for sequential reads */
} RowGroups;

/* No groups yet; in the current context, against the block's budget. */
extern RowGroups *row_groups_create(const Block *block);

/*
 * Sets the order kept within groups under a pattern; NULL: by row number.  The first call
 * allocates, like row_groups_create.  O(rows * attributes).
 */
extern void row_groups_order(RowGroups *groups, const int32 *order);

/* Groups the rows under a pattern; needs an order.  O(rows * attributes generalized). */
extern void row_groups_form(RowGroups *groups, const uint8 *level);

/* Groups by the keys, which the caller has set by row. */
extern void row_groups_form_by_key(RowGroups *groups);

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

/*
 * ---- Predicts the final cells of each record of a block, by dual prices of rows (Lagrangian
 * relaxation of the degree constraints, by subgradients: Held, Wolfe, Crowder 1974).
 */

#define TARGET_PATTERNS 1024
#define TARGET_PRICE_UNIT 65536 /* the price that equals a cost of 1 */

/*
 * Sets the wide cells of each record to its target.  Records without a target among TARGET_PATTERNS
 * patterns keep theirs, and so do all if k = 1.  The records must cover only themselves yet; the
 * space for other rows and the groups' order are overwritten.
 *
 * price: [row], initially zero; set to the row's price in 1 / TARGET_PRICE_UNIT of a cost.  More
 * turns give better prices.
 *
 * Temporarily takes 20 bytes a row of the block's budget, besides the groups' order and a walk.
 * O(patterns * rows * (attributes + k)) for each turn.
 */
extern void targets_find(Block *block, RowGroups *groups, int turns, int32 *price);

#endif /* KANON_ROW_GROUPS_H */
