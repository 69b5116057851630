/*
 * grouped_rows.h
 *		Which way the rows of a relation are grouped: the one place that knows where they lie.
 *
 * Rows of a local table are grouped as they are.  PostgreSQL does not push GROUP BY down to the
 * parts of a table that lie on foreign servers, but fetches all rows, unless they are partitioned
 * by what is grouped.  So each part is grouped by itself, where it lies, and what travels are
 * groups.  Citus pushes GROUP BY down, but no GROUPING SETS.
 *
 * Where rows hardly repeat, to group them on the way costs more than it saves: so a sample of a
 * large part tells whether it is done.
 *
 * An error of a foreign server tells what it was asked, not which one it is: so each is asked to
 * count a literal that names it and the part (sql/query reads it).
 *
 * Parts are read by their names only by those who may read them under these as well, and where no
 * row security is in the way of the relation or of a part; all others read through the
 * relation, as always.  The privileges of the relation itself are asked for in any case.
 *
 * As PostgreSQL does with conditions that it sends, this takes it for granted that values which a
 * foreign server holds for equal are equal here: a column is declared here with the type that it
 * has there, and its collation is not a coarser one there.
 */
#ifndef KANON_GROUPED_ROWS_H
#define KANON_GROUPED_ROWS_H

#include "postgres.h"

#include "nodes/bitmapset.h"
#include "relation/description.h"

/* SQL; who groups it gives it the alias s. */
typedef struct GroupedRows
{
	const char *relation; /* in FROM: its name, or the groups of its parts */
	const char *members;  /* bigint: how many rows one of them is; NULL: one */
	const char *count;    /* of rows: an aggregate, bigint */
	bool elsewhere;       /* groups are counted where rows lie, and fewer travel */
} GroupedRows;

/*
 * For a GROUP BY over some columns (their attribute numbers), or fewer, or over what is joined to
 * them; it may count different values of one of them, too.  Within a query scope, as the current
 * user; current context.  Parts are locked.
 */
extern GroupedRows grouped_rows(const Description *description, const Bitmapset *columns);

/* The same for GROUPING SETS. */
extern GroupedRows grouped_rows_for_sets(const Description *description, const Bitmapset *columns);

/* The same for who has decided that groups travel, and asks again and again. */
extern GroupedRows grouped_rows_always(const Description *description, const Bitmapset *columns);

/*
 * For who looks at the rows, each as often as it is there: groups of rows that are written alike,
 * 1.0 and 1.00 apart.
 */
extern GroupedRows grouped_rows_alike(const Description *description, const Bitmapset *columns);

/*
 * The same with one more column, under its own name: of a group of one row its value, of others
 * any.  Its type must have an aggregate min.
 */
extern GroupedRows grouped_rows_with(const Description *description, const Bitmapset *columns,
									 const DescribedAttribute *more);

/* The quasi-identifiers, for either. */
extern Bitmapset *grouped_rows_quasi(const Description *description);

/*
 * For a statement that reads rows more than once: if they lie elsewhere, a table for its WITH, from
 * which it reads them then; else NULL.
 */
extern const char *grouped_rows_once(GroupedRows *rows);

/* SQL that counts the rows, by groups or not, of which a condition over s holds; 0 if none does. */
extern const char *grouped_rows_count_if(const GroupedRows *rows, const char *condition);

/* SQL that counts rows, or different people: the values of a column. */
extern const char *grouped_rows_members(const GroupedRows *rows, const DescribedAttribute *person);

#endif /* KANON_GROUPED_ROWS_H */
