/*
 * cohort_state.h
 *		The tables kanon_cohort, kanon_cohort_cell and kanon_cohort_member: what releases by
 *		cohorts of a table remember, once for all of them.
 *
 * Who lost it could not know whose rows may be published together, so nothing here is forgotten:
 * not when the last release is dropped, nor when the table is.  Their owner's table is written
 * by kanon alone (sql/own_table.h).  All run within a query scope.
 */
#ifndef KANON_COHORT_STATE_H
#define KANON_COHORT_STATE_H

#include "postgres.h"

#include "base/random.h"
#include "cohort/cohort_night.h"
#include "data/row_source.h"
#include "utils/array.h"

/* What a release says of its table, once and for all. */
typedef struct CohortTerms
{
	CohortRules rules;
	const char *key;
	ArrayType *quasi_identifiers; /* name[] */
	ArrayType *dimensions;        /* regclass[]: of each, or NULL */
	ArrayType *columns;           /* name[]: published as they are */
	const char *models;           /* as text, "" for none */
} CohortTerms;

typedef struct CohortState
{
	Oid table; /* kanon_cohort, and its companions */
	Oid cells;
	Oid members;
	int64 number;
	Oid relation;
	CohortTerms terms;
	int32 night;
	int64 numbers; /* of cells, that were given */
	const char *home;
	RandomKey secret;
} CohortState;

/*
 * ERRCODE_INSUFFICIENT_PRIVILEGE unless the current user has the privileges of the table's owner:
 * what is remembered is for nobody else, and who sees other rows than the owner takes people for
 * gone.
 */
extern void cohort_state_check_owner(Oid relation);

/* The state of a table, in the current context, or NULL. */
extern CohortState *cohort_state_find(Oid relation);

/*
 * Begins one.  Errors: ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE: there is one of a table of that
 * name that was dropped, which kanon_adopt_cohorts takes up.
 */
extern void cohort_state_insert(Oid relation, const CohortTerms *terms);

/*
 * Begins another night: nobody else does until the transaction ends.  Under REPEATABLE READ it
 * fails (ERRCODE_T_R_SERIALIZATION_FAILURE) if somebody did since the snapshot was taken. Errors:
 * ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE: the state comes from another server, database or
 * timeline.
 */
extern CohortState *cohort_state_lock(Oid relation);

/* Its rows: (cell, shown, low, high, failing) by number; (digest, cell, since). */
extern void cohort_state_scan_cells(const CohortState *state, RowConsumer consumer, void *of);
extern void cohort_state_scan_members(const CohortState *state, RowConsumer consumer, void *of);

/* Of the members of cells that are divided tonight: (digest, values). */
extern void cohort_state_scan_divided(const CohortState *state, const CohortNight *night,
									  RowConsumer consumer, void *of);

/* Runs a statement about one of its tables as the owner, where %s is the table's name. */
extern void cohort_state_run(Oid table, const char *sql, int count, const Oid *types,
							 const Datum *values);

/* Puts down that the night is over. */
extern void cohort_state_close(const CohortState *state);

/*
 * Makes this server, database and timeline the home of the state of a table, or of one of that name
 * that was dropped, if its owner was one whose privileges the current user has.  Errors: that of
 * cohort_state_check_owner; there is none (ERRCODE_UNDEFINED_OBJECT).
 */
extern void cohort_state_adopt(Oid relation);

/* Within event triggers: a column was renamed; tables were dropped. */
extern void cohort_state_follow_rename(Oid schema, const char *old_name, const char *new_name);
extern void cohort_state_follow_drop(Oid schema);

#endif /* KANON_COHORT_STATE_H */
