/*
 * quality_query.h
 *		Measures a release against its source: the release's classes, the loss of its cells, and
 *		count queries over both.
 */
#ifndef KANON_QUALITY_QUERY_H
#define KANON_QUALITY_QUERY_H

#include "postgres.h"

#include "cell/cell_format.h"
#include "cell/recoding_cells.h"
#include "relation/predicate.h"

/* One quasi-identifier. */
typedef struct QualityColumn
{
	double loss;        /* mean over the rows */
	int levels;         /* CELL_LEVELS of its height */
	int64 *rows;        /* [level]: of the release; current context */
	const char **label; /* [level]: its most frequent cell, as text; NULL: there is none */
} QualityColumn;

typedef struct QualityTally
{
	int64 classes;
	int64 smallest; /* rows of the smallest class, 0 if there is none */
	int64 rows;     /* of the release */
	double squares; /* sum of the squared sizes of classes */
	int64 source_rows;
	double loss; /* if it has rows: mean over them, then over the attributes by their weights */
	const QualityColumn *column; /* in order; current context */
} QualityTally;

/* One count query over both relations. */
typedef struct QualityAnswer
{
	int64 actual;    /* over the source */
	double estimate; /* over the release, assuming that values are spread evenly over each cell */
} QualityAnswer;

/*
 * columns: of CellColumn, one for each quasi-identifier of the source in order.  predicates: bound.
 * answers: room for one for each predicate.  Within a query scope; read only; in the current
 * context, against the memory limit.
 *
 * The release is grouped once, and the source counted once for every QUALITY_QUERY_PREDICATES
 * predicates; beyond that each attribute costs a GROUP BY of the source or a search for its
 * extremes.  Each different cell is read once.  A predicate costs O(classes + values + cells); the
 * classes lie in a temporary file meanwhile.
 *
 * Errors: those of cell_reader_open; a cell that cannot be understood, naming
 * its column and text (ERRCODE_INVALID_PARAMETER_VALUE).
 */
extern QualityTally quality_query_run(const List *columns, const List *predicates,
									  QualityAnswer *answers);

#define QUALITY_QUERY_PREDICATES 200

/*
 * The figures of a release's rows that its recoding would have kept: rows and losses.  The columns
 * are those of a relation that has its classes; count: SQL, an aggregate over it (alias r) that
 * counts their rows.  A GROUP BY of it for each column, so that the classes need not come here;
 * otherwise the same.
 */
extern RecodingFigures quality_query_losses(const List *columns, const char *count);

/* The ends of ranges in two columns; NaN: no end. */
typedef struct RangePair
{
	double low[2];
	double high[2];
	int64 rows;
} RangePair;

/*
 * The pairs of ranges that occur, at most "most", those with the most rows first; returns their
 * number.  Both columns are of one release, and have a scale (range_format_scale).  One GROUP BY as
 * the current user, within a query scope; in the current context.
 */
extern int quality_query_pairs(const CellColumn *x, const CellColumn *y, int most,
							   RangePair **pair);

#endif /* KANON_QUALITY_QUERY_H */
