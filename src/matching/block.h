/*
 * block.h
 *		A block of neighbouring rows that are matched among themselves (Murakami, Uno 2017, section
 *		3.2.3), and the cells of their records so far.
 *
 * Rows and records are numbered from 0 within the block.  A record's cells are nodes: the lowest
 * that cover the rows it covers.  Its wide cells are those it is expected to end with; they cover
 * at least its cells.
 *
 * Costs are losses as small integers: 1 for each attribute if all are flat and have equal weights,
 * otherwise up to BLOCK_COST, or what the caller says, for the heaviest.  A column of digits costs
 * what it loses as reported, up to BLOCK_COST_DIGITS, wherever cells are known; only what looks for
 * candidates adds its digits up.
 *
 * Where cells are ranges, a block knows them as nodes of the attribute's tree, unless it is refined
 * (block_refine).  Then the attribute stands for the lower end of the range, and a further one,
 * behind those of the table, for the upper end.
 */
#ifndef KANON_BLOCK_H
#define KANON_BLOCK_H

#include "postgres.h"

#include "matching/digit_costs.h"
#include "matching/matching.h"

#define BLOCK_COST 32 /* the time of an assignment grows with the number of distinct costs */
#define BLOCK_COST_FINE 50000
#define BLOCK_COST_DIGITS                                                                          \
	64 /* if there are digits, for each column: their losses differ by little */

#define NO_NODE PG_INT32_MIN /* NULL may have fewer levels */

/* An attribute under patterns of levels: level l of a code is the l-th node above it. */
typedef struct BlockAttribute
{
	const CellTree *tree;
	int height;      /* the most levels above any value */
	uint16 *cost;    /* [node] */
	int16 *level;    /* [node]: as if it were above a value */
	int32 *up;       /* [(code + 1) * (height + 1) + level]: the node above the code, or NO_NODE */
	uint64 *hash;    /* [level * (values + 1) + code]: at level 0, hash of the code; above, the
					  * difference to the hash of the node there */
	double *average; /* [level]: mean cost over all rows */
	DigitCosts *digits; /* of the first digit of a column, for all of them; or NULL */
	/* Of an end of ranges, in a refined block: */
	const int32 *place; /* [value]: the cost of the range from the least value to it; or NULL */
	int32 all;          /* the cost of a cell for values and NULL */
	int upper;          /* of a lower end: the number of the upper one; of that: 0 */
} BlockAttribute;

typedef struct Block
{
	const MatchingTable *rows;
	int attributes;
	BlockAttribute *attribute;
	int k;
	int32 count;    /* rows */
	int32 *code;    /* [row * attributes + attribute] */
	int32 **value;  /* [attribute]: [row], values of a column of digits; or NULL */
	int32 *covered; /* [record * k + i] */
	int32 matched;  /* rows covered so far by each record, at most k */
	int32 *cell;    /* [record * attributes + attribute] */
	int32 *wide;    /* likewise; the same array if nothing is expected */
	Budget *budget;
} Block;

/*
 * The attributes of the table, made once for all blocks; "cost": see above.  _refined: with both
 * ends of ranges; sets their number.  In the current context, against the rows' budget.
 */
extern BlockAttribute *block_attributes(const MatchingTable *rows, int cost);
extern BlockAttribute *block_attributes_refined(const MatchingTable *rows, int cost, int *count);

/*
 * The block of "count" rows from "begin" on, each covering itself so far; in the current context,
 * against the rows' budget.  The attributes are those of block_attributes.
 */
extern Block *block_create(const MatchingTable *rows, BlockAttribute *attribute, int64 begin,
						   int32 count, int k);

/*
 * The block with these attributes of block_attributes_refined, "count" in all, for records that
 * cover k rows.  Shares what is covered, and the codes and cells unless there are ranges: then it
 * has its own, in the current context, against the block's budget.  Cells are to be found yet.
 */
extern Block block_refine(const Block *block, BlockAttribute *attribute, int count);

/* Takes a block; "begin" is the number of its first row in the whole table. */
typedef void (*BlockConsumer)(void *state, Block *block, int64 begin);

/*
 * Passes on all rows in blocks of nearly equal size, at most "most" rows each, but for the rest of
 * the class that a block ends with.  After each block, its memory is freed, the consumer's current
 * context with it.
 */
extern void block_each(const MatchingTable *rows, int k, int64 most, BlockConsumer consumer,
					   void *state);

/* The node "level" levels above a code. */
static inline int32
block_node(const Block *block, int attribute, int32 code, int level)
{
	const CellTree *tree = block->attribute[attribute].tree;

	for (int i = 0; i < level; i++)
		code = tree->parent[code];
	return code;
}

/* The cost by which the record's cells, and its wide cells, grow if it also covers the row. */
extern int32 block_growth(const Block *block, int32 record, int32 row);

/* The cost of a record's cells, and of all records' cells. */
extern int32 block_cost(const Block *block, int32 record);
extern int64 block_total(const Block *block);

/*
 * Likewise, if these were the record's cells: by what they would grow ("most" or more: at least by
 * that much), and what they cost.  And do they cover the row?
 */
extern int32 block_cells_growth(const Block *block, int32 record, const int32 *cell, int32 row,
								int32 most);
extern int32 block_cells_cost(const Block *block, int32 record, const int32 *cell);
extern bool block_cells_cover(const Block *block, const int32 *cell, int32 row);

/*
 * Does a row with this code need the cell?  Not if it is also covered by the next smaller one on
 * the way to a record's own code, which differs; of ranges, by what is left without this end.
 */
extern bool block_code_needs(const Block *block, int attribute, int32 code, int32 cell, int32 own);

/* The lowest cells above some and a row's codes; "from" and "to" may be the same. */
extern void block_join(const Block *block, const int32 *from, const int32 *code, int32 *to);

/* Makes the record's cells, and its wide cells, cover the row as well. */
extern void block_cover(Block *block, int32 record, int32 row);

/* Sets the cells of a record from the rows that it covers.  O(k * attributes). */
extern void block_find_cells(Block *block, int32 record);

/*
 * The cost of a record's cells without the i-th row that it covers, for each i from "first" on, at
 * least 1. "after": scratch space for (k + 1) * attributes cells.  O(k * attributes).
 */
extern void block_costs_without(Block *block, int32 record, int first, int32 *after, uint16 *cost);

/* Does the record cover the row? */
extern bool block_covers(const Block *block, int32 record, int32 row);

#endif /* KANON_BLOCK_H */
