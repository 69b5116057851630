/*
 * recoding.h
 *		The result of every recoding: which rows are published alike, and with which cells.
 *
 * All rows of a group get the same cells.  A group is a class of rows that are recoded together;
 * where cells are generalized one by one, it is a single record.  Cells are codes; the formats of
 * room cell turn them into texts or ranges.  Cells are made on demand, because there may be as many
 * groups as rows.
 */
#ifndef KANON_RECODING_H
#define KANON_RECODING_H

#include "postgres.h"

#include "data/dataset.h"
#include "data/dimension.h"

typedef enum RecodedKind
{
	RECODED_NULL,   /* NULL */
	RECODED_SPAN,   /* the values from code "low" to code "high" */
	RECODED_LABEL,  /* the label at "level" above ground code "low"; at level 0 the value itself */
	RECODED_DIGITS, /* the values that have the letters "letter" */
	RECODED_ALL     /* any value or NULL */
} RecodedKind;

#define RECODED_MASKED (-2) /* a hidden letter; DATASET_NULL is taken */

typedef struct RecodedCell
{
	RecodedKind kind;
	int level;
	int32 low;
	int32 high;
	const int32 *letter; /* [digit]: its code, or RECODED_MASKED; all masked for RECODED_ALL.  Owned
							by the recoding, valid until the next call */
	int32 leaves;        /* values with these digits, counted for all cells at once */
} RecodedCell;

/* The meaning of a column's codes, and how its values may be generalized. */
typedef struct RecodingColumn
{
	const Dimension *dimension; /* codes are its ground codes; NULL: codes are ordered */
	const double *position;     /* of spans: [code] its place on a scale; NULL: the code itself */
	double whole;               /* of spans: distance from the least to the greatest place */
	bool spans;                 /* several values become a span; otherwise RECODED_ALL */
	bool plain; /* ordered, of a region: a value is shown or, among others, hidden */
	bool nulls; /* what is hidden is NULL, whatever the type; otherwise texts become "*" */
	int digits; /* number of digits that are masked one by one; 0: none */
} RecodingColumn;

typedef struct Recoding Recoding;

/* Takes a row: its number in the order of arrival, and its codes. */
typedef void (*RecodingRow)(void *state, int32 row, const int32 *code);

struct Recoding
{
	int64 rows;
	int columns;
	const RecodingColumn *column;
	int32 groups;              /* numbers start at 1 */
	const int32 *group_of_row; /* [row, in order of arrival]: its group; NULL: not requested, and
								  the rows of class 1 come first, then those of class 2, .. */

	/*
	 * The rows of class i are the records of the dataset from class_end[i - 1] to class_end[i];
	 * class_end[0] is 0.  Rows behind the last class are left out: they are not published, and
	 * their group is 0.  NULL: each row is a group of its own.
	 */
	const int32 *class_end;
	const Dataset *dataset;
	int64 people; /* distinct people in the class that has fewest; 0: rows are counted */

	/*
	 * Only if each row is a group of its own, and on request.  Rows of one kind are
	 * indistinguishable.  A group covers rows of "covers" kinds, some of them twice.
	 */
	const int32 *kind_of_row; /* [row, in order of arrival]; otherwise NULL */
	int covers;
	void (*covered)(const Recoding *recoding, int32 group, int32 *kind);

	/* The cells of a group, [column]. */
	void (*cells)(const Recoding *recoding, int32 group, RecodedCell *cell);

	/* Classes only: passes on all rows of one, in any order. */
	void (*each_row)(const Recoding *recoding, int32 class, RecodingRow take, void *state);

	/*
	 * If memory cannot hold all rows, they are recoded piece by piece, one class after the other.
	 * Then everything above except rows, columns and column describes one piece, whose groups are
	 * numbered from 1 again, and lives as long as the piece.  Advances to the next piece; false
	 * after the last.  NULL: there is only one.
	 */
	bool (*next)(Recoding *recoding);
	int32 groups_before; /* in earlier pieces */
	int64 rows_before;
};

/* The number of rows published with the cells of the group. */
static inline int64
recoding_group_rows(const Recoding *recoding, int32 group)
{
	return recoding->class_end ? recoding->class_end[group] - recoding->class_end[group - 1] : 1;
}

/* What NULL's code stands for: if there are unknown values, or hidden ones, for these too. */
static inline RecodedKind
recoding_null(const RecodingColumn *column)
{
	return column->nulls || (column->dimension && column->dimension->has_unknown) ? RECODED_ALL
																				  : RECODED_NULL;
}

/* The place of a code of an ordered column. */
static inline double
recoding_place(const RecodingColumn *column, int32 code)
{
	return column->position ? column->position[code] : (double) code;
}

#endif /* KANON_RECODING_H */
