/*
 * class_judge.h
 *		Judges the equivalence classes of a node by a requirement, from a joint frequency set.
 *
 * It shares models, histograms and verdicts with row_judge.h (Demand of model.h), but counts
 * values by itself, because a search visits many classes once each.  The two groups that the row
 * judge keeps for cuts, and the lists that empty them, made a search take 1.18 times as long
 * (measured: entropy, 200 values, 200,000 rows, Incognito's cube).  Its counts are wider, too: a
 * class may have more rows than an int32 holds.
 */
#ifndef KANON_CLASS_JUDGE_H
#define KANON_CLASS_JUDGE_H

#include "postgres.h"

#include "frequency/rollup.h"
#include "model/model.h"

/*
 * ---- The requirement on a release: every equivalence class has at least k rows, or people, and
 * satisfies all privacy models; a few rows in classes that fail may be suppressed.
 *
 * A node satisfies if at most that many rows lie in classes that fail.  Searches prune by the
 * *monotone* part of this: if a node satisfies, so do all its generalizations and all subsets of
 * its attributes (LeFevre, DeWitt, Ramakrishnan 2005a, section 2, with the suppression limit of
 * Samarati 2001).  The rest must be checked at each node.
 */

typedef struct Requirement
{
	int64 k;
	int64 rows;         /* a class with fewer rows fails: k, or what models need for their values */
	int64 suppressible; /* rows that may lie in classes that fail */
	int64 max_groups;   /* a node with more groups cannot satisfy */
	Demand demand;
} Requirement;

/*
 * suppression: the share of rows, in [0, 1), that may be suppressed.  Keeps a pointer to the
 * demand's arrays.
 */
extern Requirement requirement_create(int64 k, double suppression, int64 rows,
									  const Demand *demand);

/*
 * The monotone part of the requirement: whatever satisfies the requirement satisfies it.  In the
 * current context.
 */
extern Requirement requirement_monotone(const Requirement *requirement);

/* Is the whole requirement monotone? */
extern bool requirement_is_monotone(const Requirement *requirement);

/* Do the row counts of the classes decide it? */
static inline bool
requirement_is_plain(const Requirement *requirement)
{
	return requirement->demand.models == 0 && !requirement->demand.person;
}

/*
 * The tally that decides a node by row counts alone and stops when the answer is no.  A node that
 * fails it fails the requirement.
 */
extern TallyRequest requirement_request(const Requirement *requirement);

/* Does the node with this tally satisfy? */
extern bool requirement_holds(const Requirement *requirement, const FrequencyTally *tally);

/* Working memory to judge classes of any number of nodes. */
typedef struct ClassJudge ClassJudge;

/*
 * In the current context, against the space's budget: arrays over the sensitive values and the
 * people.
 */
extern ClassJudge *class_judge_create(FrequencySpace *space, const Demand *demand);

/*
 * Tallies the classes at "node" from the joint set of a specialization; the request's threshold is
 * not used.  Classes that fail the
 * requirement count as small. "smallest" counts what k counts, rows or people; the other figures
 * count rows. too_many: stopped early.  Cost: one pass over the source if an array of all
 * combinations pays (rollup.h); otherwise class_scan, after a rollup if the source is large or
 * the result is to be kept; then the histograms and models.
 */
extern FrequencyTally class_judge_tally(ClassJudge *judge, const Requirement *requirement,
										FrequencySet *source, const Level *node,
										const TallyRequest *request);

#endif /* KANON_CLASS_JUDGE_H */
