/*
 * rollup.h
 *		From the frequency set at one node to that at a more general one (LeFevre, DeWitt,
 *		Ramakrishnan 2005a, section 2), and to the few figures that judge it.
 */
#ifndef KANON_ROLLUP_H
#define KANON_ROLLUP_H

#include "postgres.h"

#include "frequency/frequency_set.h"

/* How to tally. */
typedef struct TallyRequest
{
	int64 threshold;  /* groups below this many rows are small */
	int64 max_groups; /* stop beyond; -1: never */
	bool keep;        /* also keep the frequency set, if it fits in memory */
} TallyRequest;

/* What a frequency set says about its groups. */
typedef struct FrequencyTally
{
	int64 groups; /* all */
	int64 small_groups;
	int64 small_rows;   /* rows in small groups */
	int64 smallest;     /* rows of the smallest group that is not small, 0 if there is none */
	double squares;     /* sum of squared sizes of the groups that are not small */
	bool too_many;      /* counting stopped: the figures above are of no use */
	FrequencySet *kept; /* the frequency set, or NULL */
} FrequencyTally;

/* One more group, which "groups" knows of; size: what is compared with k. */
static inline void
frequency_tally_add(FrequencyTally *tally, int64 rows, int64 size, bool small)
{
	if (small)
	{
		tally->small_groups++;
		tally->small_rows += rows;
		return;
	}
	tally->squares += (double) rows * (double) rows;
	if (tally->smallest == 0 || size < tally->smallest)
		tally->smallest = size;
}

/*
 * The frequency set at "node" from that of a specialization.  Current context.  One pass over the
 * source, one hash insertion for each of its entries; what does not fit the budget goes to a
 * tape.
 */
extern FrequencySet *rollup(FrequencySet *source, FrequencySpace *space, const Level *node);

/*
 * Tallies the frequency set at "node", in passes over parts of the keys where memory is short.
 * As rollup without the tape; for the source's own node one pass without hashing.
 */
extern FrequencyTally rollup_tally(FrequencySet *source, FrequencySpace *space, const Level *node,
								   const TallyRequest *request);

/* The frequency set of one attribute at its ground level, from the marginal. */
extern FrequencySet *rollup_marginal(FrequencySpace *space, int attribute);

#endif /* KANON_ROLLUP_H */
