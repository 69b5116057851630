/*
 * row_judge.h
 *		Privacy models over groups of the rows of one table: a group is filled row by
 *		row and judged as an equivalence class.
 *
 * The judge keeps two groups that are parts of one: all rows added are in the rest
 * at first, and may be taken from there.  So both sides of every cut between sorted
 * rows are judged in one walk.
 *
 * With people, a group has as many members as different people, and so has each
 * sensitive value in it; rows of nobody count for nothing.  Then the judge decides on
 * k as well, which the number of rows does not tell.
 */
#ifndef KANON_ROW_JUDGE_H
#define KANON_ROW_JUDGE_H

#include "postgres.h"

#include "base/budget.h"
#include "model/model.h"

#define ROW_NOBODY (-1)

/* Whose rows these are. */
typedef struct RowPeople
{
	int64 k;             /* different people that a group needs */
	int32 people;        /* different ones in all */
	const int32 *person; /* [row]: in the order of their values; ROW_NOBODY */
	int32 *pairs;        /* [column]: different pairs of person and sensitive value */
	int32 **pair;        /* [column][row]: dense; anything where nobody is */
} RowPeople;

/* What is demanded, and the sensitive values of each row. */
typedef struct RowModels
{
	int models;
	const Model *const *model;
	const int *column_of; /* [model] */
	int columns;
	int32 **code;            /* [column][row]: of the domain */
	SensitiveDomain *domain; /* [column]: of all rows */
	const RowPeople *people; /* NULL: members are rows */
	const SampleTest *test;  /* rows are a sample, of whose split at hand this is; NULL: all */
} RowModels;

typedef struct RowJudge RowJudge;

typedef enum RowGroup
{
	GROUP_REST,
	GROUP_TAKEN
} RowGroup;

/*
 * In the current context, against the budget: 28 bytes for each sensitive value and 16 more
 * for each model that looks at it, 12 for each person and pair.  The models are kept.
 */
extern RowJudge *row_judge_create(const RowModels *models, Budget *budget);

/* Empties both groups.  O(what they held). */
extern void row_judge_begin(RowJudge *judge);

/* Adds a row to the rest. */
extern void row_judge_add(RowJudge *judge, int32 row);

/* Adds so many rows with a sensitive value of a column; for each column alike.  Without people. */
extern void row_judge_add_rows(RowJudge *judge, int column, int32 code, int32 rows);

/* To be called after the last row was added, before anything is taken or judged. */
extern void row_judge_end(RowJudge *judge);

/* Moves a row from the rest to those taken. */
extern void row_judge_take(RowJudge *judge, int32 row);

/* Likewise, of rows added so. */
extern void row_judge_take_rows(RowJudge *judge, int column, int32 code, int32 rows);

/*
 * Does the group satisfy all models, and k if people count?  O(different values
 * added), times what the models take.
 */
extern bool row_judge_holds(RowJudge *judge, RowGroup group);

/*
 * Do both groups?  For cut after cut of the same rows: a group is looked at only where it may
 * satisfy, or where it fails for another reason than before.
 */
extern bool row_judge_both_hold(RowJudge *judge);

/* Different people in the group; 0 where rows are counted. */
extern int64 row_judge_people(const RowJudge *judge, RowGroup group);

/* The least slack (model.h) that the models leave the group, which satisfies. */
extern double row_judge_slack(RowJudge *judge, RowGroup group);

/* Compares two rows by their sensitive values, and then by whose they are. */
extern int row_judge_compare(const RowJudge *judge, int32 one, int32 other);

#endif /* KANON_ROW_JUDGE_H */
