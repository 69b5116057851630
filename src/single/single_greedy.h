/*
 * single_greedy.h
 *		A search for cuts at work, and its greedy steps: one map after another, each from the last.
 */
#ifndef KANON_SINGLE_GREEDY_H
#define KANON_SINGLE_GREEDY_H

#include "postgres.h"

#include "single/single_search.h"

#define NOT_PUBLISHED PG_INT64_MAX /* the cost of what does not satisfy */

typedef struct SingleSearch
{
	CutSpace *space;
	SingleTable *table;
	const SingleRequest *request;
	int64 k;         /* at work: the request's, or a greater one before */
	SingleMap map;   /* looked at last */
	bool *fails;     /* [group] */
	int64 *gain;     /* [cut] */
	uint8 *mark;     /* [cut]: at work */
	uint8 *best;     /* [cut] */
	uint8 *known;    /* [cut]: of a rule for a greater k */
	int32 turn;      /* the cut that is to be taken back next */
	int64 best_cost; /* NOT_PUBLISHED: none */
	int64 best_lost; /* rows that it suppresses */
	int64 looked;    /* maps; .. */
	int64 refuted;   /* .. and those refuted by counting rows that leave classes */
	int64 most;      /* .. that may be looked at, for now */
} SingleSearch;

/* In the current context, against the table's budget. */
extern SingleSearch *single_greedy_create(CutSpace *space, const SingleRequest *request);

/*
 * Looks at the map with these cuts, keeps it if it is the best so far, and sets its cost.  Returns
 * whether finer ones may satisfy.  O(groups * attributes).
 */
extern bool single_greedy_look(SingleSearch *search, const uint8 *mark, int64 *cost);

/* The cut that can be made next and gains most; -1: none. */
extern int32 single_greedy_choose(SingleSearch *search, const uint8 *mark);

/*
 * Makes one more cut of the map looked at last, unless that costs more than "most" or leaves
 * nothing that may satisfy; then the cut is left, and the map is as before.
 */
extern bool single_greedy_try(SingleSearch *search, uint8 *mark, int32 cut, int64 most,
							  int64 *cost);

/* Looks at the map with these cuts once more, to try others from there. */
extern void single_greedy_return(SingleSearch *search, const uint8 *mark);

/*
 * Makes cuts while that costs less: from those known, unless NULL, from what the caller knows, and
 * from the coarsest map on.  Returns false if not even that satisfies.
 */
extern bool single_greedy_begin(SingleSearch *search, const uint8 *known);

/* Takes back cuts that were made, by turns, to make others instead, while that costs less. */
extern void single_greedy_improve(SingleSearch *search);

/*
 * Of trees: lets values have lower labels, whatever their neighbours have, while that costs less,
 * from the map at work on.  Keeps in "best" what costs less than all before.
 */
extern void single_greedy_lower(SingleSearch *search, SingleMap *best);

/* Copies an attribute of a map. */
extern void single_greedy_copy(const SingleTable *table, const SingleMap *from, SingleMap *to,
							   int attribute);

#endif /* KANON_SINGLE_GREEDY_H */
