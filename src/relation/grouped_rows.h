/*
 * grouped_rows.h
 *		How the rows of a relation are grouped.  The only place that knows where they lie.
 *
 * Rows of a local table are grouped directly.  For partitions on foreign servers, PostgreSQL does
 * not push GROUP BY down but fetches all rows, unless the partition key is among the grouped
 * columns.  So each partition is grouped where it lies, and only groups travel.  Citus pushes GROUP
 * BY down, but not GROUPING SETS.
 *
 * If rows hardly repeat, grouping them remotely costs more than it saves.  A sample of a large
 * partition decides.
 *
 * A foreign server's error quotes the remote query but not the server.  So each query counts a
 * literal that names server and partition (sql/query reads it).
 *
 * Partitions are read by name only by users who may read them, and only without row security on the
 * relation and its partitions.  All others read through the relation.  The privileges on the
 * relation itself are checked in any case.
 *
 * As PostgreSQL does for conditions it sends, this assumes that values equal on a foreign server
 * are equal here: a column is declared with the same type, and its collation is no coarser there.
 */
#ifndef KANON_GROUPED_ROWS_H
#define KANON_GROUPED_ROWS_H

#include "postgres.h"

#include "data/row_source.h"
#include "nodes/bitmapset.h"
#include "relation/description.h"

/* SQL; the query that groups it gives it the alias s. */
typedef struct GroupedRows
{
	const char *relation; /* in FROM: its name, or the groups of its partitions */
	const char *members;  /* bigint: rows represented by one; NULL: one each */
	const char *count;    /* aggregate, bigint: the number of rows */
	bool elsewhere;       /* groups are counted remotely, and fewer travel */
} GroupedRows;

/* What the columns are for. */
typedef enum GroupedFor
{
	GROUPED_FOR_ONE,  /* a GROUP BY */
	GROUPED_ALWAYS,   /* one by a caller that has decided to group remotely and asks repeatedly: no
					   * sample */
	GROUPED_FOR_SETS, /* GROUPING SETS */
	GROUPED_FOR_ROWS  /* looking at each row: groups of identically written rows; 1.0 and 1.00 are
					   * different */
} GroupedFor;

/*
 * For a GROUP BY over these columns (attribute numbers), a subset of them, or columns joined to
 * them.  It may also count distinct values of one of them.  Call within a query scope, as the
 * current user; in the current context.  Locks the partitions.
 */
extern GroupedRows grouped_rows(const Description *description, const Bitmapset *columns,
								GroupedFor use);

/*
 * With one more column, unless it is NULL, under its own name: its value for a group of one row,
 * otherwise any value of the group.  Its type must have a min aggregate.
 */
extern GroupedRows grouped_rows_with(const Description *description, const Bitmapset *columns,
									 GroupedFor use, const DescribedAttribute *more);

/* SQL that counts the rows, grouped or not, that satisfy a condition over s; 0 if none. */
extern const char *grouped_rows_count_if(const GroupedRows *rows, const char *condition);

/* SQL that counts rows or, for a person column, its distinct values. */
extern const char *grouped_rows_members(const GroupedRows *rows, const DescribedAttribute *person);

/*
 * A row source of these attributes, with the types described, and of "more", unless it is NULL: a
 * text, as an expression over a row "s".  grouped: equal rows come once with their number, and more
 * is an aggregate.  Call within a query scope.
 */
extern RowSource *grouped_rows_select(const GroupedRows *rows, DescribedAttribute *const *attribute,
									  int count, const char *more, bool grouped);

/*
 * A row source of these attribute numbers, in ascending order, with the types described
 * (row_query_create).  Identically written rows may come as one with a count (GROUPED_FOR_ROWS).
 * Call within a query scope.
 */
extern RowSource *grouped_rows_source(const Description *description, const Bitmapset *numbers);

#endif /* KANON_GROUPED_ROWS_H */
