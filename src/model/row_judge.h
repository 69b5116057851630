/*
 * row_judge.h
 *		Judges groups of rows by privacy models: a group is filled row by row and judged as an
 *		equivalence class.
 *
 * Parts of Mondrian, classes that window functions are handed and cells of cohorts are judged here;
 * classes of the nodes of a search by class_judge.h, which says why.
 *
 * The judge keeps two groups that are parts of one whole.  All rows are added to the rest; then
 * some are taken.  So one walk over sorted rows judges both sides of every cut.
 *
 * With people, the members of a group, and of each sensitive value in it, are distinct people; rows
 * of nobody do not count.  Then the judge checks k as well, because the number of rows does not
 * decide it.
 *
 * Of rows that are only counted, people are known by two counts for each code of an attribute: how
 * many have there the lowest of their rows, and how many the highest (RowPeople.counted).  The
 * greater of both sums is the number of people with rows at these codes if no code below, or none
 * above, is left out: for the two sides of a cut.  For other codes there may be more people, so the
 * judge may then take a group that satisfies k for one that fails.
 */
#ifndef KANON_ROW_JUDGE_H
#define KANON_ROW_JUDGE_H

#include "postgres.h"

#include "base/budget.h"
#include "model/model.h"

#define ROW_NOBODY (-1)

/* The people to whom the rows belong. */
typedef struct RowPeople
{
	int64 k;             /* distinct people that a group needs */
	int32 people;        /* distinct people in all */
	const int32 *person; /* [row]: number in the order of the persons' values, or ROW_NOBODY */
	int32 *pairs;        /* [column]: distinct pairs of person and sensitive value */
	int32 **pair;        /* [column][row]: number of the pair, dense; undefined for rows of
						  * nobody */
	bool counted;        /* rows are only counted, and all these unknown but k */
} RowPeople;

/* The models, and the sensitive values of each row. */
typedef struct RowModels
{
	Demand demand;           /* with the domains over all rows */
	int32 **code;            /* [column][row]: code in the domain */
	const RowPeople *people; /* NULL: members are rows */
	const SampleTest *test;  /* the rows are a sample, and this tests its current split; NULL:
							  * all rows */
} RowModels;

typedef struct RowJudge RowJudge;

typedef enum RowGroup
{
	GROUP_REST,
	GROUP_TAKEN
} RowGroup;

/*
 * In the current context, against the budget: 28 bytes for each sensitive value and 16 more for
 * each model on it, 12 for each person and pair.  Keeps the pointer to models.
 */
extern RowJudge *row_judge_create(const RowModels *models, Budget *budget);

/* Empties both groups.  O(rows and values they held). */
extern void row_judge_begin(RowJudge *judge);

/* Adds a row to the rest. */
extern void row_judge_add(RowJudge *judge, int32 row);

/*
 * Adds this many rows with a sensitive value of one column; all columns must get the same rows.
 * Not with people.
 */
extern void row_judge_add_rows(RowJudge *judge, int column, int32 code, int32 rows);

/*
 * Adds people, or those with a sensitive value of one column, of whom so many have the lowest of
 * their rows at a code and so many the highest.
 */
extern void row_judge_add_people(RowJudge *judge, int32 lowest, int32 highest);
extern void row_judge_add_members(RowJudge *judge, int column, int32 code, int32 lowest,
								  int32 highest);

/* Call it after the last row was added, before anything is taken or judged. */
extern void row_judge_end(RowJudge *judge);

/* Moves a row from the rest to the rows taken. */
extern void row_judge_take(RowJudge *judge, int32 row);

/* The same for what was only counted. */
extern void row_judge_take_rows(RowJudge *judge, int column, int32 code, int32 rows);
extern void row_judge_take_people(RowJudge *judge, int32 lowest, int32 highest);
extern void row_judge_take_members(RowJudge *judge, int column, int32 code, int32 lowest,
								   int32 highest);

/*
 * Does the group satisfy all models, and k if people count?  O(distinct values added), times the
 * cost of the models.
 */
extern bool row_judge_holds(RowJudge *judge, RowGroup group);

/*
 * The least number of rows, of at least "least", such that any so many of the rest satisfy all
 * models, and any more; beyond the rows of the rest if these fail.  For models that are
 * class_alone, without people.
 */
extern int64 row_judge_least_rows(const RowJudge *judge, int64 least);

/*
 * Do both groups satisfy?  For successive cuts of the same rows: skips a group while an earlier
 * refutation shows that it fails.
 */
extern bool row_judge_both_hold(RowJudge *judge);

/* Distinct people in the group; 0 if rows are counted. */
extern int64 row_judge_people(const RowJudge *judge, RowGroup group);

/* The least slack (model.h) of all models for the group, which must satisfy. */
extern double row_judge_slack(RowJudge *judge, RowGroup group);

/* Compares two rows by their sensitive values, then by person. */
extern int row_judge_compare(const RowJudge *judge, int32 one, int32 other);

#endif /* KANON_ROW_JUDGE_H */
