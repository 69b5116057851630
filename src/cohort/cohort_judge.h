/*
 * cohort_judge.h
 *		Privacy models of cohorts.
 *
 * A cell that fails them publishes NULL in its sensitive columns, forever.  It is shown
 * nevertheless: if it waited until it satisfied, its people would be known to share a value.
 */
#ifndef KANON_COHORT_JUDGE_H
#define KANON_COHORT_JUDGE_H

#include "postgres.h"

#include "cohort/cohort_source.h"

/*
 * Judges the cells whose values are read tonight, and cells made by division.  If one part of a
 * divided cell fails, all do, because a reader of earlier copies has the values of all parts
 * together.  Marks cells that fail.  Call it after the night was passed; in the current context.
 * Errors: those of sensitive_columns_find.
 */
extern void cohort_judge(const CohortState *state, CohortSource *source, CohortNight *night);

/* Raises ERRCODE_FEATURE_NOT_SUPPORTED for a model that depends on more than the cell. */
extern void cohort_judge_check(List *models);

#endif /* KANON_COHORT_JUDGE_H */
