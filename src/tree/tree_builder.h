/*
 * tree_builder.h
 *		Makes a partition tree: attributes first, each with the values of its
 *		hierarchy, then nodes in preorder.
 *
 * Whatever does not make a tree is an error with the SQLSTATE given at the start.
 */
#ifndef KANON_TREE_BUILDER_H
#define KANON_TREE_BUILDER_H

#include "postgres.h"

#include "tree/partition_tree.h"

typedef struct TreeBuilder TreeBuilder;

/* In the current context, against the budget; target: NULL with the median. */
extern TreeBuilder *tree_builder_create(int sqlstate, int64 k, PartitionSplit split,
										const char *target, Budget *budget);

/* Adds a model, in its canonical text. */
extern void tree_builder_add_model(TreeBuilder *builder, const char *text);

/*
 * The number of a new attribute.  Error: there are no trees over this type
 * (tree_type_check).
 */
extern int tree_builder_add_attribute(TreeBuilder *builder, const char *name, Oid type,
									  Oid collation);

/* Makes the latest attribute hierarchical. */
extern void tree_builder_set_hierarchy(TreeBuilder *builder, const char *top, int levels);

/*
 * Adds a ground value to the latest attribute, with its labels, texts [1 .. levels].  Error: it
 * is there already.
 */
extern void tree_builder_add_value(TreeBuilder *builder, Datum value, const Datum *labels);

/* The attribute of that name, or -1; the name of an attribute. */
extern int tree_builder_find_attribute(const TreeBuilder *builder, const char *name);
extern const char *tree_builder_name(const TreeBuilder *builder, int attribute);

/* How many levels of labels an attribute has; -1: no hierarchy. */
extern int tree_builder_levels(const TreeBuilder *builder, int attribute);

/* A value of an attribute from its text, in the current context. */
extern Datum tree_builder_read(TreeBuilder *builder, int attribute, const char *text);

/* The number of a label (a text; level 0: the ground value itself), or -1. */
extern int32 tree_builder_find_label(const TreeBuilder *builder, int attribute, int level,
									 Datum label);

/* The label at a level, at most those of the hierarchy, of a ground value. */
extern int32 tree_builder_label_above(const TreeBuilder *builder, int attribute, int level,
									  int32 value);

/*
 * The next node.  null_child: takes NULL as well, -1: none; unknown_child: 0 takes values that the
 * hierarchy does not know as well, -1: none does.
 */
extern void tree_builder_add_leaf(TreeBuilder *builder, int32 class_number, int64 rows);
extern void tree_builder_add_null(TreeBuilder *builder, int attribute, int32 unknown_child);
extern void tree_builder_add_cut(TreeBuilder *builder, int attribute, Datum threshold,
								 int32 null_child);
extern void tree_builder_add_specialization(TreeBuilder *builder, int attribute, int level,
											const int32 *labels, int32 children, int32 null_child);

/* The tree, once it is seen to be one; palloc'd in the builder's context. */
extern PartitionTree *tree_builder_finish(TreeBuilder *builder);

#endif /* KANON_TREE_BUILDER_H */
