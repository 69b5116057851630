/*
 * partition_tree.h
 *		The partition tree as a recoding function, which needs neither the rows it was grown from
 *		nor their dimension tables (LeFevre, DeWitt 2007, section 2.1: the tree's rules are the
 *		recoding).
 *
 * Nodes are in preorder: the first child of a node is the next node.  An ordered attribute is cut
 * at values, a hierarchical one is specialized from a label to labels below it, and NULLs are
 * separated; each leaf is a class.  If there were too few NULLs to separate, one child of a cut or
 * specialization takes them as well.  A value that the hierarchy lacks goes where NULLs go, unless
 * NULLs were separated and there were no such values at the time.  A row lies in the region of one
 * leaf or of none.  The latter holds for NULL, or such a value, if an attribute was divided when
 * there were no NULLs, and for a value whose label had no rows, unless there is a rest part: that
 * is the child for all labels that have none of their own, and its region keeps the label above.
 *
 * A tree has one form, the value of the SQL type kanon_tree: it is stored as it is walked.  Parts
 * of variable size lie at an offset, in bytes, from the tree's start; texts are zero-terminated.
 * Values are texts, which stay safe to read whatever happens to their type.  Types are stored as
 * OIDs, so that they may be renamed; collations as OID and name, because pg_upgrade changes their
 * OIDs. tree_builder.h makes trees.
 */
#ifndef KANON_PARTITION_TREE_H
#define KANON_PARTITION_TREE_H

#include "postgres.h"

#include "base/budget.h"
#include "base/compat.h"
#include "cell/range_format.h"
#include "data/dictionary.h"
#include "fmgr.h"
#include "partition/partition.h"
#include "relation/record_type.h"

#define TREE_VERSION 3
#define TREE_DIGEST 32
#define TREE_MAX_ATTRIBUTES 1600
#define TREE_MAX_LEVELS 100
#define TREE_MAX_MODELS 1000
#define TREE_REST 0x80
#define TREE_RULES (-1) /* "split" of a list of rules (tree_rules.h) */
#define TREE_ANY_VALUE 255

/* Kinds of nodes beside PartitionNodeKind, in a list of rules. */
#define TREE_LIST 64 /* the root: all others are its children */
#define TREE_RULE 65

typedef struct PartitionTree
{
	int32 header;              /* varlena header */
	uint8 digest[TREE_DIGEST]; /* SHA-256 of what follows; distinguishes trees */
	int32 version;
	int64 k;
	int32 split;  /* PartitionSplit, or TREE_RULES */
	int32 target; /* text: the attribute that the criterion looked at; 0 with the median */
	int32 models; /* number of models that its classes satisfied, besides k */
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
	int32 top;    /* text: the top label; 0: ordered, without a hierarchy */
	int32 levels; /* levels of labels that the tree uses: 1 .. levels; level 0 has the values */
	int32 values;
	int32 level; /* TreeLevel[levels + 1] */
} TreeAttribute;

typedef struct TreeLevel
{
	int32 labels;         /* numbered in order of first occurrence */
	int32 label;          /* TreeLabel[labels] */
	int32 label_of_value; /* int32[values] */
} TreeLevel;

typedef struct TreeLabel
{
	int32 text;
	int32 value; /* the first value below it */
} TreeLabel;

typedef struct TreeNode
{
	uint8 kind;       /* PartitionNodeKind */
	uint8 level;      /* SPECIALIZE: of the labels; with TREE_REST if the last child takes all
					   * others */
	int16 attribute;  /* the one that is split */
	int32 null_child; /* CUT, SPECIALIZE: the child that takes NULL as well, for a cut the first;
					   * NULL: 0 if the first child takes values that the hierarchy lacks as
					   * well; -1: none; RULE: the class */
	union
	{
		int64 rows; /* LEAF: rows the tree was grown from */
		struct
		{
			int32 children; /* 2, or those of a specialization */
			int32 at;       /* CUT: text; values up to it go to the first child, those above to
							 * the second; SPECIALIZE: int32[labels], ascending: one for each child
							 * but a rest part */
		};
		struct
		{
			int32 class_rows; /* RULE: rows of its class; 0: an exception */
			int32 test;       /* RULE: TreeTest[attributes] */
		};
	};
} TreeNode;

static inline int
tree_node_level(const TreeNode *node)
{
	return node->level & ~TREE_REST;
}

static inline bool
tree_node_rest(const TreeNode *node)
{
	return (node->level & TREE_REST) != 0;
}

/* The labels of a specialization. */
static inline int32
tree_node_labels(const TreeNode *node)
{
	return node->children - (tree_node_rest(node) ? 1 : 0);
}

/* What a rule asks of an attribute. */
typedef struct TreeTest
{
	uint8 content; /* TreeContent */
	uint8 level;   /* of values: TREE_ANY_VALUE, or of their label */
	int32 low;     /* the label's number; without a hierarchy text: the least value .. */
	int32 high;    /* .. and the greatest */
} TreeTest;

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

/*
 * The text of a label at a level (levels + 1: the top); the number and the text of the label above
 * a ground value.
 */
extern const char *partition_tree_label(const PartitionTree *tree, int attribute, int level,
										int32 label);
extern int32 partition_tree_number_above(const PartitionTree *tree, int attribute, int level,
										 int32 value);
extern const char *partition_tree_label_above(const PartitionTree *tree, int attribute, int level,
											  int32 value);

/* Raises ERRCODE_DATA_CORRUPTED for another version of the form. */
extern void partition_tree_check_version(const PartitionTree *tree);

typedef struct TreeRules TreeRules;

/* A node prepared for lookups, as compact as possible. */
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
	int sqlstate;        /* for errors about the tree */
	ValueType *type;     /* [attribute] */
	Dictionary **ground; /* [attribute]: values of a hierarchy; NULL: ordered */
	OpenNode *node;      /* [node]; NULL: rules */
	TreeRules *rules;    /* tree_rules.h; NULL: a tree of splits */
	Budget *budget;
	MemoryContext context; /* of what is above, and of .. */
	RangeCut *cut;         /* [node]: texts of thresholds, when they are needed; or NULL */
} OpenTree;

/*
 * Reads the values of a tree, which must stay, in the current context, links its nodes and checks
 * that they form a tree: attributes named once, hierarchies many-to-one, cuts within their region,
 * labels below the region's own, NULL passed on only where it can be, classes of at least k rows.
 * Other errors: another version of the form (ERRCODE_DATA_CORRUPTED); a type that is gone or that
 * trees no longer support.  O(nodes + values).  Answers cancels.
 */
extern OpenTree *partition_tree_open(const PartitionTree *tree, int sqlstate, Budget *budget);

typedef enum TreeContent
{
	TREE_ANYTHING, /* values within the bounds, and NULL */
	TREE_NULLS,
	TREE_VALUES
} TreeContent;

/* A region in one attribute. */
typedef struct TreeBounds
{
	TreeContent content;
	int32 lower; /* the cut whose threshold it lies above; -1: none; of rules: the rule */
	int32 upper; /* the cut whose threshold it lies at or below; -1: none */
	int level;   /* of the label; levels + 1: the top */
	int32 label;
} TreeBounds;

/*
 * The class whose region contains a row of detoasted values, or 0.  With bounds: the region itself,
 * [attributes].  O(depth).
 */
extern int32 partition_tree_locate(const OpenTree *open, const Datum *values, const bool *nulls,
								   TreeBounds *bounds);

/*
 * Regions as text.  These are the regions of the recoding: together they cover the space, so the
 * outermost ones have no bound.  In one attribute a region is
 *
 *	NULL	where it holds NULLs only;
 *	a label	with a hierarchy;
 *	*	with an ordered attribute, or the top label, where NULLs go together with values;
 *	a range	otherwise (range_format_between)
 *
 * Returns the region in one attribute, palloc'd; NULL for SQL's NULL.
 */
extern char *tree_region_text(OpenTree *open, int attribute, const TreeBounds *bounds);

/*
 * ---- SQL records as rows of a tree (tree_record.c).
 *
 * Fields are found by name; additional fields are ignored.  The fields of a bare ROW(..) have no
 * names; PostgreSQL calls them f1, f2, ..  Unless the tree uses some of these names, such fields
 * are taken by position, and there must be as many as attributes.  Types must be those of the
 * attributes; a domain counts as its base type.
 */

typedef struct TreeRecord
{
	MemoryContext context; /* for what is known of the current type */
	RecordType type;       /* of the current row */
	int *field_of_attribute;
	Datum *field_values;
	bool *field_nulls;
	Datum *values; /* by attribute */
	bool *nulls;
} TreeRecord;

/*
 * Reads one row: values (detoasted) and nulls by attribute.  The record caches what it knows of the
 * latest row type below "context"; initialize it with zeros.
 *
 * Errors: an attribute without a field (ERRCODE_UNDEFINED_COLUMN); another type or number of fields
 * (ERRCODE_DATATYPE_MISMATCH).
 */
extern void tree_record_read(TreeRecord *record, const PartitionTree *tree, HeapTupleHeader row,
							 MemoryContext context);

/*
 * ---- The types, collations and values of a tree, as names and text (tree_type.c).
 *
 * The text of a tree does not depend on the session's settings, so it can be compared, dumped, and
 * used in another session.  Read and write values within text_settings_begin and _end
 * (sql/text_settings.h).
 */

/*
 * The name of a type or collation, without schema if it is in pg_catalog.  Raises
 * ERRCODE_DATA_CORRUPTED if it is gone, because a stored tree had it.
 */
extern const char *tree_type_name(Oid type);
extern const char *tree_type_collation_name(Oid collation);

/* The type or collation with this name; an error with this SQLSTATE if there is none. */
extern Oid tree_type_find(int sqlstate, const char *name);
extern Oid tree_type_find_collation(int sqlstate, const char *name);

/*
 * The collation for a stored OID and name: pg_upgrade changes OIDs, users change names.  Prefers
 * one with both, then one with the name, then the OID, which may no longer be a collation.
 */
extern Oid tree_type_resolve_collation(Oid collation, const char *name);

/*
 * Checks that trees support the type: its values can be ordered, reading them runs no user's code
 * (it is not a domain and contains none), and the collation fits.  Raises an error with this
 * SQLSTATE, or those of the names.
 */
extern void tree_type_check(int sqlstate, const char *attribute, Oid type, Oid collation);

/* Converts text to values of one type and back; prepared once. */
typedef struct TreeValueText
{
	Oid parameter;
	FmgrInfo input;
	FmgrInfo output;
} TreeValueText;

extern void tree_type_prepare(TreeValueText *conversion, Oid type);

/* A value in the current context, detoasted.  Raises the type's own errors. */
extern Datum tree_type_read(TreeValueText *conversion, const char *text);

/* Raises the error "malformed kanon_tree" with this detail, palloc'd or a literal. */
pg_noreturn extern void partition_tree_reject(int sqlstate, const char *detail);

#endif /* KANON_PARTITION_TREE_H */
