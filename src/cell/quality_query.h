/*
 * quality_query.h
 *		Measures a release against its source by one statement: the release's classes, the loss of
 *		its cells, and count queries over both.
 */
#ifndef KANON_QUALITY_QUERY_H
#define KANON_QUALITY_QUERY_H

#include "postgres.h"

#include "cell/cell_format.h"

/* One quasi-identifier. */
typedef struct QualityColumn
{
	double loss;              /* mean over the rows */
	int levels;               /* CELL_LEVELS of its height */
	const int64 *rows;        /* [level]: of the release; current context */
	const char *const *label; /* [level]: its most frequent cell, as text; NULL: there is none */
} QualityColumn;

typedef struct QualityTally
{
	int64 classes;
	int64 smallest; /* rows of the smallest class, 0 if there is none */
	int64 rows;     /* of the release */
	double squares; /* sum of the squared sizes of classes */
	int64 source_rows;
	bool has_loss;               /* it has cells */
	double loss;                 /* mean over the rows, then over the attributes by their weights */
	const QualityColumn *column; /* in order; current context */
} QualityTally;

/* One count query over both relations. */
typedef struct QualityAnswer
{
	int64 actual;    /* over the source */
	double estimate; /* over the release, assuming that values are spread evenly over each cell */
} QualityAnswer;

/*
 * columns: of CellColumn, one for each quasi-identifier of the source in
 * order, numbered from 1, all with the same list of bound predicates, of at
 * most QUALITY_QUERY_PREDICATES.  answers: room for one for each predicate.  Within a query scope;
 * read only.
 *
 * The release is grouped once and the source counted once; beyond that each
 * attribute costs a GROUP BY of the source or a search for its extremes, and
 * each attribute that predicates name a sort of the classes.
 *
 * Errors: those of cell_format_measure; a cell that cannot be understood, naming
 * its column and text (ERRCODE_INVALID_PARAMETER_VALUE).
 */
extern QualityTally quality_query_run(const List *columns, QualityAnswer *answers);

#define QUALITY_QUERY_PREDICATES 200

#endif /* KANON_QUALITY_QUERY_H */
