/*
 * part.h
 *		A part of the rows and how it is divided: what the split criteria and
 *		the driver of Mondrian share.
 */
#ifndef KANON_PART_H
#define KANON_PART_H

#include "postgres.h"

#include "data/dataset.h"
#include "partition/partition.h"
#include "partition/rank_select.h"
#include "partition/region.h"

/* Positions of records in the dataset. */
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
	int children;    /* that occur */
	int64 first;     /* cut, NULL: rows of the first child */
	bool dealt;      /* cut: rows at the threshold go to both sides, "first" says how many */
} Split;

/* What one run of Mondrian works with. */
typedef struct PartitionRun
{
	Dataset *dataset;
	const PartitionRequest *request;
	double *whole;      /* region_whole */
	double *width;      /* [attribute], space for them */
	Region *region;     /* of the part at hand */
	Region *ties;       /* of rows that are dealt */
	RankSelect *select; /* space for medians */
	int64 *child_begin; /* [children that a hierarchy may have, and one more] */
	int64 *child_next;  /* likewise */
} PartitionRun;

/* Rows of the part with NULL in the attribute. */
extern int64 part_count_nulls(const PartitionRun *run, Part part, int attribute);

/* Fills "split" with NULL | not NULL if the attribute is mixed and both have k rows. */
extern bool part_split_nulls(const PartitionRun *run, Part part, int attribute, Split *split);

/*
 * Fills "split" with the specialization of the least common ancestor of the
 * part to its children, if each that occurs has k rows.  The region is that of
 * the part; the attribute is hierarchical, holds no NULLs and more than one
 * code.
 */
extern bool part_specialize(const PartitionRun *run, Part part, int attribute, Split *split);

/*
 * Rows of each child of a specialization: in run->child_begin, where child c
 * begins, relative to the part, for c = 0 .. the value returned.  Child c has
 * the code of the part's lowest child plus c; children that do not occur are
 * empty.
 */
extern int part_count_children(const PartitionRun *run, Part part, int attribute, int level,
							   int32 lowest);

/* The code of the lowest child. */
extern int32 part_lowest_child(const PartitionRun *run, int attribute, int level);

/*
 * Moves the records so that the children lie one after the other, and says
 * where: at most split->children parts.  The region is that of the part.
 */
extern void part_divide(const PartitionRun *run, Part part, const Split *split, Part *children);

#endif /* KANON_PART_H */
