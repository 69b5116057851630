/*
 * cell_share.h
 *		The share of cells that a predicate covers, by its comparisons of one attribute.
 *
 * Values are taken to be spread evenly over a cell (LeFevre, DeWitt, Ramakrishnan 2005b, section
 * 5): by length in ranges, but of whole numbers and of days by count; in all other cells by the
 * count of the values that they stand for.
 */
#ifndef KANON_CELL_SHARE_H
#define KANON_CELL_SHARE_H

#include "postgres.h"

#include "cell/cell_reader.h"
#include "relation/predicate.h"

/*
 * Sets share[i] of each cell, as read by the reader; 0 .. 1.  O(values + labels + cells).  The
 * predicate is bound and names the attribute.
 */
extern void cell_share_of_all(CellReader *reader, const Predicate *predicate,
							  const RecodedCell *cell, int32 count, double *share);

#endif /* KANON_CELL_SHARE_H */
