/*
 * part.h
 *		A part of the rows and its division: shared by the split criteria and the driver of
 *		Mondrian.
 */
#ifndef KANON_PART_H
#define KANON_PART_H

#include "postgres.h"

#include "data/dataset.h"
#include "partition/frequency_group.h"
#include "partition/partition.h"
#include "partition/region.h"
#include "partition/sorted_rows.h"

/* The positions of records in the dataset or, for rows that are only counted, their number. */
typedef struct Part
{
	int64 begin;
	int64 end;
} Part;

static inline int64
part_rows(Part part)
{
	return part.end - part.begin;
}

/* One way to divide a part. */
typedef struct Split
{
	PartitionNodeKind kind; /* PARTITION_LEAF: no split */
	int attribute;
	int32 threshold; /* cut, NULL: codes <= threshold go to the first child */
	int level;       /* specialize: of the children's labels */
	int32 lowest;    /* specialize: the lowest of these codes */
	int children;    /* number of nonempty children */
	int null_child;  /* cut, specialize: the child with the NULLs; -1: no NULLs */
	int64 first;     /* cut, NULL: rows in the first child */
	bool dealt;      /* cut: rows at the threshold go to both sides so that the first child has
					  * "first" rows */
} Split;

/*
 * The children of a specialization, by their labels' codes: scratch space for the most labels of a
 * level.  Only children that occur are ever visited.
 */
typedef struct PartChildren
{
	int32 count;
	int32 *code; /* those that occur */
	int64 *rows; /* [code]: 0 for all others, and for those whose rows went along */
	int64 *next; /* [code]: the place of the child's next record */
	int32 *home; /* [code]: the child that its rows go to; NULL without rare_along */
} PartChildren;

/* The state of one run of Mondrian. */
typedef struct PartitionRun
{
	Dataset *dataset;
	const PartitionRequest *request;
	int64 demanded;               /* rows that a part needs: k, or what models need for their
								   * values */
	int64 least;                  /* .. that each of two parts needs; fewer in a sample */
	const RecodingColumn *column; /* [attribute] */
	double *width;                /* [attribute], scratch space */
	Region *region;               /* of the current part */
	Region *ties;                 /* of rows that are dealt to both sides */
	RankSelect *select;           /* scratch space for medians */
	RowJudge *judge;              /* NULL: k rows are enough */
	SortedRows *sorted;           /* with a judge, or if splits are scored */
	PartChildren *children;       /* scratch space */
	/*
	 * The current part if it is known by counts alone; NULL: by its records.  Sides: the target's
	 * class for information gain, then the sensitive columns.
	 */
	const FrequencyGroup *group;
	AttributeSet *missing; /* attributes whose counts were needed and missing */
	SortedRow *counted;    /* [slots of an attribute], scratch space */
	/*
	 * With a judge: would both sides of a part known by counts satisfy if it were dealt like this?
	 */
	bool (*dealt_satisfies)(void *dealer, const Split *split);
	void *dealer;
} PartitionRun;

/* The rows that each of this many children needs. */
static inline int64
part_least(const PartitionRun *run, int children)
{
	const SampleTest *test = run->request->test;

	return test ? sample_test_least(test, run->demanded, children) : run->demanded;
}

/* A part sorted by an attribute: its rows or, for counts, the codes that occur with their slots. */
typedef struct SortedPart
{
	const SortedRow *row;
	int64 count;
	const int32 *rows; /* [place]: rows of an entry; NULL: one each */
} SortedPart;

/* The number of rows of an entry. */
static inline int64
sorted_part_rows(const SortedPart *sorted, int64 entry)
{
	return sorted->rows ? sorted->rows[sorted->row[entry].place] : 1;
}

/*
 * Are the codes of the attribute counted?  If not, records that they are missing; results for the
 * part are then meaningless, and it must be examined again.
 */
static inline bool
part_knows(const PartitionRun *run, int attribute)
{
	if (run->group == NULL || frequency_group_has(run->group, attribute))
		return true;
	*run->missing |= UINT64CONST(1) << attribute;
	return false;
}

/* Sets run->region to that of the part. */
extern void part_measure(const PartitionRun *run, Part part);

/* For the part of run->region: the lowest code without NULL; NULL if there are only NULLs. */
extern int32 part_lowest_value(const PartitionRun *run, Part part, int attribute);

/* For the same part: its rows by an attribute, valid until the next call; the code at a rank. */
extern SortedPart part_sort(const PartitionRun *run, Part part, int attribute);
extern RankedCode part_rank(const PartitionRun *run, Part part, int attribute, int64 rank);

/*
 * Sets "split" to NULL | not NULL if the attribute is mixed and both sides have enough rows and
 * satisfy.
 */
extern bool part_split_nulls(const PartitionRun *run, Part part, int attribute, Split *split);

/*
 * Sets "split" to the specialization of the least common ancestor of the part's values to its
 * children, if there is more than one value and each nonempty child has enough rows and satisfies.
 * NULLs go to the child with the fewest rows, the lowest code on a tie, and count there.  With
 * rare_along, so do children of too few rows, unless they have enough together: then they are one
 * more.  The region is that of the part; the attribute is hierarchical.
 */
extern bool part_specialize(const PartitionRun *run, Part part, int attribute, Split *split);

/*
 * Moves the records so that each child's are contiguous, and sets children[]: at most
 * split->children parts.  The region is that of the part.
 */
extern void part_divide(const PartitionRun *run, Part part, const Split *split, Part *children);

/*
 * Appends "count" zeroed nodes and returns the first.  In the context of the first call, against
 * the budget.
 */
extern int32 part_nodes_append(PartitionNodes *nodes, int32 count, Budget *budget);

/* Records the split of a node's part, given one of its codes; returns its first child. */
extern int32 part_nodes_divide(PartitionNodes *nodes, int32 node, const Split *split, int32 code,
							   Budget *budget);

#endif /* KANON_PART_H */
