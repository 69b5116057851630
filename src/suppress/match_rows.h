/*
 * match_rows.h
 *		How many rows a row matches if NULL matches anything.
 *
 * Two rows match if they agree in each column that both show.  So the rows that match one that
 * shows certain columns are counted by what they show of these: those that show the same of them
 * are a pattern, and match if they agree in all that it has.  A table has, for one set of columns,
 * the rows of each pattern by their values.
 *
 * Example: (a, x), (a, NULL), (b, NULL), (NULL, x).  By both columns there are three patterns.  The
 * first row matches itself, the second by its first column, and the last by its second: three rows.
 */
#ifndef KANON_MATCH_ROWS_H
#define KANON_MATCH_ROWS_H

#include "postgres.h"

#include "data/dataset.h"
#include "frequency/count_table.h"

#define MATCH_COLUMNS_MOST 64

/* Sets of columns are bits: 1 << i for the column i. */
typedef uint64 ColumnSet;

static inline ColumnSet
column_set_all(int columns)
{
	return columns == 0 ? 0 : PG_UINT64_MAX >> (MATCH_COLUMNS_MOST - columns);
}

static inline ColumnSet
column_set_of(int column)
{
	return UINT64CONST(1) << column;
}

/* The rows of a dataset as keys. */
typedef struct MatchRows
{
	const Dataset *dataset;
	int columns;
	int words;
	uint64 *mask;     /* [column][word] of a key */
	uint64 *key;      /* [row][word] */
	ColumnSet *shown; /* [row]: columns in which it has a value */
} MatchRows;

/*
 * Of a final dataset with dense codes, of at most MATCH_COLUMNS_MOST columns, whose rows stay where
 * they are.  Rows of groups count as often as they stand for.  order: [column], its attribute; NULL
 * for the attributes as they come.  In the current context, against the dataset's budget.
 */
extern MatchRows *match_rows_create(const Dataset *dataset, const int *order);

/* Sets mask[word] to the bits of a key that these columns have. */
extern void match_rows_mask(const MatchRows *rows, ColumnSet columns, uint64 *mask);

/* Sets key[word] to what a row has in these columns. */
extern void match_rows_key(const MatchRows *rows, int64 row, ColumnSet columns, uint64 *key);

/* The rows by what they show of a set of columns. */
typedef struct MatchTable MatchTable;

/*
 * The table of all rows; shown: [row], at most what the rows have values in.  In the current
 * context, against the budget.  O(rows log patterns).
 */
extern MatchTable *match_table_create(const MatchRows *rows, const ColumnSet *shown,
									  ColumnSet columns);
extern void match_table_free(MatchTable *table);

/* The bytes that making a table of all rows takes at most, but for many patterns. */
extern Size match_table_bytes(const MatchRows *rows);

/*
 * Counts a row that shows these columns of all so many times more, or less.  False if memory does
 * not suffice: the table is of no more use.
 */
extern bool match_table_add(MatchTable *table, int64 row, ColumnSet shown, int64 count);

/*
 * The number of rows that this one, which has a value in all columns of the table, matches by them,
 * itself included if it is in the table.  A lookup for each pattern.
 */
extern int64 match_table_count(const MatchTable *table, int64 row);

/*
 * Sets count[row] to the number of rows that each matches by these columns.  For each set of them
 * that some row shows, a table of all rows, one after the other.  Answers cancels.
 */
extern void match_rows_count(const MatchRows *rows, ColumnSet columns, int64 *count);

#endif /* KANON_MATCH_ROWS_H */
