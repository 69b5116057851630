/*
 * cohort_advance.h
 *		One night of a table with releases by cohorts: read, decided, written down.
 */
#ifndef KANON_COHORT_ADVANCE_H
#define KANON_COHORT_ADVANCE_H

#include "postgres.h"

#include "cohort/cohort_state.h"

/*
 * Advances the state of a table that has one.  The state is locked before the table is read, in the
 * latest snapshot; the transaction does both or neither.  What is published of it changes when its
 * releases are refreshed.  Within a query scope.  Errors: those of cohort_state_lock and
 * cohort_source_read.
 */
extern void cohort_advance(Oid relation);

#endif /* KANON_COHORT_ADVANCE_H */
