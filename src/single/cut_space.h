/*
 * cut_space.h
 *		How finely the attributes of a table may be divided, as a set of cuts: each makes cells
 *		finer, whatever the others do.  A search (single_search.h) says which of them to make.
 *
 * Of a tree of labels, a cut replaces a label by those below it: single-dimension full-subtree
 * recoding.  It needs the cut of the label above.  Of ordered values, a cut divides an interval:
 * single-dimension ordered-set partitioning.
 *
 * Cuts are numbered attribute by attribute, in the order of ties, so that nothing depends on the
 * order of the table's columns.
 */
#ifndef KANON_CUT_SPACE_H
#define KANON_CUT_SPACE_H

#include "postgres.h"

#include "data/recoding.h"
#include "single/single_table.h"

typedef enum CutMark
{
	CUT_OPEN, /* not decided */
	CUT_MADE,
	CUT_LEFT /* not made */
} CutMark;

/* A label, or a value, of an attribute's tree.  Labels with one child are that child. */
typedef struct CutNode
{
	int32 first; /* codes below it */
	int32 last;
	int32 end; /* behind its subtree, in preorder */
	int32 cut; /* -1: nothing is below it */
	int32 loss;
	RecodedCell cell;
	int highest; /* level of the highest label that is this node */
} CutNode;

typedef struct CutAttribute
{
	const RecodingColumn *column; /* what cells mean and lose */
	int32 first;                  /* its first cut */
	double weight;                /* share of the loss */
	/* Of a tree, in preorder: */
	int32 nodes;
	CutNode *node;
	/* Of intervals, what precedes each code: */
	int64 *rows;
} CutAttribute;

typedef struct CutSpace
{
	SingleTable *table;
	bool tree;
	const int *order; /* of ties: the attributes */
	int32 cuts;
	int32 *needs;            /* [cut]: the cut that must be made before; -1: none */
	uint8 *mark;             /* [cut]: CUT_LEFT if its cells have too few rows in any case */
	CutAttribute *attribute; /* [attribute] */
} CutSpace;

/* The level of the label for everything; above the dimension's if that has several top labels. */
extern int single_root(const RecodingColumn *column);

/*
 * The cell of a code at a level up to that: a label or, at level 0 and without a dimension, a
 * value.  NULL is below the label for everything alone.
 */
extern RecodedCell single_cell(const RecodingColumn *column, int level, int32 code, bool is_null);

/*
 * The cell of the codes from one to another; null: the code of NULL, which is the last, or -1.
 * _label: as it is published, which loses the same: the values below one label are that label.
 */
extern RecodedCell single_interval(const RecodingColumn *column, int32 from, int32 to, int32 null);
extern RecodedCell single_interval_label(const RecodingColumn *column, int32 from, int32 to,
										 int32 null);

/*
 * The cuts of a dataset with dense codes, of columns whose shares of the loss are the weights; in
 * the current context, against the dataset's budget.  tree: of labels; a column without a dimension
 * shows all its values or none.  If not: of intervals.
 */
extern CutSpace *cut_space_create(const Dataset *dataset, bool tree, const RecodingColumn *column,
								  const double *weight, const int *order);

/* Leaves each cut that puts more rows than may be suppressed into classes below k by itself. */
extern void cut_space_leave(CutSpace *space, int64 k, int64 suppressible);

/*
 * Fills in the map with these marks: finest, all open cuts are made; otherwise none.  O(codes).
 */
extern void cut_space_map(const CutSpace *space, const uint8 *mark, bool finest, SingleMap *map);

/* Can this open cut be made next? */
static inline bool
cut_space_is_next(const CutSpace *space, const uint8 *mark, int32 cut)
{
	return mark[cut] == CUT_OPEN && (space->needs[cut] < 0 || mark[space->needs[cut]] == CUT_MADE);
}

/*
 * How many rows a cut would move from classes of the map that was classified, which has k rows in
 * each of these, into smaller ones; the cut can be made next.  O(groups) for intervals, O(groups *
 * children) for labels, but ends beyond "most".
 */
extern int64 cut_space_small(const CutSpace *space, const SingleMap *map, int32 cut, int64 k,
							 int64 most);

/* [cut]: the loss that it takes from all rows, if it can be made next.  O(codes + nodes). */
extern void cut_space_gains(const CutSpace *space, const uint8 *mark, int64 *gain);

/*
 * What it costs to leave open cuts, beyond the finest map: price, [cut], such that leaving a set of
 * them costs "rows", [attribute][code], no less than all together can be charged, if no cut takes
 * more than its price.  A
 * row is charged with the cuts beside its cell, and all that those need.  beside: [attribute][2 *
 * code]: up to two open cuts of which one has to be left if the row's cell is to become coarser;
 * -1: none.
 */
extern void cut_space_prices(const CutSpace *space, const uint8 *mark, const SingleMap *finest,
							 int64 *const *rows, int32 **beside, int64 *price);

/* [cut]: pairs of rows in different cells of the finest map, and in one if an open cut is left. */
extern void cut_space_pairs(const CutSpace *space, const uint8 *mark, const SingleMap *finest,
							int64 *pairs);

#endif /* KANON_CUT_SPACE_H */
