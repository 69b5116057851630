/*
 * matching.h
 *		Non-homogeneous generalization: which rows each released record covers (Wong, Mamoulis,
 *		Cheung 2010; Murakami, Uno 2017, section 2).
 *
 * A record stands for the row with its number and covers k rows, itself first.  Every row is
 * covered by k records.  So the pairs (record, row) form a k-regular bipartite graph, which is the
 * union of k disjoint perfect matchings (König).  A reader who knows all original rows finds k of
 * them behind every record, and k records for every row, all alike.
 */
#ifndef KANON_MATCHING_H
#define KANON_MATCHING_H

#include "postgres.h"

#include "base/random.h"
#include "data/dataset.h"
#include "data/recoding.h"

/*
 * ---- Rows whose cells are generalized one by one, and the loss of cells (Murakami, Uno 2017,
 * sections 2.3 and 3.2.4).
 *
 * Each attribute is a tree of cells.  Its leaves are the codes, including NULL's even if it does
 * not occur; its root hides them all.  An attribute without a hierarchy is a tree of values below a
 * root.  If a hierarchy masks digits, each digit is an attribute of its own (section 1).  Of an
 * attribute whose cells are ranges, the tree has only some; it guides searches, and records are
 * measured by the range from the least to the greatest value that they cover.
 *
 * Algorithms measure loss in integer units, so that sums are exact.  A cell loses (leaves below it
 * - 1) / (leaves of the domain - 1) of the units of its attribute; a digit has its share of the
 * column's units.  That is not the final loss of a column of digits, which loses by leaves
 * (metric/loss.h), but a good guide, and it is additive.
 */

#define CELL_ATTRIBUTES_MOST 1024 /* digits count one by one */

/*
 * The cells of one attribute: nodes up to "values" are the codes of values and of NULL.  Equally
 * many nodes are above each value, and no more above NULL.
 */
typedef struct CellTree
{
	int32 values;
	int32 nodes;   /* the root is the last one; parents come after their children */
	int32 *parent; /* [node]; the root is its own parent */
	int32 *loss;   /* [node]: units; 0 for leaves, greatest for the root */
	int32 *above;  /* [node]: the first value below it, without NULL */
} CellTree;

/* The ground values of a column whose digits are attributes, side by side. */
typedef struct DigitDomain
{
	int digits;
	int32 values;
	const int32 *letter; /* [value * digits + digit]; below RECODED_MASKED: a letter that no row
						  * has */
	bool has_null;       /* the rows have NULLs */
} DigitDomain;

typedef struct MatchingTable
{
	Dataset *dataset;           /* records, dense */
	CellTree *tree;             /* [attribute] */
	const DigitDomain **digits; /* [attribute]: of a column's first digit; otherwise NULL */
	/* [attribute]: if its cells are ranges, by which they are measured; otherwise NULL */
	const RecodingColumn **range;
	/*
	 * Classes of at least k rows: those of class i are the records from class_end[i - 1], or 0, to
	 * class_end[i].  NULL: all rows are one.
	 */
	int32 classes;
	const int32 *class_end;
	Budget *budget; /* for algorithms over the rows */
} MatchingTable;

/*
 * A zeroed array by node, NULL's included, in the current context against the budget.  Its memory
 * begins at DATASET_NULL.
 */
extern void *cell_tree_array(const CellTree *tree, Size size, Budget *budget);

/*
 * cell_tree_create: a tree with "nodes" nodes to be filled in, except NULL's below the root.
 * cell_tree_flat: the tree of an attribute without a hierarchy.  Palloc'd in the current context,
 * against the budget.
 */
extern CellTree cell_tree_create(int32 values, int32 nodes, Budget *budget);
extern CellTree cell_tree_flat(int32 values, int32 units, Budget *budget);

/* The number of nodes above one. */
extern int cell_tree_above(const CellTree *tree, int32 node);

/* The number of nodes above any value, or above NULL if there is none. */
static inline int
cell_tree_height(const CellTree *tree)
{
	return cell_tree_above(tree, tree->values > 0 ? 0 : DATASET_NULL);
}

/* The least common ancestor of two nodes.  O(height). */
static inline int32
cell_tree_join(const CellTree *tree, int32 one, int32 other)
{
	/* A parent's number is greater than its children's. */
	while (one != other)
	{
		if (one < other)
			one = tree->parent[one];
		else
			other = tree->parent[other];
	}
	return one;
}

/* For a dataset; the caller fills in the trees.  In the current context. */
extern MatchingTable *matching_table_create(Dataset *dataset);

typedef struct Matching
{
	int64 rows;
	int k;
	int32 *covered; /* [record * k + i]: rows; the record's own for i = 0 */
} Matching;

/*
 * An algorithm.  Needs at least k rows; the matching is palloc'd in the current context against the
 * rows' budget.  Deterministic.
 */
typedef Matching *(*MatchingRun)(const MatchingTable *rows, int k);

/*
 * Ring generalization (Wong, Mamoulis, Cheung 2010; Murakami, Uno 2017, section 4): the rows of
 * each class are sorted so that neighbours are similar and cut into groups of k to 2k - 1 rows.
 * Within a group, each record covers itself and the next k - 1 around the ring.  So no record loses
 * more than the label of its class.  Except for ties, independent of the order of the rows.  O(rows
 * * attributes) for each attribute needed to distinguish the rows, usually about log rows.
 */
extern Matching *ring_run(const MatchingTable *rows, int k);

/*
 * Two-phase generalization (Murakami, Uno 2017, section 3).  For each block of rows, it begins with
 * the rings of the classes or, for small k, also with pairs of records and rows that it collects
 * and matches, at most k + 11 times; then it exchanges rows.  No block loses more than its rings,
 * at costs of BLOCK_COST_FINE.
 */
extern Matching *two_phase_run(const MatchingTable *rows, int k);

/* A matching to be filled in; palloc'd in the current context, against the budget. */
extern Matching *matching_create(int64 rows, int k, Budget *budget);

static inline int32 *
matching_covered(const Matching *matching, int64 record)
{
	return matching->covered + record * matching->k;
}

/* The cell of a record: the lowest node above the values of all rows it covers.  O(k * height). */
extern int32 matching_cell(const Matching *matching, const MatchingTable *rows, int64 record,
						   int attribute);

/*
 * ---- Counts of the ground values that match the digits a cell shows.
 */

/* A pattern of shown or hidden digits; or a prefix of some, which is their parent. */
typedef struct DigitNode
{
	int32 letter;  /* of the last digit, or RECODED_MASKED */
	int32 child;   /* first child; 0: none */
	int32 sibling; /* next sibling; 0: none */
	/* Counted: */
	int32 values; /* values that match */
	double loss;  /* of a prefix, the least of all patterns that begin with it */
} DigitNode;

/* A trie of them, one level for each digit. */
typedef struct DigitLeaves
{
	const DigitDomain *domain;
	Budget *budget;
	DigitNode *node; /* [pattern]; the empty one comes first */
	int32 nodes;
	int64 room;
} DigitLeaves;

/* Without patterns; keeps a pointer to the domain.  In the current context, against the budget. */
extern DigitLeaves *digit_leaves_create(const DigitDomain *domain, Budget *budget);

/*
 * The pattern extended by this letter, or by RECODED_MASKED. _find: -1 if it was not added.
 * O(letters). _add raises the error of budget_check.
 */
extern int32 digit_leaves_add(DigitLeaves *leaves, int32 pattern, int32 letter);
extern int32 digit_leaves_find(const DigitLeaves *leaves, int32 pattern, int32 letter);

/* Counts the values of all patterns.  For each way to hide digits, O(values) time and memory. */
extern void digit_leaves_count(DigitLeaves *leaves);

/* The letter of a digit's node in a pattern. */
static inline int32
digit_leaves_letter(const CellTree *tree, int32 node)
{
	return node == tree->values ? RECODED_MASKED : node;
}

/*
 * The digit patterns of all records in the column whose first digit is the attribute, counted; in
 * the current context.
 */
extern DigitLeaves *matching_digits(const Matching *matching, const MatchingTable *rows,
									int attribute);

/*
 * Calls elog unless each record covers itself and k distinct rows in all, and each row is covered
 * by k records.  O(rows * k).
 */
extern void matching_verify(const Matching *matching, Budget *budget);

/*
 * ---- Draws at random which of the rows that it covers each record belongs to.
 *
 * One of the k disjoint perfect matchings of the graph decides whose other values go with each
 * record; the identity would be predictable (Wong, Mamoulis, Cheung 2010).  All k are equally
 * likely: each row is assigned to each of the k records that cover it with probability exactly 1/k.
 *
 * Each connected part of the graph has its own random numbers, which depend on the key and on the
 * part: the names of its rows and which record covers which.  So a reader who learns how one part
 * was drawn learns nothing of any other.  And a part that is unchanged when a table is drawn again
 * gets the same draw, wherever in the table it is, because two draws together reveal more than one.
 */

/* Rows with equal values have the same name, others have different names. */
typedef struct RowName
{
	uint64 word[2];
} RowName;

/*
 * [row]: its record. "name" is by row; rows with the same name must be adjacent, and a further draw
 * permutes their records.  Palloc'd in the current context, against the budget.  Expected O(rows *
 * k * log rows): random walks find perfect matchings of a regular graph (Goel, Kapralov, Khanna
 * 2010).
 */
extern int32 *matching_draw(const Matching *matching, const RowName *name, RandomSource *source,
							Budget *budget);

/*
 * ---- A lower bound of the loss of any release in which each record covers k rows (Murakami, Uno
 * 2017, section 4).
 */

#define MATCHING_BOUND_PATTERNS 16384 /* of a block of attributes */

/*
 * The mean over the rows of the least loss of cells that cover the row and k rows in all; needs at
 * least k rows.  With more than MATCHING_BOUND_PATTERNS patterns of levels the bound is weaker.
 * loss: [attribute][node], 0 for values, not less for a node than for those below it; for a column
 * of digits, the weight of the column at the root of its first digit, of which a cell loses its
 * share by leaves; for ranges, their weight at the root.  All values of a tree must have the same
 * depth.  Of ranges, the bound knows only in which windows they lie (range_windows.h).
 *
 * price: [row], in units of a record's loss, or NULL for none.  The bound holds for any prices;
 * good ones make it tighter (row_groups.h).
 *
 * Memory against the rows' budget: O(rows * attributes of a block).  Time: O(rows * patterns) at
 * worst; equal neighbouring rows count as one.  Answers cancels.
 */
extern double matching_bound_run(const MatchingTable *rows, int k, const double *const *loss,
								 const double *price);

/*
 * Good prices: those of row_groups.h, computed separately for each block of neighbouring rows.
 * [row], palloc'd in the current context against the rows' budget; NULL if prices are not used.
 * Temporarily takes O(rows of a block * (attributes + k)) bytes of the budget.  O(patterns * rows *
 * (attributes + k)) for each of 30 turns.
 */
extern double *matching_bound_prices(const MatchingTable *rows, int k, const double *const *loss);

#endif /* KANON_MATCHING_H */
