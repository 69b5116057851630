/*
 * candidates.h
 *		Which rows a record might cover: the pairs that an assignment chooses from.
 *
 * Murakami, Uno 2017, section 3.2.1, take the pairs of least Hamming distance in the
 * original rows, once.  What counts beyond k = 3 is that the rows a record covers
 * agree in the same attributes.  So there are two kinds of candidates:
 *	- near rows, found once: those that look alike under the patterns that lose
 *	  least (a multi-sorting as Uno's, by patterns instead of blocks of
 *	  attributes), and the other way round, so that every row is somebody's;
 *	- rows alike under the pattern of the record's wide cells as they are now, or
 *	  under one that raises one attribute by one level more.
 * At first the wide cells are the record's target (targets.h).
 *
 * Blocks of few rows have all pairs.
 */
#ifndef KANON_CANDIDATES_H
#define KANON_CANDIDATES_H

#include "postgres.h"

#include "matching/assignment.h"
#include "matching/row_groups.h"

typedef struct Candidates
{
	Block *block;
	bool all;    /* pairs */
	int32 *near; /* [record * NEAR_ROOM + i]: rows */
	uint8 *near_used;
	RowGroups *groups;   /* of rows */
	RowGroups *patterns; /* of records: those whose wide cells have the same levels */
	uint64 *key;         /* [record]: of those levels */
	int32 *stamp;        /* [row]: the record that has the pair already */
	int turn;            /* how often pairs were collected */
} Candidates;

/*
 * Finds the near rows, and sets the block's wide cells to the targets.  In the current
 * context, against the block's budget.
 */
extern Candidates *candidates_create(Block *block);

/* Pairs of a record at most. */
extern int candidates_stride(const Block *block);

/* Have blocks of so many rows all pairs? */
extern bool candidates_are_all(int k, int32 count);

/*
 * The pairs of all records with rows that they do not cover, weighted by block_growth.
 * O(records * stride * attributes + patterns * rows).
 */
extern void candidates_collect(Candidates *candidates, PairTable *pairs);

#endif /* KANON_CANDIDATES_H */
