/*
 * candidates.h
 *		Candidates: the rows that a record of a block might cover, the pairs that an assignment
 *		chooses from and that chains of exchanges go along.
 *
 * Murakami, Uno 2017, section 3.2.1, take the pairs of least Hamming distance in the original rows,
 * once.  Beyond k = 3 it matters more that the rows of a record agree in the same attributes.  So
 * there are two kinds of candidates:
 *
 * - near rows, found once: those equal under the patterns that lose least (a multi-sorting like
 *   Uno's, by patterns instead of blocks of attributes), and the reverse pairs, so that every row
 *   is a candidate;
 * - rows equal under the current pattern of the record's wide cells, or under one that raises one
 *   attribute by one level.
 *
 * In small blocks, all pairs are candidates.
 */
#ifndef KANON_CANDIDATES_H
#define KANON_CANDIDATES_H

#include "postgres.h"

#include "matching/assignment.h"
#include "matching/block.h"
#include "matching/row_groups.h"

/* Near rows of a record, with those of the reverse pairs: for assignments, and at most. */
#define NEAR_ROOM 64
#define NEAR_ROOM_MOST 160

typedef struct Candidates
{
	Block *block;
	bool all;    /* all pairs are candidates, and there are no near rows */
	int room;    /* for near rows of a record */
	int32 *near; /* [record * room + i]: rows */
	uint8 *near_used;
	RowGroups *groups;   /* of rows */
	RowGroups *patterns; /* of records whose wide cells have the same levels */
	int32 *stamp;        /* [row]: the last record that got a pair with it */
	int turn;            /* number of times pairs were collected */
	Assignment *pairs;   /* being collected */
} Candidates;

/* Do blocks with this many rows have all pairs as candidates? */
extern bool candidates_are_all(int k, int32 count);

/* The most pairs of a record. */
extern int candidates_stride(const Block *block);

/*
 * Finds the near rows of a block, up to "room" for each record.  "targets", while records cover
 * only themselves: sets the block's wide cells to the targets (row_groups.h), whose prices decide
 * which reverse pairs come first.  In the current context, against the block's budget.  O(patterns
 * * rows).
 */
extern Candidates *candidates_create(Block *block, int room, bool targets);

/* The room for chains of exchanges: the more the better, in bounded memory. */
extern int candidates_room(const Block *block);

/*
 * Collects the pairs of all records with rows that they do not cover, weighted by block_growth.
 * O(records * stride * attributes + patterns * rows).
 */
extern void candidates_collect(Candidates *candidates, Assignment *pairs);

#endif /* KANON_CANDIDATES_H */
