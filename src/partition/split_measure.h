/*
 * split_measure.h
 *		The value of a division for a target (LeFevre, DeWitt 2007, section 1.2): information gain
 *		about a class label, or the least squared error of a number.
 *
 * A measure keeps two groups of the rows of one part: those taken and the rest.  At first, all are
 * in the rest.
 */
#ifndef KANON_SPLIT_MEASURE_H
#define KANON_SPLIT_MEASURE_H

#include "postgres.h"

#include "partition/part.h"

typedef struct SplitMeasure SplitMeasure;

struct SplitMeasure
{
	/* Starts with another part; none of its rows is taken. */
	void (*begin)(SplitMeasure *measure, const PartitionRun *run, Part part);
	/* Takes the row, or the slot, at this place of the part (by 1), or returns it (by -1). */
	void (*move)(SplitMeasure *measure, uint32 place, int by);
	/*
	 * The worth of the rows taken, or of the rest, as a part of their own.  Worths add up over the
	 * children of a split, and the split with the greatest sum is the best.  They do not depend on
	 * the order in which rows were taken.
	 */
	double (*worth)(const SplitMeasure *measure, bool taken);
	/* While none is taken: does a split of this worth tell enough about the target? */
	bool (*tells)(const SplitMeasure *measure, double worth);
};

/*
 * The measure that the request asks for, in the current context, for parts of up to "records"
 * records, or "rows" rows that are only counted: 4 bytes a record, and 12 bytes a class.  Rows
 * whose number is not finite count as rows but add no error.
 */
extern SplitMeasure *split_measure_create(const PartitionRequest *request, int64 records,
										  int64 rows);

#endif /* KANON_SPLIT_MEASURE_H */
