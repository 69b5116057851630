/*
 * rollup.h
 *		From the frequency set at one node to that at a more general one, and
 *		from a frequency set to the few figures that judge it.
 *
 * The rollup property (Incognito, section 2): the frequency set at Q is the
 * sum of groups of the frequency set at P, for P below Q.  Projecting an
 * attribute away is a rollup to LEVEL_ALL.
 */
#ifndef KANON_ROLLUP_H
#define KANON_ROLLUP_H

#include "postgres.h"

#include "frequency/frequency_set.h"

/* What a frequency set says about its groups, relative to a size. */
typedef struct FrequencyTally
{
	int64 threshold; /* groups below this many rows are small */
	int64 groups;    /* all */
	int64 small_groups;
	int64 small_rows; /* rows in small groups */
	int64 smallest;   /* rows of the smallest group that is not small, 0 if there is none */
	double squares;   /* sum of squared sizes of the groups that are not small */
	bool too_many;    /* counting stopped: more groups than asked for */
} FrequencyTally;

/*
 * The frequency set at "node" from that of a specialization.  Current context.
 * Cost: one pass over the source, one hash insertion for each of its entries;
 * what does not fit the budget goes to a tape.
 */
extern FrequencySet *rollup(FrequencySet *source, FrequencySpace *space, const Level *node);

/*
 * Tallies the frequency set at "node" without keeping it.  Stops as soon as
 * there are more than max_groups groups (-1: never): the tally then says
 * too_many and nothing else.  If "kept" is not NULL and the groups fit the
 * budget, *kept is the frequency set, as from rollup, else NULL.  What does not
 * fit the memory at once is counted in passes over parts of the keys.
 */
extern FrequencyTally rollup_tally(FrequencySet *source, FrequencySpace *space, const Level *node,
								   int64 threshold, int64 max_groups, FrequencySet **kept);

/* The frequency set of one attribute at its ground level, from the marginal. */
extern FrequencySet *rollup_marginal(FrequencySpace *space, int attribute);

#endif /* KANON_ROLLUP_H */
