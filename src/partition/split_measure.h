/*
 * split_measure.h
 *		The value of a division for a target: the interface of measures that look at every allowable
 *		split.
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
	/* Takes the row at this place of the part, or returns it to the rest. */
	void (*take)(SplitMeasure *measure, uint32 place);
	void (*give_back)(SplitMeasure *measure, uint32 place);
	/*
	 * The worth of the rows taken, or of the rest, as a part of their own.  Worths add up over the
	 * children of a split, and the split with the greatest sum is the best.  They do not depend on
	 * the order in which rows were taken.
	 */
	double (*worth_of_taken)(const SplitMeasure *measure);
	double (*worth_of_rest)(const SplitMeasure *measure);
	/* While none is taken: does a split of this worth tell enough about the target? */
	bool (*tells)(const SplitMeasure *measure, double worth);
};

#endif /* KANON_SPLIT_MEASURE_H */
