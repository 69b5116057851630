/*
 * cell_query.h
 *		What the cells of a released column mean, and how much of a cell a
 *		predicate covers, as SQL.
 *
 * A cell stands for values of the quasi-identifier it was made from:
 *	- a range for the interval between its ends.  Ranges of whole numbers and of
 *	  days are taken at the least and greatest number in them; an end that is
 *	  open or infinite is the least or greatest finite value of the source;
 *	- a ground value for itself;
 *	- a label of the dimension for the ground values under it; "*" for all.
 *	  What could be several things is a ground value before it is a label, and a
 *	  label of a low level before one of a high level, unless the level is known;
 *	- the text [a - b] for the values of the source from a to b;
 *	- NULL for NULL where the source has NULLs in the column, else for anything.
 * Where cells were generalized one by one (docs/matching.md), besides
 *	- NULL for anything in a column of the attribute's type, other than text, without dimension;
 *	- where the dimension masks digits, text with any of them masked, for the ground
 *	  values that have the others.
 *
 * Its loss is that of metric/loss.h: of an interval its width of what lies between the
 * source's least and greatest value; of others by the values they stand for, where the domain
 * is the dimension, or without one the values of the source.
 *
 * The share of a cell that a predicate covers assumes that values are spread
 * evenly over the cell (LeFevre, DeWitt, Ramakrishnan, TR 1521, section 5): by
 * count in intervals of whole numbers and of days, by length in others, by
 * count of ground values elsewhere.
 */
#ifndef KANON_CELL_QUERY_H
#define KANON_CELL_QUERY_H

#include "postgres.h"

#include "lib/stringinfo.h"
#include "nodes/pg_list.h"
#include "relation/description.h"
#include "relation/predicate.h"

#define CELL_LEVEL_UNKNOWN (-1)

typedef struct CellColumn
{
	const Description *source;
	int quasi;            /* index into source->quasi */
	int number;           /* of the column among those measured, from 1 */
	const char *release;  /* qualified and quoted */
	const char *released; /* its column */
	Oid type;             /* and its type */
	int level;            /* of the hierarchy that all its cells are at, or CELL_LEVEL_UNKNOWN */
	bool cellwise;        /* cells were generalized one by one */
	List *predicates;     /* of Predicate, bound */
} CellColumn;

extern const DescribedAttribute *cell_query_attribute(const CellColumn *column);

/* Are its cells ranges over values, and not values or labels themselves? */
extern bool cell_query_is_interval(const CellColumn *column);

/*
 * Appends common table expressions, each after a comma, the last of which is
 *
 *	cell<number> (id, n, strange, loss, s<i>, ..)
 *
 * one row for each distinct cell: its id and rows, as a table coded (i<number>,
 * c<number>, n) has them, which must come before; its text where it cannot be
 * understood, else NULL; its loss; the share that predicate number i (from 0)
 * covers, for each predicate that names the attribute.  Runs within a query
 * scope, without reading data, but for single labels of dimensions.
 *
 * Errors: those of star_query_build; a range over another type than the
 * attribute's (ERRCODE_DATATYPE_MISMATCH).
 */
extern void cell_query_append(StringInfo sql, const CellColumn *column);

/* SQL: are there NULLs in the source's column? */
extern char *cell_query_has_null(const CellColumn *column);

/* SQL: is the cell r NULL, and means it? */
extern char *cell_query_own_null(const CellColumn *column);

/*
 * One text for each predicate that names the attribute, joined: "format" has
 * %i for the predicate's number, %c for its condition over "value".
 */
extern char *cell_query_each(const CellColumn *column, const char *format, const char *value);

/* Is the share of NULL that the predicate covers 1, not 0? */
extern bool cell_query_takes_null(const CellColumn *column, const Predicate *predicate);

/*
 * For each predicate that names the attribute, after a comma: the share s<i> of the
 * cell r, which is "own" where NULL means itself; h<i> of its "members", of the table
 * of that alias, are what the predicate takes.
 */
extern void cell_query_append_shares(StringInfo sql, const CellColumn *column, const char *counted);

#endif /* KANON_CELL_QUERY_H */
