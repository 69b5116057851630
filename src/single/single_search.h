/*
 * single_search.h
 *		Which cuts of a space to make, so that every class has k rows and least is lost.
 *
 * First cuts are made greedily, from what the caller knows and from the beginning, and single cuts
 * taken back to make others (single_greedy.h); then branch and bound follows (single_branch.h).
 *
 * A rule for k satisfies every smaller k.  So greedy searches, unless they begin with what the
 * caller knows, first do the same for greater k of a series: 1, 2, .. 10, 15, 20, 25, 30, 40, 50,
 * 75, 100, 150, .., up to the number of rows, the greatest first, and go on from what they found.
 * What they find for a k of the series is no worse than for a greater one.
 */
#ifndef KANON_SINGLE_SEARCH_H
#define KANON_SINGLE_SEARCH_H

#include "postgres.h"

#include "single/cut_space.h"

#define SINGLE_REFUTED                                                                             \
	16 /* maps that need no look, because a cut makes small classes, cost one                      \
		*/

typedef struct SingleRequest
{
	int64 k;
	int64 suppressible;  /* rows that may be left out */
	int64 effort;        /* maps that may be looked at */
	bool discernibility; /* the cost is that, not the loss */
	/*
	 * Sets [group] whether its rows fail what is demanded, with k rows, for the map that the table
	 * has classified; returns how many rows these are.  NULL: only k rows are demanded.
	 */
	int64 (*failing)(void *state, const SingleTable *table, int64 k, bool *fails);
	void *state;
	/* Sets the marks of the next set of cuts to begin with; false if there is none.  NULL: none. */
	bool (*begin_with)(void *state, const CutSpace *space, uint8 *mark);
} SingleRequest;

typedef struct SingleAnswer
{
	SingleMap map;
	uint8 *mark;  /* [cut] */
	double cost;  /* the loss of all rows, suppressed ones with 1, as a mean; or discernibility */
	double bound; /* none that satisfies costs less */
	int64 looked; /* maps looked at */
	int64 suppressed;
} SingleAnswer;

/*
 * Searches; NULL if not even the coarsest map satisfies.  Sets the space's marks.  In the current
 * context, against the table's budget: 16 bytes for each map looked at.  Ends when the effort is
 * spent, but not before it has looked at what the caller begins with.  Answers cancels.
 */
extern SingleAnswer *single_search_run(CutSpace *space, const SingleRequest *request);

/*
 * Unrestricted single-dimension recoding: greedily, values whose labels can be lower ones, whatever
 * their neighbours do.  Changes map, cost and figures of an answer over trees, unless that costs no
 * more; its cells are nodes.  Looks at no more maps than the effort.
 */
extern void single_search_free(CutSpace *space, const SingleRequest *request, SingleAnswer *answer);

#endif /* KANON_SINGLE_SEARCH_H */
