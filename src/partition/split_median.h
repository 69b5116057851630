/*
 * split_median.h
 *		Mondrian's own criterion: NULLs apart, then the widest attribute that can
 *		be divided, at its median (LeFevre, DeWitt, Ramakrishnan 2005b, sections 3.2
 *		and 4).
 */
#ifndef KANON_SPLIT_MEDIAN_H
#define KANON_SPLIT_MEDIAN_H

#include "postgres.h"

#include "partition/part.h"

/*
 * Fills "split" with how to divide the part, whose region is run->region and
 * which has at least 2k rows; false if no allowable split is left.  O(rows)
 * for each attribute that is tried.
 */
extern bool split_median(const PartitionRun *run, Part part, Split *split);

/* How far values reach, NULLs apart: the share of the whole. */
extern double split_median_width(const RecodingColumn *column, int32 lowest, int32 maximum);

#endif /* KANON_SPLIT_MEDIAN_H */
