/*
 * split_median.h
 *		Mondrian's own criterion: separates NULLs, then divides the widest possible attribute at its
 *		median (LeFevre, DeWitt, Ramakrishnan 2005b, sections 3.2 and 4).
 */
#ifndef KANON_SPLIT_MEDIAN_H
#define KANON_SPLIT_MEDIAN_H

#include "postgres.h"

#include "partition/part.h"

/*
 * Sets "split" to the division of the part, whose region is run->region and which has at least 2k
 * rows; false if no split is allowable.  O(rows) for each attribute tried.
 */
extern bool split_median(const PartitionRun *run, Part part, Split *split);

/* The width of the values, without NULL, as a share of the whole. */
extern double split_median_width(const RecodingColumn *column, int32 lowest, int32 maximum);

#endif /* KANON_SPLIT_MEDIAN_H */
