/*
 * class_judge.h
 *		Judges the equivalence classes of a node by a requirement, from a joint frequency set.
 */
#ifndef KANON_CLASS_JUDGE_H
#define KANON_CLASS_JUDGE_H

#include "postgres.h"

#include "model/requirement.h"

/* Working memory to judge classes of any number of nodes. */
typedef struct ClassJudge ClassJudge;

/*
 * In the current context, against the space's budget: arrays over the sensitive values and the
 * people.
 */
extern ClassJudge *class_judge_create(FrequencySpace *space, const Demand *demand);

/* When to keep the joint set at the node, if that needs no extra pass. */
#define JUDGE_KEEP 1             /* always */
#define JUDGE_KEEP_ONLY_FAILED 2 /* only if the node fails */
#define JUDGE_KEEP_ONLY_SMALL 4  /* only if it has at most half its source's entries */

typedef struct JudgeRequest
{
	int64 max_groups; /* stop if there are more; -1: never */
	bool decide;      /* stop as soon as the answer is no */
	int keep;         /* JUDGE_KEEP_* */
} JudgeRequest;

/* The request that decides a node by a requirement and keeps nothing. */
extern JudgeRequest judge_request(const Requirement *requirement);

/*
 * Tallies the classes at "node" from the joint set of a specialization.  Classes that fail the
 * requirement count as small. "smallest" counts what k counts, rows or people; the other figures
 * count rows. too_many: stopped early.  Cost: one pass over the source if an array of all
 * combinations pays (dense_table.h); otherwise class_scan, after a rollup if the source is large or
 * the result is to be kept; then the histograms and models.
 */
extern FrequencyTally class_judge_tally(ClassJudge *judge, const Requirement *requirement,
										FrequencySet *source, const Level *node,
										const JudgeRequest *request);

#endif /* KANON_CLASS_JUDGE_H */
