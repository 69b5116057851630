/*
 * part.h
 *		A part of the rows and how it is divided: what the split criteria and
 *		the driver of Mondrian share.
 */
#ifndef KANON_PART_H
#define KANON_PART_H

#include "postgres.h"

#include "data/dataset.h"
#include "partition/frequency_group.h"
#include "partition/partition.h"
#include "partition/rank_select.h"
#include "partition/region.h"
#include "partition/sorted_rows.h"

/* Positions of records in the dataset; of rows that are only counted, how many. */
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
	PartitionNodeKind kind; /* PARTITION_LEAF: not divided */
	int attribute;
	int32 threshold; /* cut, NULL: codes <= threshold go first */
	int level;       /* specialize: of the children's labels */
	int32 lowest;    /* specialize: the lowest code of these */
	int children;    /* that occur */
	int null_child;  /* cut, specialize: where NULLs go; -1: there are none */
	int64 first;     /* cut, NULL: rows of the first child */
	bool dealt;      /* cut: rows at the threshold go to both sides, "first" says how many */
} Split;

/* What one run of Mondrian works with. */
typedef struct PartitionRun
{
	Dataset *dataset;
	const PartitionRequest *request;
	int64 demanded;               /* rows of a part: k, or what models need for their values */
	int64 least;                  /* likewise, of one of two parts; fewer of a sample */
	const RecodingColumn *column; /* [attribute] */
	double *width;                /* [attribute], space for them */
	Region *region;               /* of the part at hand */
	Region *ties;                 /* of rows that are dealt */
	RankSelect *select;           /* space for medians */
	RowJudge *judge;              /* NULL: k rows are enough */
	SortedRows *sorted;           /* with a judge, or where splits are scored */
	int64 *child_begin;           /* [children that a hierarchy may have, and one more] */
	int64 *child_next;            /* likewise */
	/* The part at hand, if it is known by counts alone; NULL: by its records.  Sides: the target's
	 * class for information gain, then the sensitive columns. */
	const FrequencyGroup *group;
	AttributeSet *missing; /* attributes that it should have counted */
	SortedRow *counted;    /* [slots of an attribute], space for them */
	/* With a judge: would both sides of a part so known satisfy, if it were dealt so? */
	bool (*dealt_satisfies)(void *dealer, const Split *split);
	void *dealer;
} PartitionRun;

/* Rows that each of so many children needs. */
static inline int64
part_least(const PartitionRun *run, int children)
{
	const SampleTest *test = run->request->test;

	return test ? sample_test_least(test, run->demanded, children) : run->demanded;
}

/* A part by an attribute: its rows, or, of counts, the codes that occur and their slots. */
typedef struct SortedPart
{
	const SortedRow *row;
	int64 count;
	const int32 *rows; /* [place]; NULL: one each */
} SortedPart;

/* How many rows an entry is. */
static inline int64
sorted_part_rows(const SortedPart *sorted, int64 entry)
{
	return sorted->rows ? sorted->rows[sorted->row[entry].place] : 1;
}

/*
 * Are the codes of the attribute known?  If not, what comes of the part means nothing: it is to be
 * looked at again when they are.
 */
static inline bool
part_knows(const PartitionRun *run, int attribute)
{
	if (run->group == NULL || frequency_group_has(run->group, attribute))
		return true;
	*run->missing |= UINT64CONST(1) << attribute;
	return false;
}

/* Makes run->region that of the part. */
extern void part_measure(const PartitionRun *run, Part part);

/* Of the part whose region that is: the lowest code but NULL; NULL if there are only NULLs. */
extern int32 part_lowest_value(const PartitionRun *run, Part part, int attribute);

/* Likewise: the part by an attribute, good until the next call; the code at a rank. */
extern SortedPart part_sort(const PartitionRun *run, Part part, int attribute);
extern RankedCode part_rank(const PartitionRun *run, Part part, int attribute, int64 rank);

/*
 * Fills "split" with NULL | not NULL if the attribute is mixed and both have enough rows
 * and satisfy.
 */
extern bool part_split_nulls(const PartitionRun *run, Part part, int attribute, Split *split);

/*
 * Fills "split" with the specialization of the least common ancestor of the
 * part's values to its children, if there is more than one value and each child that
 * occurs has enough rows and satisfies.  NULLs go along with the child of fewest rows, of equal
 * ones with that of the lowest code, and count there.  The region is that of the part; the
 * attribute is hierarchical.
 */
extern bool part_specialize(const PartitionRun *run, Part part, int attribute, Split *split);

/*
 * Moves the records so that the children lie one after the other, and says
 * where: at most split->children parts.  The region is that of the part.
 */
extern void part_divide(const PartitionRun *run, Part part, const Split *split, Part *children);

/*
 * Room for that many more nodes, one after the other and zero; the first of them.  In the context
 * of the first call, against the budget.
 */
extern int32 part_nodes_append(PartitionNodes *nodes, int32 count, Budget *budget);

/* Puts down how the part of a node is divided, whose code is given; the first of its children. */
extern int32 part_nodes_divide(PartitionNodes *nodes, int32 node, const Split *split, int32 code,
							   Budget *budget);

#endif /* KANON_PART_H */
