/*
 * cohort_presence.h
 *		Who of those that releases by cohorts show is still there, and who is not shown.
 */
#ifndef KANON_COHORT_PRESENCE_H
#define KANON_COHORT_PRESENCE_H

#include "postgres.h"

#include "cohort/cohort_state.h"

/* People, by the table as it is now and the cells of the last night. */
typedef struct CohortPresence
{
	int64 left;    /* of a shown cell, and no longer there */
	int64 hidden;  /* there, of a cell that is not shown */
	int64 waiting; /* there, of no cell yet */
} CohortPresence;

/* Reads both as cohort_source_read does, with its errors; in the current context. */
extern CohortPresence cohort_presence_count(const CohortState *state);

#endif /* KANON_COHORT_PRESENCE_H */
