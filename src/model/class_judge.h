/*
 * class_judge.h
 *		Judges the equivalence classes of a node by a requirement, from a joint
 *		frequency set.
 */
#ifndef KANON_CLASS_JUDGE_H
#define KANON_CLASS_JUDGE_H

#include "postgres.h"

#include "model/requirement.h"

/* Room to judge classes in, for any number of nodes. */
typedef struct ClassJudge ClassJudge;

/*
 * In the current context and counted against the space's budget: a few arrays
 * of the sensitive values, and one of the people.
 */
extern ClassJudge *class_judge_create(FrequencySpace *space, const Demand *demand);

extern void class_judge_free(ClassJudge *judge);

/*
 * Tallies the classes at "node" from the joint set of a specialization: classes
 * that fail the requirement are the small ones.  "smallest" counts what k
 * counts, the other figures rows.  request->threshold is not looked at;
 * request->keep keeps the joint set, wherever it lies.  With "decide" stops
 * where the answer is no already (too_many).
 *
 * Cost: that of class_scan, and of the histograms and models.  A node that
 * fails k by rows costs no more than rollup_tally.
 */
extern FrequencyTally class_judge_tally(ClassJudge *judge, const Requirement *requirement,
										FrequencySet *source, const Level *node,
										const TallyRequest *request, bool decide);

#endif /* KANON_CLASS_JUDGE_H */
