/*
 * tree_builder.h
 *		Makes partition trees: of records (tree_grow.c), of texts (tree_text.c) and, for both, piece
 *		by piece (tree_builder.c).
 */
#ifndef KANON_TREE_BUILDER_H
#define KANON_TREE_BUILDER_H

#include "postgres.h"

#include "record/record_codes.h"
#include "tree/partition_tree.h"
#include "tree/tree_rules.h"

/* The bytes that the tree takes for each row: the class_bytes of its records. */
extern Size tree_grow_class_bytes(int k);

/*
 * The tree of these records by Mondrian, in memory or on tapes, with their split; NULL
 * for fewer than k rows or if they do not satisfy the models.  Finishes the codes.  In the current
 * context, against their budget.
 *
 * Hierarchies have the levels that occur in the tree, with all values of the dimension table.
 * Besides the partitioning, O(nodes + values of dimensions).  Errors: an attribute name that occurs
 * twice (ERRCODE_DUPLICATE_COLUMN), an anonymous record type (ERRCODE_FEATURE_NOT_SUPPORTED); the
 * memory limit.
 */
extern PartitionTree *tree_grow(RecordCodes *codes, int k);

/*
 * The classes of these records by local recoding, in memory, as a list of rules that gives each
 * record its class, and none to those left out; likewise.
 */
extern PartitionTree *tree_grow_rules(RecordCodes *codes, int k, double suppression);

/*
 * ---- Trees as text: JSON, a line for each attribute, ground value and node; nodes are indented by
 * their depth.
 *
 *	{"k": 2, "split": "median",
 *	 "attributes": [
 *	  {"name": "age", "type": "int4"},
 *	  {"name": "work", "type": "text", "collation": "default", "top": "*", "levels": 1, "values": [
 *	   ["federal", "public"],
 *	   ["state", "public"],
 *	   ["self", "private"]]}],
 *	 "nodes": [
 *	  {"cut": "age", "at": "37"},
 *	   {"class": 1, "rows": 2},
 *	   {"specialize": "work", "level": 1, "into": ["public", "private"]},
 *	    {"class": 2, "rows": 3},
 *	    {"class": 3, "rows": 2}]}
 *
 * A tree whose classes satisfy models names them before its attributes: "models":
 * ["distinct(disease, 2)"].  A cut or specialization one of whose children takes NULL as well says
 * which, from 1: {"cut": "age", "at": "37", "null": 1}.  A specialization whose last child takes
 * all labels but those in "into" says "rest": true after them.  Equal trees have equal texts.
 * Members are read in this order only; white space does not count.
 *
 * A list of rules says "recoding": "local" instead of its split, and has rules instead of nodes:
 * what a rule asks of each attribute is a range, a label at its level, null, or true for any value.
 *
 *	{"k": 2, "recoding": "local",
 *	 "attributes": [ .. ],
 *	 "rules": [
 *	  {"class": 2, "where": {"age": ["25", "25"], "work": [0, "self"]}},
 *	  {"class": 1, "rows": 5, "where": {"age": ["20", "29"], "work": [1, "private"]}},
 *	  {"class": 2, "rows": 7, "where": {"age": ["25", "60"], "work": true}}]}
 */

/* The text of a tree, palloc'd.  Raises ERRCODE_DATA_CORRUPTED if a type or collation is gone. */
extern char *tree_text_write(const PartitionTree *tree);

/*
 * The tree of a text, palloc'd with its working memory.  Raises ERRCODE_INVALID_TEXT_REPRESENTATION
 * for anything that is not a tree; for invalid JSON with the line.
 */
extern PartitionTree *tree_text_read(const char *text, Budget *budget);

/*
 * ---- Piece by piece: first attributes, each with the values of its hierarchy, then nodes in
 * preorder.  Anything that does not form a tree raises an error with the SQLSTATE given at the
 * start.
 */

typedef struct TreeBuilder TreeBuilder;

/*
 * In the current context, against the budget.  split: TREE_RULES for a list of rules; target: NULL
 * with these, and unless the criterion takes one.
 */
extern TreeBuilder *tree_builder_create(int sqlstate, int64 k, int split, const char *target,
										Budget *budget);

/* Adds a model, in its canonical text. */
extern void tree_builder_add_model(TreeBuilder *builder, const char *text);

/* Adds an attribute; returns its number.  Raises the errors of tree_type_check. */
extern int tree_builder_add_attribute(TreeBuilder *builder, const char *name, Oid type,
									  Oid collation);

/* Makes the latest attribute hierarchical. */
extern void tree_builder_set_hierarchy(TreeBuilder *builder, const char *top, int levels);

/*
 * Adds a ground value to the latest attribute, with its labels, texts [1 .. levels].  Raises an
 * error if it exists.
 */
extern void tree_builder_add_value(TreeBuilder *builder, Datum value, const char *const *labels);

/* How many there are; the attribute with that name, or -1; the name of an attribute. */
extern int tree_builder_attributes(const TreeBuilder *builder);
extern int tree_builder_find_attribute(const TreeBuilder *builder, const char *name);
extern const char *tree_builder_name(const TreeBuilder *builder, int attribute);

/* The number of label levels of an attribute; -1: no hierarchy. */
extern int tree_builder_levels(const TreeBuilder *builder, int attribute);

/* Reads a value of an attribute from its text, in the current context. */
extern Datum tree_builder_read(TreeBuilder *builder, int attribute, const char *text);

/* The number of a label (a text; level 0: the ground value itself), or -1. */
extern int32 tree_builder_find_label(const TreeBuilder *builder, int attribute, int level,
									 Datum label);

/* The label of a ground value at a level up to the hierarchy's highest. */
extern int32 tree_builder_label_above(const TreeBuilder *builder, int attribute, int level,
									  int32 value);

/*
 * Adds the next node, but for what it refers to: of a cut the threshold, of a specialization the
 * labels, [children].
 */
extern void tree_builder_add_node(TreeBuilder *builder, TreeNode node, Datum threshold,
								  const int32 *labels);

/*
 * Adds a rule, with a test for each attribute, to a tree that is a list of rules.  rows: of its
 * class; 0: it is an exception.
 */
extern void tree_builder_add_rule(TreeBuilder *builder, int32 class_number, int32 rows,
								  const RuleTest *test);

/* Checks and returns the tree, palloc'd in the builder's context. */
extern PartitionTree *tree_builder_finish(TreeBuilder *builder);

#endif /* KANON_TREE_BUILDER_H */
