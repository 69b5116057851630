/*
 * row_groups.h
 *		Rows of a block that look alike under a pattern: a level for each attribute.
 */
#ifndef KANON_ROW_GROUPS_H
#define KANON_ROW_GROUPS_H

#include "postgres.h"

#include "matching/block.h"

/* Rows, or records, side by side if they have the same key. */
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
	int32 *order;   /* rows, as they stand within groups under a pattern */
	uint64 *ground; /* [place in the order]: key of the row where nothing is generalized */
	int32 *column;  /* [attribute * rows + place in the order]: code; read one after the other */
} RowGroups;

/* Without groups, in the current context, against the block's budget. */
extern RowGroups *row_groups_create(const Block *block);

/*
 * The order to be kept within groups under a pattern; NULL: as rows are numbered.  The first call
 * allocates, as row_groups_create does.  O(rows * attributes).
 */
extern void row_groups_order(RowGroups *groups, const int32 *order);

/* Groups the rows, which have an order, under a pattern.  O(rows * attributes generalized). */
extern void row_groups_form(RowGroups *groups, const uint8 *level);

/* Groups by keys of the caller's, [row]. */
extern void row_groups_form_by(RowGroups *groups, const uint64 *key);

#endif /* KANON_ROW_GROUPS_H */
