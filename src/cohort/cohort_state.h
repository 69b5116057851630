/*
 * cohort_state.h
 *		The tables kanon_cohort_state, .._cell and .._member: the state of a table, which all its
 *		releases by cohorts share.
 *
 * Without its state, nobody knows whose rows may be published together.  So nothing here is ever
 * deleted: not when the last release is dropped, nor when the table is.  Only kanon writes these
 * tables (sql/own_table.h).  Call all of these within a query scope.
 */
#ifndef KANON_COHORT_STATE_H
#define KANON_COHORT_STATE_H

#include "postgres.h"

#include "base/random.h"
#include "cohort/cohort_night.h"
#include "utils/array.h"
#include "utils/tuplestore.h"

/* The parameters that a release fixes for its table, once and for all. */
typedef struct CohortTerms
{
	CohortRules rules;
	const char *key;
	ArrayType *quasi_identifiers; /* name[] */
	ArrayType *dimensions;        /* regclass[]: of each, or NULL */
	ArrayType *columns;           /* name[]: columns published as they are */
	List *models;                 /* of Model */
} CohortTerms;

typedef struct CohortState
{
	int64 number;
	Oid relation;
	const char *name; /* of the relation, for statements and messages */
	CohortTerms terms;
	int32 night;
	int64 numbers;         /* cell numbers given so far */
	const ArrayType *loss; /* float8[]: mean loss of the rows shown, by quasi-identifier, or NULL */
	const char *home;
	RandomKey secret;
} CohortState;

/*
 * Raises ERRCODE_INSUFFICIENT_PRIVILEGE unless the current user has the privileges of the table's
 * owner.  The state is for the owner alone, and a user who sees fewer rows would take people for
 * absent.
 */
extern void cohort_state_check_owner(Oid relation);

/*
 * The state of a table, in the current context, or NULL; _get raises
 * ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE if a table with releases by cohorts has none.
 */
extern CohortState *cohort_state_find(Oid relation);
extern CohortState *cohort_state_get(Oid relation);

/*
 * The same for sessions that may begin, end or adopt a state: only one of them at a time, until the
 * end of its transaction.
 */
extern CohortState *cohort_state_find_alone(Oid relation);

/*
 * Creates a state.  Unless it is to begin anew, raises ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE if
 * another table that has one, or had one and was dropped, ever had the name of this one: it may
 * hold the same people, and kanon_adopt_cohorts can take the state over.  Names the other table
 * only to an owner who may do that.  Raises a NOTICE if a view of the table, a table that it is a
 * view of, or one that holds or is a part of it has a state.
 */
extern void cohort_state_insert(Oid relation, const CohortTerms *terms, bool anew);

/* Parts a state from its table, as if that had been dropped; it stays, under the table's name. */
extern void cohort_state_end(const CohortState *state);

/*
 * Raises ERRCODE_UNDEFINED_COLUMN if the key, a quasi-identifier or a column of a model was
 * dropped, and ERRCODE_UNDEFINED_TABLE if a dimension was: the cells depend on them.
 */
extern void cohort_state_check(const CohortState *state);

/*
 * Raises ERRCODE_T_R_SERIALIZATION_FAILURE.  The statement's snapshot does not show a state that
 * another session has begun since, nor its people, so the release would be empty.
 */
pg_noreturn extern void cohort_state_report_begun(Oid relation);

/*
 * Locks the state for another night until the end of the transaction.  Under REPEATABLE READ,
 * raises ERRCODE_T_R_SERIALIZATION_FAILURE if another session began or advanced it since the
 * snapshot was taken.  Raises ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE if the state comes from
 * another server, database or timeline.  Errors: also those of cohort_state_get and
 * cohort_state_check.
 */
extern CohortState *cohort_state_lock(Oid relation);

/*
 * What the texts of releases read: the rows that the state with this number has in "cohort_cell" or
 * "cohort_member", in the active snapshot.  Raises ERRCODE_UNDEFINED_OBJECT if there is no such
 * state, and ERRCODE_INSUFFICIENT_PRIVILEGE unless the current user has the privileges of the
 * table's owner, or of the last one of a table that was dropped.
 */
extern void cohort_state_put(int64 number, const char *table, Tuplestorestate *rows);

/* Records that the night is over. */
extern void cohort_state_close(const CohortState *state);

/*
 * Makes this server, database and timeline the home of a table's state.  If it has none, it gets
 * one of those that other tables, dropped or not, had under its name, and whose owner's privileges
 * the owner of this table has, whatever the caller's: the latest of its owner's own or else of the
 * others'.  Replaces dimensions that were dropped by those declared now.  Errors: that of
 * cohort_state_check_owner; ERRCODE_UNDEFINED_OBJECT if there is none.
 */
extern void cohort_state_adopt(Oid relation);

/*
 * For event triggers: a column was renamed; relations or schemas were renamed or moved; the
 * extension is to be dropped.
 */
extern void cohort_state_follow_rename(const char *old_name, const char *new_name);
extern void cohort_state_follow_names(void);
extern void cohort_state_notice_end(void);

#endif /* KANON_COHORT_STATE_H */
