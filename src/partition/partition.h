/*
 * partition.h
 *		Mondrian: greedy recursive partitioning of rows into regions of the
 *		space of quasi-identifiers (LeFevre, DeWitt, Ramakrishnan 2005b, sections 3
 *		and 4; LeFevre, DeWitt 2007, section 1.2).
 *
 * Attributes are ordered (cut at a code) or hierarchical (specialized from a
 * label to its children, one part for each).  Codes of a hierarchical
 * attribute are numbered so that every label's codes are an interval.
 *
 * NULL is a value of its own: a region holds NULLs of an attribute only, values
 * only, or, where the two could not be told apart, both, and then nothing is known
 * of the attribute there.  NULLs that are set apart are so before anything else is
 * divided.  Where they are too few for that they do not stand in the way: NULL counts
 * as the lowest value in a cut, and goes along with the child of fewest rows in a
 * specialization, so that few classes are mixed.
 *
 * Strict: all rows equal in the quasi-identifiers share a region.  Relaxed: rows
 * equal to the median are dealt to both sides so that sizes differ by at most
 * one; those equal in every attribute by what models look at, then by their numbers.
 *
 * With models, a part is divided if every child has k rows and satisfies all of them
 * (LeFevre, DeWitt 2007, section 1.1).  All of them are monotone under the union of
 * disjoint classes, so a part that can be divided allowably satisfies itself, and to
 * descend from a whole that satisfies misses nothing that lies below one that does
 * not.  Where people count, who may lie in two classes, parts satisfy because each is
 * looked at; a division might be missed whose parent fails.  If the whole does not
 * satisfy, there are no classes.  Where the median of no attribute can be cut at, any
 * cut that is allowable is taken, the most balanced one, so that none is left in the
 * end.
 */
#ifndef KANON_PARTITION_H
#define KANON_PARTITION_H

#include "postgres.h"

#include "base/budget.h"
#include "data/dataset.h"
#include "data/recoding.h"
#include "model/row_judge.h"

typedef enum PartitionNodeKind
{
	PARTITION_LEAF,
	PARTITION_CUT,        /* children: codes <= threshold, codes > threshold */
	PARTITION_SPECIALIZE, /* children: the labels of "level" that occur, in order of code */
	PARTITION_NULL        /* children: NULL, not NULL */
} PartitionNodeKind;

typedef struct PartitionNode
{
	PartitionNodeKind kind;
	int attribute;      /* that is split */
	int32 threshold;    /* of a cut */
	int level;          /* of the children's labels */
	int32 children;     /* how many */
	int32 first_child;  /* nodes of children are consecutive */
	int32 null_child;   /* of a cut or specialization: the child with the NULLs, -1: none */
	int32 code;         /* child of a specialization: one of those under its label */
	int32 class_number; /* of a leaf, from 1 */
	int32 rows;         /* .. and how many */
} PartitionNode;

/* How the rows were divided. */
typedef struct PartitionNodes
{
	int32 count;
	int32 capacity;
	PartitionNode *node; /* node[0] is the root */
} PartitionNodes;

typedef enum PartitionSplit
{
	SPLIT_MEDIAN,
	SPLIT_INFOGAIN,
	SPLIT_REGRESSION
} PartitionSplit;

typedef struct PartitionRequest
{
	int64 k;
	bool relaxed; /* with SPLIT_MEDIAN only */
	PartitionSplit split;
	const int32 *target_class; /* infogain: [row number] class, 0 .. target_classes - 1 */
	int32 target_classes;
	const double
		*target_value;       /* regression: [row number]; what is not finite counts for nothing */
	const RowModels *models; /* by row number; NULL: k rows are enough */
	const RecodingColumn *column; /* [dataset->attributes] */
	SampleTest *test; /* the rows are a sample, of which splits are tested; NULL: they are all */
	bool of_part;     /* the rows are part of a table, which satisfies; columns have its extent */
	PartitionNodes *nodes; /* filled in, in the caller's context; NULL: not wanted */
	bool places_only;      /* group_of_row is not wanted */
	Budget *budget;
} PartitionRequest;

/* Bytes that it takes to partition a row, about, its record and class apart. */
extern Size partition_row_bytes(PartitionSplit split, bool models, bool places_only);

/* Bytes that it takes to partition so many rows, about, the dataset apart. */
extern Size partition_bytes(int64 rows, int attributes, const PartitionRequest *request);

/*
 * Partitions the rows, moving the dataset's records into the order of the classes: these are
 * numbered in the order of the tree, which is that of the codes.  A class's cells are the region
 * of its rows; where values and NULLs could not be told apart, the dimension's single top label
 * or RECODED_ALL.  They take O(rows of the class * attributes).  The recoding goes on using the
 * dataset as it is left.
 *
 * Fewer rows than k, or rows that do not satisfy the models: NULL.  In the current context.
 *
 * The result depends on the multiset of rows only, not on their order (relaxed:
 * up to rows equal in every attribute and all that models look at, of which it depends on
 * their numbers which goes where).  Median: O(rows log rows) for a
 * fixed number of attributes, if cuts are balanced; the others as long as theirs are.  With models
 * a part where no median is allowable takes O(rows * different sensitive values) at worst. Answers
 * interrupts.
 */
extern Recoding *partition_run(Dataset *dataset, const PartitionRequest *request);

#endif /* KANON_PARTITION_H */
