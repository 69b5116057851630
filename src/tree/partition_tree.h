/*
 * partition_tree.h
 *		The partition tree as a recoding function that needs neither the rows it
 *		was grown from nor their dimension tables (LeFevre, DeWitt 2007, section 2.1:
 *		the tree's rules are the recoding).
 *
 * Nodes lie in preorder: the first child of a node is the next node.  An ordered
 * attribute is cut at values, a hierarchical one is specialized from a label to
 * labels below it, NULLs are set apart; each leaf is a class.  Where NULLs were too
 * few to be set apart, one child of a cut or specialization takes them as well.  A value that
 * the hierarchy does not know goes along with NULLs, but where NULLs were set apart without such
 * values having been there to see.  A row lies in the region of one leaf, or in none: NULL, or
 * such a value, where an attribute was divided without NULLs having been there to see, or a value
 * whose label had no rows.
 *
 * A tree has one form, a value of the SQL type kanon_tree: what is stored is what is
 * walked.  Whatever has no fixed size lies at an offset, in bytes, from the tree's
 * start; texts end in a zero.  Values are texts, which no change of a type makes
 * unsafe to read.  Types go by OID, so that they may be renamed; collations by OID
 * and name, for pg_upgrade changes their OIDs.  tree_builder.h makes trees.
 */
#ifndef KANON_PARTITION_TREE_H
#define KANON_PARTITION_TREE_H

#include "postgres.h"

#include "base/budget.h"
#include "base/compat.h"
#include "data/dictionary.h"
#include "data/value_type.h"
#include "partition/partition.h"

#define TREE_VERSION 3
#define TREE_DIGEST 32
#define TREE_MAX_ATTRIBUTES 1600
#define TREE_MAX_LEVELS 100
#define TREE_MAX_MODELS 1000

typedef struct PartitionTree
{
	int32 header;              /* of a varlena */
	uint8 digest[TREE_DIGEST]; /* SHA-256 of what follows: it tells two trees apart */
	int32 version;
	int64 k;
	int32 split;  /* PartitionSplit */
	int32 target; /* text: the attribute the criterion looked at; 0 with the median */
	int32 models; /* that its classes satisfied, besides k */
	int32 model;  /* int32[models]: texts */
	int32 attributes;
	int32 attribute; /* TreeAttribute[attributes] */
	int32 nodes;
	int32 node; /* TreeNode[nodes] */
} PartitionTree;

typedef struct TreeAttribute
{
	int32 name;
	Oid type;
	Oid collation; /* InvalidOid: none */
	int32 collation_name;
	int32 top;    /* text: the label of everything; 0: ordered, without a hierarchy */
	int32 levels; /* that the tree uses, of labels: 1 .. levels; level 0 are the values */
	int32 values;
	int32 level; /* TreeLevel[levels + 1] */
} TreeAttribute;

typedef struct TreeLevel
{
	int32 labels;         /* numbered as they first occur */
	int32 label;          /* TreeLabel[labels] */
	int32 label_of_value; /* int32[values] */
} TreeLevel;

typedef struct TreeLabel
{
	int32 text;
	int32 value; /* the first one under it */
} TreeLabel;

typedef struct TreeNode
{
	uint8 kind;       /* PartitionNodeKind */
	uint8 level;      /* SPECIALIZE: of the labels */
	int16 attribute;  /* that is split */
	int32 null_child; /* CUT, SPECIALIZE: takes NULL as well, of a cut the first; NULL: takes values
					   * that the hierarchy does not know as well, the first; -1: none */
	union
	{
		int64 rows; /* LEAF: that the tree was grown from */
		struct
		{
			int32 children; /* 2, or the labels of a specialization */
			int32 at;       /* CUT: text, values up to it go to the first child, those above to the
							 * second; SPECIALIZE: int32[children], labels ascending */
		};
	};
} TreeNode;

static inline const void *
partition_tree_at(const PartitionTree *tree, int32 offset)
{
	return (const char *) tree + offset;
}

static inline const TreeAttribute *
partition_tree_attribute(const PartitionTree *tree, int attribute)
{
	return (const TreeAttribute *) partition_tree_at(tree, tree->attribute) + attribute;
}

static inline const char *
partition_tree_name(const PartitionTree *tree, int attribute)
{
	return partition_tree_at(tree, partition_tree_attribute(tree, attribute)->name);
}

static inline const TreeNode *
partition_tree_node(const PartitionTree *tree, int32 node)
{
	return (const TreeNode *) partition_tree_at(tree, tree->node) + node;
}

static inline int32
partition_tree_children(const TreeNode *node)
{
	return node->kind == PARTITION_LEAF ? 0 : node->children;
}

/* The text of a label at a level (levels + 1: the top), and of the label above a ground value. */
extern const char *partition_tree_label(const PartitionTree *tree, int attribute, int level,
										int32 label);
extern const char *partition_tree_label_above(const PartitionTree *tree, int attribute, int level,
											  int32 value);

/* Error: the tree has a form of another version (ERRCODE_DATA_CORRUPTED). */
extern void partition_tree_check_version(const PartitionTree *tree);

/* A node to be walked: what a row with a value needs of it, in as few bytes as may be. */
typedef struct OpenNode
{
	uint8 kind;
	int16 attribute;
	union
	{
		int32 class_number; /* LEAF: 1, 2, .. in order */
		int32 second;       /* CUT, NULL: the second child */
	};
	union
	{
		Datum threshold; /* CUT */
		int32 *child;    /* SPECIALIZE: [children] */
	};
} OpenNode;

typedef struct OpenTree
{
	const PartitionTree *tree;
	int sqlstate;        /* of what is wrong with it */
	ValueType *type;     /* [attribute] */
	Dictionary **ground; /* [attribute]: values of a hierarchy; NULL: ordered */
	OpenNode *node;      /* [node] */
	Budget *budget;
} OpenTree;

/*
 * Reads the values of a tree, which has to stay, in the current context, links its nodes
 * and sees that they are a tree: attributes named once, hierarchies many-to-one, cuts
 * within their region, labels below the region's own, NULL sent on only where it is,
 * classes of at least k rows.  Other errors: another version of the form
 * (ERRCODE_DATA_CORRUPTED); a type that is gone, or that became one of which there are
 * no trees.  O(nodes + values), answers interrupts.
 */
extern OpenTree *partition_tree_open(const PartitionTree *tree, int sqlstate, Budget *budget);

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

/*
 * The class whose region holds a row of detoasted values, or 0.  With bounds:
 * the region itself, [attributes].  O(depth).
 */
extern int32 partition_tree_locate(const OpenTree *open, const Datum *values, const bool *nulls,
								   TreeBounds *bounds);

/* Raises "malformed kanon_tree" with this detail (palloc'd or literal). */
pg_noreturn extern void partition_tree_reject(int sqlstate, const char *detail);

#endif /* KANON_PARTITION_TREE_H */
