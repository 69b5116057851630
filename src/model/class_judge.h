/*
 * class_judge.h
 *		Judges the equivalence classes of a node by a requirement, from a joint frequency
 *		set.
 */
#ifndef KANON_CLASS_JUDGE_H
#define KANON_CLASS_JUDGE_H

#include "postgres.h"

#include "model/requirement.h"

/* Room to judge classes in, for any number of nodes. */
typedef struct ClassJudge ClassJudge;

/*
 * In the current context, against the space's budget: arrays of the sensitive values and the
 * people.
 */
extern ClassJudge *class_judge_create(FrequencySpace *space, const Demand *demand);

/* When the joint set at the node is kept, as far as that costs no extra pass. */
#define JUDGE_KEEP 1             /* at all */
#define JUDGE_KEEP_ONLY_FAILED 2 /* of a node that fails */
#define JUDGE_KEEP_ONLY_SMALL 4  /* of at most half its source's entries */

typedef struct JudgeRequest
{
	int64 max_groups; /* stop beyond; -1: never */
	bool decide;      /* stop where the answer is no already */
	int keep;         /* JUDGE_KEEP_* */
} JudgeRequest;

/* To decide on a node by a requirement, without keeping anything. */
extern JudgeRequest judge_request(const Requirement *requirement);

/*
 * Tallies the classes at "node" from the joint set of a specialization: those that fail the
 * requirement are the small ones.  "smallest" counts what k counts, the other figures rows.
 * too_many: stopped.  One pass over the source where an array of all combinations pays
 * (dense_table.h), else class_scan, and before it a rollup where the source is large or its
 * outcome is to be kept; then the histograms and models.
 */
extern FrequencyTally class_judge_tally(ClassJudge *judge, const Requirement *requirement,
										FrequencySet *source, const Level *node,
										const JudgeRequest *request);

#endif /* KANON_CLASS_JUDGE_H */
