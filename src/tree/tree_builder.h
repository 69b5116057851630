/*
 * tree_builder.h
 *		Builds a partition tree: first attributes, each with the values of its hierarchy, then nodes
 *		in preorder.
 *
 * Anything that does not form a tree raises an error with the SQLSTATE given at the start.
 */
#ifndef KANON_TREE_BUILDER_H
#define KANON_TREE_BUILDER_H

#include "postgres.h"

#include "tree/partition_tree.h"

typedef struct TreeBuilder TreeBuilder;

/* In the current context, against the budget. target: NULL with the median. */
extern TreeBuilder *tree_builder_create(int sqlstate, int64 k, PartitionSplit split,
										const char *target, Budget *budget);

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
extern void tree_builder_add_value(TreeBuilder *builder, Datum value, const Datum *labels);

/* The attribute with that name, or -1; the name of an attribute. */
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
 * Adds the next node. null_child: the child that takes NULL as well, -1: none; unknown_child: 0 if
 * the first child takes values that the hierarchy lacks as well, -1: none does.
 */
extern void tree_builder_add_leaf(TreeBuilder *builder, int32 class_number, int64 rows);
extern void tree_builder_add_null(TreeBuilder *builder, int attribute, int32 unknown_child);
extern void tree_builder_add_cut(TreeBuilder *builder, int attribute, Datum threshold,
								 int32 null_child);
extern void tree_builder_add_specialization(TreeBuilder *builder, int attribute, int level,
											const int32 *labels, int32 children, int32 null_child);

/* Checks and returns the tree, palloc'd in the builder's context. */
extern PartitionTree *tree_builder_finish(TreeBuilder *builder);

#endif /* KANON_TREE_BUILDER_H */
