/*
 * partition.h
 *		Mondrian: greedy recursive partitioning of rows into regions of the space of
 *		quasi-identifiers (LeFevre, DeWitt, Ramakrishnan 2005b, sections 3 and 4; LeFevre, DeWitt
 *		2007, section 1.2).
 *
 * Attributes are ordered (cut at a code) or hierarchical (specialized from a label to its
 * children, one part for each).  The codes below any label are an interval.
 *
 * NULL is a value of its own.  In a region, an attribute has only NULLs, only values, or both if
 * they could not be separated; then nothing is known of the attribute there.  NULLs are separated
 * before anything else if both sides are large enough.  If they are too few, they do not block
 * splits: NULL counts as the lowest value in a cut, and joins the child with the fewest rows in a
 * specialization, so that few classes are mixed.
 *
 * A label that a specialization would give to fewer than k rows prevents it, as in the papers.
 * With rest parts, such labels go together, and keep the label of the part (part_children.c): of
 * few rows, some nearly always have a rare label.
 *
 * By gain (SPLIT_GAIN) a part is divided where its cells lose least afterwards, for each bit of
 * division (split_gain.c): by the specialization of one attribute, or by the cut of one beside its
 * median.  Ties go by "order" and never by the order of rows, so if that follows from the contents,
 * the order of columns does not matter either.
 *
 * To divide rows coarsely, as regions or blocks: k is the least number of rows of a part, "stop"
 * the number of rows that need no division.  For rows in memory that are part of a table:
 * .of_part, and .column with the extent of the table (region_columns).  For example
 *
 *	partition_run(dataset, &(PartitionRequest){.k = 8 * k, .split = SPLIT_GAIN, .rest = true,
 *				  .weight = weight, .order = order, .models = models, .column = column,
 *				  .stop = &(PartitionStop){.rows = 131072}, .of_part = true, .places_only = true,
 *				  .budget = budget})
 *
 * moves the records so that each part's are contiguous, in class_end.
 *
 * Strict: rows with equal quasi-identifiers share a region.  Relaxed: rows equal to the median are
 * dealt to both sides so that sizes differ by at most one.  Rows equal in every attribute are
 * dealt in the order of what models look at, then by number.
 *
 * With models, a part is divided if every child has k rows and satisfies all models (LeFevre,
 * DeWitt 2007, section 1.1).  Models are monotone under the union of disjoint classes.  So a part
 * with an allowable division satisfies, and descending from a whole that satisfies misses no
 * division below a part that does not.  If people count, who may be in two classes, each part is
 * judged, and a division below a part that fails may be missed.  If the whole does not satisfy,
 * there are no classes.  If no median is allowable, the most balanced allowable cut is taken, so
 * that none is left in the end.
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
	PARTITION_SPECIALIZE, /* children: the labels at "level" that occur, in code order; or some of
						   * them, and then all others together */
	PARTITION_NULL        /* children: NULL, not NULL */
} PartitionNodeKind;

typedef struct PartitionNode
{
	PartitionNodeKind kind;
	int attribute;    /* the one that is split */
	int32 threshold;  /* of a cut */
	int level;        /* of the children's labels */
	int32 children;   /* how many */
	bool rest;        /* of a specialization: the last child is a rest part */
	int32 null_child; /* of a cut or specialization: the child with the NULLs; -1: none */
	int32 code;       /* child of a specialization: any code below its label */
	int32 rows;       /* leaves are the classes */
} PartitionNode;

/* The tree of divisions, in preorder: the first child of a node is the next node. */
typedef struct PartitionNodes
{
	int32 count;
	int64 capacity;
	PartitionNode *node;
} PartitionNodes;

typedef enum PartitionSplit
{
	SPLIT_MEDIAN,
	SPLIT_INFOGAIN,
	SPLIT_REGRESSION,
	SPLIT_GAIN
} PartitionSplit;

/* Parts that have no more rows than this, or that lose no more, are not divided. */
typedef struct PartitionStop
{
	int64 rows;
	double loss;
	const RecodingColumn *column; /* the scale of cells, [attribute]; NULL: rows alone count */
	const double *weight;         /* .. and weights, which sum to 1 */
} PartitionStop;

typedef struct PartitionRequest
{
	int64 k;
	bool relaxed; /* with SPLIT_MEDIAN only */
	PartitionSplit split;
	const int32 *target_class; /* infogain: [row number] class, 0 .. target_classes - 1 */
	int32 target_classes;
	const double *target_value;   /* regression: [row number]; ignored if not finite */
	const RowModels *models;      /* by row number; NULL: k rows suffice */
	const RecodingColumn *column; /* [dataset->attributes] */
	const PartitionStop *stop;    /* NULL: parts are divided as far as possible */
	SampleTest *test;             /* the rows are a sample, and splits are tested; NULL: all rows */
	bool rest;                    /* with rest parts */
	const double *weight;         /* by gain: of each attribute's loss; NULL: equal */
	bool every_cut;               /* by gain: cuts of spans anywhere, not beside medians alone */
	bool plain_uncut;             /* plain attributes are divided into NULLs and values only */
	const int *order;      /* on ties, attributes come first in this order; NULL: as they stand */
	bool unjudged;         /* with of_part: whether they satisfy is not known */
	bool of_part;          /* the rows are part of a table that satisfies; columns have the table's
							* extent */
	PartitionNodes *nodes; /* added to, in the caller's context; NULL: not wanted */
	bool places_only;      /* group_of_row is not needed */
	Budget *budget;
} PartitionRequest;

/* About the bytes needed to partition a row, without its record and class; is a column plain? */
extern Size partition_row_bytes(PartitionSplit split, bool models, bool plain, bool places_only);

/* About the bytes needed to partition this many rows, without the dataset. */
extern Size partition_bytes(int64 rows, int attributes, const PartitionRequest *request);

/*
 * Partitions the rows.  Moves the dataset's records into class order; classes are numbered in tree
 * order, which is code order.  A class's cells are the region of its rows; an attribute with both
 * values and NULLs gets the dimension's single top label or RECODED_ALL.  Computing them takes
 * O(rows of the class * attributes).  The recoding keeps using the dataset.  Returns NULL for fewer
 * than k rows or rows that do not satisfy the models.  In the current context.
 *
 * The result depends on the multiset of rows, not on their order.  Relaxed: among rows equal in
 * every attribute and in all that models look at, the row number decides.  Median: O(rows log rows)
 * for a fixed number of attributes if cuts are balanced; the other criteria likewise if theirs are.
 * With models, a part without an allowable median takes O(rows * distinct sensitive values) at
 * worst.  Answers cancels.
 */
extern Recoding *partition_run(Dataset *dataset, const PartitionRequest *request);

/* All of them, by PartitionSplit; NULL at the end. */
extern const char *const split_names[];

/* Does the criterion look at a target? */
static inline bool
split_takes_target(PartitionSplit split)
{
	return split == SPLIT_INFOGAIN || split == SPLIT_REGRESSION;
}

/* The criterion with that name; ERRCODE_INVALID_PARAMETER_VALUE if there is none. */
extern PartitionSplit split_name_require(const char *name);

/*
 * Raises ERRCODE_INVALID_PARAMETER_VALUE unless a target is given exactly if the criterion needs
 * one.
 */
extern void split_name_check_target(PartitionSplit split, const char *target);

#endif /* KANON_PARTITION_H */
