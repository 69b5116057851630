/*
 * partition_tree.h
 *		The partition tree as a recoding function that needs neither the rows it
 *		was grown from nor their dimension tables (LeFevre, DeWitt: Scalable
 *		Anonymization Algorithms, TR 1590, 2007, section 2.1: the tree's rules are the
 *		recoding).
 *
 * Nodes lie in preorder: the first child of a node is the next node.  An ordered
 * attribute is cut at values, a hierarchical one is specialized from a label to
 * labels below it, NULLs are set apart; each leaf is a class.  Where NULLs were too
 * few to be set apart, one child of a cut or specialization takes them as well.  A
 * row lies in the region of one leaf, or in none: NULL where an attribute was divided
 * without NULLs having been there to see, a value the hierarchy does not know, or one
 * whose label had no rows.
 *
 * A tree is made by whoever reads one (text, bytes) or grows one: create, fill in
 * attributes, add the values of hierarchies, append nodes, finish.  Whatever does
 * not make a tree is an error with the SQLSTATE given at the start.
 */
#ifndef KANON_PARTITION_TREE_H
#define KANON_PARTITION_TREE_H

#include "postgres.h"

#include "base/budget.h"
#include "base/compat.h"
#include "data/dictionary.h"
#include "data/value_type.h"
#include "partition/partition.h"

#define TREE_MAX_ATTRIBUTES 1600
#define TREE_MAX_LEVELS 100
#define TREE_MAX_MODELS 1000

/* The levels of a generalization hierarchy that the tree uses. */
typedef struct TreeHierarchy
{
	const char *top;   /* the label of everything */
	int levels;        /* of labels, 1 .. levels; level 0 are the ground values */
	int32 values;      /* ground values */
	Dictionary *value; /* [values] */
	const char **value_text;
	Dictionary **label; /* [1 .. levels]: cstrings, numbered as they first occur */
	int32 **label_of_value;
	int32 **value_of_label; /* [1 .. levels]: the first value under each, after finish */
	int32 capacity;
} TreeHierarchy;

typedef struct TreeAttribute
{
	const char *name;
	Oid type; /* what the rooms above know the type by */
	Oid collation;
	ValueType values;
	TreeHierarchy *hierarchy; /* NULL: ordered */
} TreeAttribute;

typedef struct TreeBranch
{
	int32 label;
	int32 node; /* set by partition_tree_finish */
} TreeBranch;

typedef struct TreeNode
{
	PartitionNodeKind kind;
	int attribute;      /* that is split */
	int32 children;     /* 0, 2, or the labels of a specialization */
	int32 second;       /* CUT, NULL: the second child, set by partition_tree_finish */
	int32 null_child;   /* CUT, SPECIALIZE: that takes NULL as well, of a cut the first; -1: none */
	int level;          /* SPECIALIZE: of the labels */
	int32 class_number; /* LEAF: 1, 2, .. in order */
	Datum threshold;    /* CUT: first child up to it, second child above */
	const char *text;   /* of the threshold */
	TreeBranch *branch; /* SPECIALIZE: [children], labels ascending */
	int64 rows;         /* LEAF: that the tree was grown from */
} TreeNode;

typedef struct PartitionTree
{
	int64 k;
	PartitionSplit split;
	const char *target; /* the attribute the criterion looked at; NULL with the median */
	int models;         /* that its classes satisfied, besides k */
	const char **model; /* [models]: their texts */
	int attributes;
	TreeAttribute *attribute;
	int32 nodes;
	TreeNode *node;
	int32 classes;
	int32 capacity;
	int sqlstate; /* of what is wrong with it */
	Budget *budget;
} PartitionTree;

typedef enum TreeContent
{
	TREE_ANYTHING, /* values within the bounds, and NULL */
	TREE_NULLS,
	TREE_VALUES
} TreeContent;

/* What a region is in one attribute. */
typedef struct TreeBounds
{
	TreeContent content;
	int32 lower; /* the cut above whose threshold it lies, -1: none */
	int32 upper; /* the cut up to whose threshold it lies, -1: none */
	int level;   /* of the label; levels + 1: the top */
	int32 label;
} TreeBounds;

/* Empty, in the current context, where all of it will live; the budget is the caller's. */
extern PartitionTree *partition_tree_create(int sqlstate, Budget *budget);

/* Zeroed attributes, to be filled in. */
extern void partition_tree_set_attributes(PartitionTree *tree, int attributes);

/* Adds a model, whose text is kept, behind those it has. */
extern void partition_tree_add_model(PartitionTree *tree, const char *text);

/* Makes an attribute, whose type is set, hierarchical. */
extern void partition_tree_set_hierarchy(PartitionTree *tree, int attribute, const char *top,
										 int levels);

/*
 * Adds a ground value (copied) with its text (kept) and its labels, [1 .. levels]
 * (copied).  Error: the value is there already.
 */
extern void partition_tree_add_value(PartitionTree *tree, int attribute, Datum value,
									 const char *text, const char *const *labels);

/* The number of a label at a level (a cstring; level 0: the ground value itself), or -1. */
extern int32 partition_tree_find_label(const PartitionTree *tree, int attribute, int level,
									   Datum label);

/* The text of a label at a level (levels + 1: the top). */
extern const char *partition_tree_label(const PartitionTree *tree, int attribute, int level,
										int32 label);

/* Makes room for so many nodes at once. */
extern void partition_tree_reserve(PartitionTree *tree, int32 nodes);

/* The next node, zeroed, NULL going nowhere; the pointer is good until the next one. */
extern TreeNode *partition_tree_append(PartitionTree *tree);

/*
 * Links the nodes and sees that they are a tree: hierarchies many-to-one, counts
 * that add up, cuts within their region, labels below the region's own, NULL sent on
 * only where it is, classes numbered 1, 2, .. and of at least k rows.
 * O(nodes + values), and answers interrupts.
 */
extern void partition_tree_finish(PartitionTree *tree);

/*
 * The leaf whose region holds a row of detoasted values, or -1.  With bounds:
 * the region itself, [attributes].  O(depth).
 */
extern int32 partition_tree_locate(const PartitionTree *tree, const Datum *values,
								   const bool *nulls, TreeBounds *bounds);

/* Raises "malformed kanon_tree" with the tree's SQLSTATE and this detail (palloc'd or literal). */
pg_noreturn extern void partition_tree_reject(const PartitionTree *tree, const char *detail);

#endif /* KANON_PARTITION_TREE_H */
