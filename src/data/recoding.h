/*
 * recoding.h
 *		What every recoding gives: whose rows are published alike, and as what.
 *
 * Rows of a group get the same cells.  A group is a class of rows that are recoded together,
 * or, where cells are generalized one by one, a record by itself.  A cell is told in codes;
 * those who write cells make a text or a range of it.  Cells are made when they are asked for:
 * there may be as many groups as rows.
 */
#ifndef KANON_RECODING_H
#define KANON_RECODING_H

#include "postgres.h"

#include "data/dataset.h"
#include "data/dimension.h"

typedef enum RecodedKind
{
	RECODED_NULL,   /* NULL itself */
	RECODED_SPAN,   /* the values from code "low" to code "high" */
	RECODED_LABEL,  /* the label at "level" above ground code "low"; at level 0 that value */
	RECODED_DIGITS, /* the values with the letters "letter" */
	RECODED_ALL     /* any value, and NULL */
} RecodedKind;

#define RECODED_MASKED (-2) /* instead of a letter, whose code may be DATASET_NULL */

typedef struct RecodedCell
{
	RecodedKind kind;
	int level;
	int32 low;
	int32 high;
	const int32 *letter; /* [digit]: its code, or RECODED_MASKED, as all are of RECODED_ALL; the
						  * recoding's, until the next */
	int32 leaves;        /* values with these digits: they are counted for all cells at once */
} RecodedCell;

/* What the codes of a column are, and how its values may be generalized. */
typedef struct RecodingColumn
{
	const Dimension *dimension; /* codes are its ground codes: labels or digits; NULL: ordered */
	const double *position;     /* ordered: [code] its place on a scale; NULL: the code is it */
	double whole;               /* ordered: places between the least and the greatest value */
	bool spans;                 /* ordered: several values become a span; else RECODED_ALL */
	int digits;                 /* 0: they are not masked one by one */
} RecodingColumn;

typedef struct Recoding Recoding;

/* Takes a row: its number, as it came, and its codes. */
typedef void (*RecodingRow)(void *state, int32 row, const int32 *code);

struct Recoding
{
	int64 rows;
	int columns;
	const RecodingColumn *column;
	int32 groups;              /* numbered from 1 */
	const int32 *group_of_row; /* [row, as they came]: whose cells it gets; NULL: nobody asked,
								* and rows get those of class 1 first, then of class 2, .. */

	/* Classes: the rows of one are the records of the dataset from the end of the one before it
	 * to its own end; the end of class 0 is 0.  NULL where each row has a group to itself. */
	const int32 *class_end;
	const Dataset *dataset;
	int64 people; /* different ones in the class that has fewest; 0: rows are counted */

	/*
	 * Where each row has a group to itself, and somebody asked: rows of one kind are alike, and
	 * nobody can tell them apart; a group covers rows of so many kinds, some of them twice.
	 */
	const int32 *kind_of_row; /* [row, as they came]; else NULL */
	int covers;
	void (*covered)(const Recoding *recoding, int32 group, int32 *kind);

	/* The cells of a group, [column]. */
	void (*cells)(const Recoding *recoding, int32 group, RecodedCell *cell);

	/* Of classes: tells all rows of one, in any order. */
	void (*each_row)(const Recoding *recoding, int32 class, RecodingRow take, void *state);

	/*
	 * Rows that are too many for memory are recoded piece by piece, classes behind classes: all of
	 * the above but rows, columns and column is of a piece, whose groups are numbered from 1 again,
	 * and goes with it.  Makes the recoding the next piece, false behind the last.  NULL: there is
	 * one.
	 */
	bool (*next)(Recoding *recoding);
	int32 groups_before; /* in the pieces before */
	int64 rows_before;
};

/* As many rows are published with the cells of the group. */
static inline int64
recoding_group_rows(const Recoding *recoding, int32 group)
{
	return recoding->class_end ? recoding->class_end[group] - recoding->class_end[group - 1] : 1;
}

/* What NULL's code stands for: where there are unknown values, for these too. */
static inline RecodedKind
recoding_null(const RecodingColumn *column)
{
	return column->dimension && column->dimension->has_unknown ? RECODED_ALL : RECODED_NULL;
}

/* The place of a code of an ordered column. */
static inline double
recoding_place(const RecodingColumn *column, int32 code)
{
	return column->position ? column->position[code] : (double) code;
}

#endif /* KANON_RECODING_H */
