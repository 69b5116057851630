/*
 * release_cellwise.h
 *		Text of the SELECT that publishes a table whose cells are generalized one by one
 *		(two-phase and ring generalization).
 *
 * The columns are those of release_column.h.  A quasi-identifier without dimension keeps
 * its type, and a hidden cell is NULL, or "*" where the type is a text; with a dimension
 * it is text, a label or "*"; see docs/matching.md.
 *
 * Whenever the text runs, rows are matched and one of the matchings is drawn anew.  So that
 * the same rows have the same cells each time, and nobody can compare two draws, the
 * numbers come from the release's seed, and rows are given in an order that depends on
 * what they hold alone.  Fewer than k rows give none.  A value that a dimension lacks is
 * an error, also at a refresh.
 *
 * Rows are sorted by all that is published.
 */
#ifndef KANON_RELEASE_CELLWISE_H
#define KANON_RELEASE_CELLWISE_H

#include "postgres.h"

#include "relation/description.h"

typedef struct CellwiseRecoding
{
	const char *function; /* kanon_ring, kanon_two_phase */
	int k;
	bool randomize;
	int64 seed; /* number of the release's seed; randomize */
} CellwiseRecoding;

/* The text, without a semicolon at its end, every name qualified; within a query scope. */
extern char *release_cellwise_text(const Description *description,
								   const CellwiseRecoding *recoding);

#endif /* KANON_RELEASE_CELLWISE_H */
