/*
 * cohort_advance.h
 *		One night of a table with releases by cohorts: reads it, decides, and writes the state.
 */
#ifndef KANON_COHORT_ADVANCE_H
#define KANON_COHORT_ADVANCE_H

#include "postgres.h"

#include "cohort/cohort_state.h"

/*
 * Advances the state of a table that has one.  Locks the state before it reads the table, in the
 * latest snapshot, all in one transaction.  The releases show the result when they are refreshed.
 * Call within a query scope.  Errors: those of cohort_state_lock and cohort_source_read.
 */
extern void cohort_advance(Oid relation);

#endif /* KANON_COHORT_ADVANCE_H */
