/*
 * cohort_judge.h
 *		Privacy models of cohorts.
 *
 * A cell that fails them publishes NULL in the sensitive columns, for ever.  It is shown all the
 * same: were it to wait until it satisfies, its people would be those who share a value.
 */
#ifndef KANON_COHORT_JUDGE_H
#define KANON_COHORT_JUDGE_H

#include "postgres.h"

#include "cohort/cohort_source.h"

/*
 * Judges cells whose values are read tonight, or that others were divided into: where one of these
 * fails, all do, since a reader of earlier copies has the values of all of them together.  Marks
 * those that fail.  After the night has passed; in the current context.  Errors: those of
 * sensitive_columns_find.
 */
extern void cohort_judge(const CohortState *state, CohortSource *source, CohortNight *night);

/* ERRCODE_FEATURE_NOT_SUPPORTED if one of the models looks at more than a cell. */
extern void cohort_judge_check(List *models);

#endif /* KANON_COHORT_JUDGE_H */
