/*
 * rollup.h
 *		Computes the frequency set at a node from that of a specialization (LeFevre, DeWitt,
 *		Ramakrishnan 2005a, section 2), or only the figures that judge it.
 */
#ifndef KANON_ROLLUP_H
#define KANON_ROLLUP_H

#include "postgres.h"

#include "base/loss_sum.h"
#include "frequency/frequency_set.h"

/* When a tally also keeps the frequency set, if it fits in memory and that needs no extra pass. */
#define TALLY_KEEP 1
#define TALLY_KEEP_ONLY_FAILED 2 /* not if the node satisfies */
#define TALLY_KEEP_ONLY_SMALL 4  /* not if it has more than half its source's entries */

/* What to tally. */
typedef struct TallyRequest
{
	int64 threshold;  /* groups with fewer rows are small */
	int64 max_groups; /* stop if there are more; -1: never */
	int keep;         /* TALLY_KEEP_*; 0: the frequency set is not wanted */
	int64 expected;   /* about as many groups, to make room for; 0: unknown */
	int64 most_small; /* a node with more rows in small groups fails */
	/* Only groups, small_rows and too_many are wanted; class_judge_tally: stop at a no. */
	bool decide;
	/* What each row of a small group loses, 0 to 1, by its key at the node; NULL: not asked. */
	double (*loss)(const void *state, const uint64 *key);
	const void *state;
} TallyRequest;

/* The figures of a frequency set. */
typedef struct FrequencyTally
{
	int64 groups; /* all */
	int64 small_groups;
	int64 small_rows;   /* rows in small groups */
	int64 smallest;     /* rows of the smallest group that is not small, 0 if there is none */
	double squares;     /* sum of squared sizes of groups that are not small */
	LossSum losses;     /* of the rows in small groups, if the request asks for them */
	bool too_many;      /* counting stopped, and the figures above are meaningless */
	FrequencySet *kept; /* the frequency set, or NULL */
} FrequencyTally;

/* Should the set that was tallied be kept? */
static inline bool
tally_keeps(const TallyRequest *request, const FrequencyTally *tally, const FrequencySet *source,
			int64 entries)
{
	if (!(request->keep & TALLY_KEEP))
		return false;
	if ((request->keep & TALLY_KEEP_ONLY_FAILED) && !tally->too_many &&
		tally->small_rows <= request->most_small)
		return false;
	return !(request->keep & TALLY_KEEP_ONLY_SMALL) || entries <= source->entries / 2;
}

/* Adds a group that "groups" already counts; size: what is compared with k. */
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

/* Adds the losses of a small group. */
static inline void
frequency_tally_lose(FrequencyTally *tally, const TallyRequest *request, int64 rows,
					 const uint64 *key)
{
	loss_sum_add(&tally->losses, request->loss(request->state, key), rows);
}

/*
 * The frequency set at "node" from that of a specialization, in the current context.  One pass over
 * the source with a hash insertion for each entry.  What the budget cannot hold goes to a tape.
 */
extern FrequencySet *rollup(FrequencySet *source, FrequencySpace *space, const Level *node);

/*
 * Tallies the frequency set at "node", in passes over parts of the keys if memory is short.  Cost
 * as rollup, without tapes; for the source's own node one pass without hashing.
 */
extern FrequencyTally rollup_tally(FrequencySet *source, FrequencySpace *space, const Level *node,
								   const TallyRequest *request);

/* The frequency set of one attribute at its ground level, from the marginal. */
extern FrequencySet *rollup_marginal(FrequencySpace *space, int attribute);

/* The counts of a node's groups in an array with a cell for every combination of codes. */
typedef struct DenseTable
{
	FrequencySpace *space;
	Level *node;
	int64 cells;
	uint32 *counts; /* [cell]: the last attribute varies fastest */
} DenseTable;

/*
 * The frequency set at "node" from that of a specialization, as an array in the current context.
 * NULL if an array does not pay or does not fit; the caller hashes then.  One pass over the source,
 * with a lookup for each attribute that distinguishes groups.
 */
extern DenseTable *dense_table_count(FrequencySet *source, FrequencySpace *space,
									 const Level *node);

/* Its groups as a frequency set. */
extern FrequencySet *dense_table_set(const DenseTable *table);

/* Fills in the key of a cell. */
extern void dense_table_key(const DenseTable *table, int64 cell, uint64 *key);

/* The number of nonzero cells. */
extern int64 dense_table_groups(const DenseTable *table);

extern void dense_table_free(DenseTable *table);

#endif /* KANON_ROLLUP_H */
