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
	SingleMap map;   /* looked at last */
	bool *fails;     /* [group] */
	int64 *gain;     /* [cut] */
	uint8 *mark;     /* [cut]: at work */
	uint8 *best;     /* [cut] */
	int64 best_cost; /* NOT_PUBLISHED: none */
	int64 best_lost; /* rows that it suppresses */
	int64 looked;    /* maps */
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
 * Makes cuts while that costs less: from what the caller knows on, and from the coarsest map on.
 * Returns false if not even that satisfies.
 */
extern bool single_greedy_begin(SingleSearch *search);

/* Takes back each cut that was made, to make others instead, while that costs less. */
extern void single_greedy_improve(SingleSearch *search);

/*
 * Of trees: lets values have lower labels, whatever their neighbours have, while that costs less,
 * from the map with these cuts on.  Keeps in "best" what costs less than all before.
 */
extern void single_greedy_lower(SingleSearch *search, const uint8 *mark, SingleMap *best);

#endif /* KANON_SINGLE_GREEDY_H */
