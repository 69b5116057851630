/*
 * assignment.h
 *		Minimum-weight perfect matching of a sparse bipartite graph with small whole
 *		weights.
 */
#ifndef KANON_ASSIGNMENT_H
#define KANON_ASSIGNMENT_H

#include "postgres.h"

#include "base/budget.h"

/* Weighted pairs of left and right vertices, 0 .. count - 1 each. */
typedef struct PairTable
{
	int32 count;
	int stride;     /* room for the pairs of a left vertex */
	int32 *used;    /* [left] */
	int32 *right;   /* [left * stride + pair] */
	uint16 *weight; /* likewise */
} PairTable;

/* palloc'd in the current context, against the budget. */
extern PairTable pair_table_create(int32 count, int stride, Budget *budget);

static inline int32 *
pair_table_rights(const PairTable *pairs, int32 left)
{
	return pairs->right + (int64) left * pairs->stride;
}

static inline uint16 *
pair_table_weights(const PairTable *pairs, int32 left)
{
	return pairs->weight + (int64) left * pairs->stride;
}

/* Working memory of one size, to be used again and again. */
typedef struct Assignment
{
	int32 count;
	int32 *right_of; /* [left]: -1 unmatched */
	int32 *left_of;  /* [right] */
	int32 *left_potential;
	int32 *right_potential;
	int32 *left_distance;
	int32 *right_distance;
	int32 *hops;   /* [left]: matched edges on the way there, at its distance and before */
	int32 *queue;  /* lefts at the distance at hand */
	int32 *next;   /* [left]: in the list of its distance */
	int32 *before; /* [left]: likewise; -1: it is the first */
	int32 *head;   /* [distance] */
	int32 listed;  /* the greatest distance that has a list */
	int32 *turn;   /* [left]: the pair to look at next */
	bool *seen;    /* [right]: in this phase */
} Assignment;

extern Assignment *assignment_create(int32 count, Budget *budget);

/*
 * Matches as many left vertices as can be, and returns how many stay unmatched.  The sum of
 * weights is the least there is where none does; otherwise it need not be.  Each phase takes
 * O(pairs); a few dozen phases are usual.
 */
extern int32 assignment_solve(Assignment *assignment, const PairTable *pairs);

#endif /* KANON_ASSIGNMENT_H */
