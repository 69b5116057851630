/*
 * block.h
 *		Some neighbouring rows that are matched among themselves (Murakami, Uno 2017,
 *		section 3.2.3), and the cells of their records so far.
 *
 * Rows and records are numbered from 0 within the block.  A record's cells are nodes: the least
 * that cover the rows it covers.  Its wide cells are those that it is expected to end with, at
 * least its cells.
 *
 * Costs are losses in small whole numbers: 1 for each attribute if all of them are flat and
 * weigh the same, otherwise BLOCK_COST for the heaviest.
 */
#ifndef KANON_BLOCK_H
#define KANON_BLOCK_H

#include "postgres.h"

#include "matching/matching.h"

#define BLOCK_COST 8

/* An attribute as patterns of levels see it: level l of a code is the l-th node above it. */
typedef struct BlockAttribute
{
	const CellTree *tree;
	int height;      /* the most levels above a value */
	uint16 *cost;    /* [node] */
	uint64 *hash;    /* [level * (values + 1) + code]: of a code at level 0; at others what
					  * is added to it for the node there */
	double *average; /* [level]: cost over all rows */
} BlockAttribute;

typedef struct Block
{
	const MatchingTable *rows;
	int attributes;
	BlockAttribute *attribute;
	int k;
	int32 count;    /* rows */
	int32 *code;    /* [row * attributes + attribute] */
	int32 *covered; /* [record * k + i] */
	int32 matched;  /* how many of the k are there */
	int32 *cell;    /* [record * attributes + attribute] */
	int32 *wide;    /* likewise; the same array where nothing is expected */
	Budget *budget;
} Block;

/*
 * The block of the rows from "begin" on, covering themselves so far; in the current
 * context, against the rows' budget.  The attributes are made once for all blocks.
 */
extern BlockAttribute *block_attributes(const MatchingTable *rows);
extern Block *block_create(const MatchingTable *rows, BlockAttribute *attribute, int64 begin,
						   int32 count, int k);

/* Takes a block, whose first row is "begin" of all; its numbers count from there. */
typedef void (*BlockConsumer)(void *state, Block *block, int64 begin);

/*
 * Hands over all rows in blocks as equal as can be, of "most" rows at most.  The consumer's
 * current context ends with the block, and what was taken of the rows' budget is given back.
 */
extern void block_each(const MatchingTable *rows, int k, int64 most, BlockConsumer consumer,
					   void *state);

/* The node at a level above a code. */
static inline int32
block_node(const Block *block, int attribute, int32 code, int level)
{
	const CellTree *tree = block->attribute[attribute].tree;

	for (int i = 0; i < level; i++)
		code = tree->parent[code];
	return code;
}

/* The cost that the record's cells, and its wide cells, grow by if it covers the row, too. */
extern int32 block_growth(const Block *block, int32 record, int32 row);

/* The cost of a record's cells, and of all. */
extern int32 block_cost(const Block *block, int32 record);
extern int64 block_total(const Block *block);

/* Sets the cells of a record by the rows that it covers.  O(k * attributes). */
extern void block_find_cells(Block *block, int32 record);

/*
 * What a record's cells would cost without the i-th of the rows that it covers, for each i from
 * "first" on, which is 1 at least.  "after": room for (k + 1) * attributes cells.  O(k *
 * attributes).
 */
extern void block_costs_without(Block *block, int32 record, int first, int32 *after, uint16 *cost);

/* Does the record cover the row? */
extern bool block_covers(const Block *block, int32 record, int32 row);

#endif /* KANON_BLOCK_H */
