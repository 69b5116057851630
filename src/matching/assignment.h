/*
 * assignment.h
 *		Minimum-weight perfect matching of a sparse bipartite graph with small integer weights
 *		(Hopcroft, Karp 1973; Gabow, Tarjan 1989).
 */
#ifndef KANON_ASSIGNMENT_H
#define KANON_ASSIGNMENT_H

#include "postgres.h"

#include "base/budget.h"

typedef struct Assignment
{
	/* Weighted pairs of left and right vertices, each 0 .. count - 1, which the caller fills in. */
	int32 count;
	int stride;     /* pairs allocated for each left vertex */
	int32 *used;    /* [left]: its pairs */
	int32 *right;   /* [left * stride + pair] */
	uint16 *weight; /* likewise */

	/* What is assigned, and working memory. */
	int32 *right_of; /* [left]: -1 if unmatched */
	int32 *left_of;  /* [right] */
	int32 *left_potential;
	int32 *right_potential;
	int32 *left_distance;
	int32 *right_distance;
	int32 *hops;   /* [left]: matched edges on the path to it, within its distance and before */
	int32 *queue;  /* left vertices at the current distance */
	int32 *next;   /* [left]: next in the list of its distance */
	int32 *before; /* [left]: previous in the list; -1: first */
	int32 *head;   /* [distance] */
	int32 listed;  /* the greatest distance with a list */
	int32 *turn;   /* [left]: the pair to try next */
	bool *seen;    /* [right]: visited in this phase */
	Budget *budget;
} Assignment;

/* Without pairs; palloc'd in the current context, against the budget. */
extern Assignment *assignment_create(int32 count, int stride, Budget *budget);

/* The right ends of a left vertex's pairs, and their weights. */
static inline int32 *
assignment_rights(const Assignment *assignment, int32 left)
{
	return assignment->right + (int64) left * assignment->stride;
}

static inline uint16 *
assignment_weights(const Assignment *assignment, int32 left)
{
	return assignment->weight + (int64) left * assignment->stride;
}

/*
 * Matches as many left vertices as possible, and returns how many stay unmatched.  If none does,
 * the sum of weights is minimal; otherwise it need not be.  A phase takes O(pairs); a few dozen
 * phases are usual.
 */
extern int32 assignment_solve(Assignment *assignment);

/* The weight of any pair, or -1 if there is no such pair. */
typedef int32 (*PairWeight)(const void *state, int32 left, int32 right);

/*
 * Matches the vertices that assignment_solve left unmatched, which its pairs connect with no
 * others, by other pairs.  A vertex without any takes the partner of another.  Sets
 * right_of alone.  Each left vertex needs pairs with most right ones.
 */
extern void assignment_complete(Assignment *assignment, int32 unmatched, PairWeight weight_of,
								const void *state);

#endif /* KANON_ASSIGNMENT_H */
