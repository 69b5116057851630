/*
 * cohort_advance.h
 *		One night of a table with releases by cohorts: reads it, decides, judges the new cells by
 *		privacy models (cohort_judge.c), and writes the state.
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
#ifndef KANON_COHORT_ADVANCE_H
#define KANON_COHORT_ADVANCE_H

#include "postgres.h"

#include "cohort/cohort_source.h"

/*
 * Advances the state of a table that has one.  Locks the state before it reads the table, in the
 * latest snapshot, all in one transaction.  The releases show the result when they are refreshed.
 * Call within a query scope.  Errors: those of cohort_state_lock and cohort_source_read.
 */
extern void cohort_advance(Oid relation);

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

#endif /* KANON_COHORT_ADVANCE_H */
