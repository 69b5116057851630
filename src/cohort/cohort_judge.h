/*
 * cohort_judge.h
 *		Privacy models of cohorts.
 *
 * A cell is judged once, on the night of its admission, when all its values are read.  If it
 * fails, it publishes NULL in its sensitive columns, forever.  If it satisfies, it gets a k of its
 * own: the least number of its people, at least the k of all cells, such that any so many of them
 * satisfy. It is only ever divided into parts of at least so many, so all parts satisfy and none
 * has to be judged.  So values decide but once, and what they decide follows from what is
 * published of the cell that night: a reader learns from later copies which values are whose
 * part's, and nothing else.
 *
 * Known work: the models; Wong, Fu, Wang, Pei: Minimality attack in privacy preserving data
 * publishing, 2007, on what a publisher tells by having judged.
 */
#ifndef KANON_COHORT_JUDGE_H
#define KANON_COHORT_JUDGE_H

#include "postgres.h"

#include "cohort/cohort_source.h"

/*
 * Judges the cells that are admitted tonight: marks those that fail, and sets the k of others. Call
 * it after the night was passed; in the current context.  Cost: what is admitted is read once, and
 * O(log people) judgements for each cell.  Errors: those of description_demand.
 */
extern void cohort_judge(CohortSource *source);

/*
 * Raises ERRCODE_FEATURE_NOT_SUPPORTED for a model that depends on more than the cell, and for any
 * model if values are read together: what is read again cannot be judged once.
 */
extern void cohort_judge_check(List *models, const CohortRules *rules);

#endif /* KANON_COHORT_JUDGE_H */
