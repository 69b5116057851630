/*
 * candidates.h
 *		The rows that a record might cover: the pairs that an assignment chooses from (see
 *		candidates.c).
 */
#ifndef KANON_CANDIDATES_H
#define KANON_CANDIDATES_H

#include "postgres.h"

#include "matching/assignment.h"
#include "matching/row_groups.h"

typedef struct Candidates
{
	Block *block;
	bool all;    /* all pairs are candidates */
	int32 *near; /* [record * NEAR_ROOM + i]: rows */
	uint8 *near_used;
	RowGroups *groups;   /* of rows */
	RowGroups *patterns; /* of records whose wide cells have the same levels */
	uint64 *key;         /* [record]: key of those levels */
	int32 *stamp;        /* [row]: the last record that got a pair with it */
	int turn;            /* number of times pairs were collected */
} Candidates;

/*
 * Finds the near rows, and sets the block's wide cells to the targets (targets.h).  In the current
 * context, against the block's budget.
 */
extern Candidates *candidates_create(Block *block);

/* The most pairs of a record. */
extern int candidates_stride(const Block *block);

/* Do blocks with this many rows have all pairs as candidates? */
extern bool candidates_are_all(int k, int32 count);

/*
 * Collects the pairs of all records with rows that they do not cover, weighted by block_growth.
 * O(records * stride * attributes + patterns * rows).
 */
extern void candidates_collect(Candidates *candidates, PairTable *pairs);

#endif /* KANON_CANDIDATES_H */
