/*
 * cell_format.h
 *		What the cells of a released column are, and what they mean.
 *
 * A cell stands for values of the quasi-identifier it was made from, the source; the header of
 * each format says for which.  What could be several things is a value before it is a label, a
 * label of a low level before one of a high level, and [a - b] only then, unless the level is
 * known.
 *
 * Its loss is that of metric/loss.h: of an interval its width of what lies between the source's
 * least and greatest value; of others by the values they stand for, where the domain is the
 * dimension, or without one the values of the source.  The share of a cell that a predicate
 * covers assumes that values are spread evenly over it (LeFevre, DeWitt, Ramakrishnan 2005b,
 * section 5): by length in intervals, but of whole numbers and of days by count, as in all
 * others.
 */
#ifndef KANON_CELL_FORMAT_H
#define KANON_CELL_FORMAT_H

#include "postgres.h"

#include "data/recoding.h"
#include "dimension/star_query.h"
#include "lib/stringinfo.h"
#include "nodes/pg_list.h"
#include "relation/description.h"
#include "relation/grouped_rows.h"
#include "relation/predicate.h"

#define CELL_LEVEL_UNKNOWN (-1)

/* Levels of cells: 0 for a value, then those of the dimension with this height, then .. */
#define CELL_LEVEL_ALL(height) ((height) + 1)  /* any value */
#define CELL_LEVEL_PART(height) ((height) + 2) /* a range, or some digits */
#define CELL_LEVELS(height) ((height) + 3)

/* A column of cells to be read. */
typedef struct CellColumn
{
	const Description *source;
	const char *rows;     /* rows of the source, in FROM: from cell_format_begin */
	int quasi;            /* index into source->quasi */
	int number;           /* of the column in its query, from 1 */
	const char *release;  /* qualified and quoted */
	const char *cells;    /* in FROM, to cover: rows that have its cells; NULL: the release */
	const char *released; /* its column */
	Oid type;             /* and its type */
	int level;            /* hierarchy level of all its cells, or CELL_LEVEL_UNKNOWN */
	bool cellwise;        /* cells were generalized one by one */
	List *predicates;     /* of Predicate, bound */
} CellColumn;

/* The writer of a column's cells (cell_writer.h). */
typedef struct CellWriter CellWriter;

/* A column whose cells are looked up by their texts (cell_texts.h). */
typedef struct CellTexts CellTexts;

/*
 * A format is written, given what a recoding says of a cell, NULL itself apart.  It is read as
 * SQL that is appended to a WITH, each table after a comma and with the column's number at its
 * end, given
 *
 *	raw (id, v, t, n)	the cells, equal ones with one id: value, text, rows
 *
 * A format that all cells of a column have, or none of them, measures or covers them: or says
 * false and appends nothing.
 *
 *	cell (id, n, t, unrecognized, loss, level, s<i>, ..)	one row for each id: its text; the same
 *		of a cell that cannot be understood, else NULL; its loss and level; the share that
 *		predicate number i (from 0) covers, for each that names the attribute
 *	cover (id, lo, hi, unrecognized)	one row or several for each cell: it covers the values
 *		of the source from number lo to before hi, counted from 0 in their order; hi is
 *		CELL_COVER_ALL where it covers anything
 *
 * A format of texts, which may stand beside others, has tables and terms: each " UNION ALL SELECT
 * ..", but that of values, which is the first.
 */
typedef struct CellFormat
{
	const char *name;
	Oid (*type)(Oid value_type);         /* type of cells for a base type; NULL: text */
	void (*prepare)(CellWriter *writer); /* prepares for writing; or NULL */
	Datum (*write)(CellWriter *writer, const RecodedCell *cell, bool *isnull);
	bool (*measure)(StringInfo sql, const CellColumn *column);
	bool (*cover)(StringInfo sql, const CellColumn *column);
	void (*tables)(StringInfo sql, const CellTexts *texts);
	void (*terms)(StringInfo sql, const CellTexts *texts);
} CellFormat;

/* All formats; NULL at the end. */
extern const CellFormat *const cell_formats[];

/*
 * Begins a statement: "WITH" and possibly a table.  Returns the rows of the source for all of these
 * columns, and how they count.
 */
extern GroupedRows cell_format_begin(StringInfo sql, const List *columns);

/* Does a predicate name the attribute? */
extern bool cell_format_is_asked(const CellColumn *column);

/*
 * Append raw and cell, given a table class (c<number>, n) of cells and rows or, for a column that
 * is asked for, asked (i<number>, c<number>, n) with ids, which others do not have; or raw and
 * cover, read from the release, NULLs apart and ids numbered from 0 in the order of the
 * cells.  Within a query scope; of data, only single labels of dimensions and those that mask
 * digits are read.
 *
 * Errors: those of star_query_build; a range over another type than the attribute's
 * (ERRCODE_DATATYPE_MISMATCH), or, to be measured, over one whose widths are not known
 * (ERRCODE_FEATURE_NOT_SUPPORTED).
 */
extern void cell_format_measure(StringInfo sql, const CellColumn *column);
extern void cell_format_cover(StringInfo sql, const CellColumn *column);

/*
 * The format for cells of values of a type. "labels": there is a dimension; "digits": it masks
 * single digits.  Otherwise with "spans" from value to value, without them values shown or hidden.
 */
extern const CellFormat *cell_format_choose(Oid type, bool labels, bool digits, bool spans);

/* The type of its cells. */
extern Oid cell_format_type(const CellFormat *format, Oid type);

/* ---- for formats */

extern const DescribedAttribute *cell_format_attribute(const CellColumn *column);

/* The height of its dimension; 0 without one. */
extern int cell_format_height(const CellColumn *column);

/*
 * Raises ERRCODE_INVALID_PARAMETER_VALUE for a cell that no format understands; the detail says
 * what cells are.  If the current user may not see all rows of the source or its dimension, it is
 * ERRCODE_INSUFFICIENT_PRIVILEGE, with a hint.
 */
pg_noreturn extern void cell_format_report_unrecognized(const CellColumn *column, const char *text,
														const char *cells);

/* The attribute's column at a level of its dimension. */
extern StarColumn cell_format_star(const CellColumn *column, int level);

/* SQL: the source's value, with alias s. */
extern const char *cell_format_value(const CellColumn *column);

/*
 * Concatenates a text for each predicate that mentions the attribute: in "format", %i is the
 * predicate's number, %c its condition over "value".
 */
extern char *cell_format_each(const CellColumn *column, const char *format, const char *value);

/* Does the predicate cover NULL with a share of 1 (otherwise 0)? */
extern bool cell_format_takes_null(const CellColumn *column, const Predicate *predicate);

/*
 * For each predicate that mentions the attribute, appends a comma and the share s<i> of the cell r,
 * which is "own" if NULL means itself; of the "members" of the table "counted" the predicate takes
 * h<i>.
 */
extern void cell_format_append_shares(StringInfo sql, const CellColumn *column,
									  const char *counted);

#endif /* KANON_CELL_FORMAT_H */
