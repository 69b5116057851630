/*
 * partition_tree.c
 *		See partition_tree.h.
 *
 * Example: six people cut at age 30, those above 30 cut at zip 53710.
 *
 *	node 0  cut age at 30
 *	node 1      class 1, 2 rows
 *	node 2      cut zip at 53710
 *	node 3          class 2, 2 rows
 *	node 4          class 3, 2 rows
 *
 * In preorder a list of nodes says how they hang together: each node below the
 * root is the next child of the latest node that still lacks one.  So a list
 * cannot hold a cycle or a node with two parents; what is left to see is that it
 * has neither too few nodes nor too many, and that each split is one of its region.
 * The way down keeps one TreeBounds for each attribute.  A split changes that of
 * its own attribute alone, which is put back on the way up.
 */
#include "postgres.h"

#include "tree/partition_tree.h"

#include "base/interrupt.h"
#include "data/dimension.h"
#include "miscadmin.h"
#include "sql/text_settings.h"
#include "sql/type_query.h"
#include "tree/tree_rules.h"

#define PURPOSE "partition tree"
#define VALUES_UNASKED 4096 /* values read between two checks of the budget */

/* A split on the path from the root to the current node. */
typedef struct TreeFrame
{
	int32 node;
	int32 entered;   /* children entered so far */
	TreeBounds here; /* its region in the attribute that it splits */
} TreeFrame;

typedef struct TreePath
{
	OpenTree *open;
	TreeFrame *frame;
	int32 depth;
	int64 capacity;
	TreeBounds *bounds; /* [attribute] */
	int32 classes;
} TreePath;

void
partition_tree_reject(int sqlstate, const char *detail)
{
	ereport(ERROR,
			(errcode(sqlstate), errmsg("malformed kanon_tree"), errdetail_internal("%s", detail)));
}

static const TreeLevel *
level_of(const PartitionTree *tree, int attribute, int level)
{
	const TreeLevel *first =
		partition_tree_at(tree, partition_tree_attribute(tree, attribute)->level);

	return &first[level];
}

static const TreeLabel *
label_of(const PartitionTree *tree, int attribute, int level, int32 label)
{
	const TreeLabel *first = partition_tree_at(tree, level_of(tree, attribute, level)->label);

	return &first[label];
}

int32
partition_tree_number_above(const PartitionTree *tree, int attribute, int level, int32 value)
{
	const int32 *first = partition_tree_at(tree, level_of(tree, attribute, level)->label_of_value);

	return first[value];
}

const char *
partition_tree_label(const PartitionTree *tree, int attribute, int level, int32 label)
{
	const TreeAttribute *described = partition_tree_attribute(tree, attribute);

	return partition_tree_at(tree, level > described->levels
									   ? described->top
									   : label_of(tree, attribute, level, label)->text);
}

const char *
partition_tree_label_above(const PartitionTree *tree, int attribute, int level, int32 value)
{
	return partition_tree_label(tree, attribute, level,
								partition_tree_number_above(tree, attribute, level, value));
}

void
partition_tree_check_version(const PartitionTree *tree)
{
	if (tree->version != TREE_VERSION)
		partition_tree_reject(ERRCODE_DATA_CORRUPTED,
							  psprintf("Version %d is unknown.", tree->version));
}

/* ---- regions */

static TreeBounds
whole_space(const TreeAttribute *attribute)
{
	return (TreeBounds){.content = TREE_ANYTHING,
						.lower = -1,
						.upper = -1,
						.level = attribute->top ? attribute->levels + 1 : 0};
}

/* The region of a child in the attribute that its parent splits. */
static TreeBounds
child_bounds(const PartitionTree *tree, int32 number, int32 child, TreeBounds bounds)
{
	const TreeNode *node = partition_tree_node(tree, number);

	if (node->kind == PARTITION_NULL)
	{
		bounds.content = child != 0              ? TREE_VALUES
						 : node->null_child == 0 ? TREE_ANYTHING
												 : TREE_NULLS;
		return bounds;
	}
	bounds.content = child == node->null_child ? TREE_ANYTHING : TREE_VALUES;
	if (node->kind == PARTITION_SPECIALIZE)
	{
		if (child == tree_node_labels(node))
			return bounds;
		bounds.level = tree_node_level(node);
		bounds.label = ((const int32 *) partition_tree_at(tree, node->at))[child];
	}
	else if (child == 0)
		bounds.upper = number;
	else
		bounds.lower = number;
	return bounds;
}

/* ---- nodes */

pg_noreturn static void reject_node(const TreePath *path, int32 number, const char *fault);

static void
reject_node(const TreePath *path, int32 number, const char *fault)
{
	partition_tree_reject(path->open->sqlstate, psprintf("Node %d %s.", number + 1, fault));
}

static void
check_cut(const TreePath *path, int32 number, const TreeBounds *bounds)
{
	int attribute = partition_tree_node(path->open->tree, number)->attribute;
	const ValueType *type = &path->open->type[attribute];
	const OpenNode *node = path->open->node;

	if (partition_tree_attribute(path->open->tree, attribute)->top)
		reject_node(path, number, "cuts an attribute that has a hierarchy");
	if (bounds->content == TREE_NULLS ||
		(bounds->lower >= 0 &&
		 type->compare(type, node[bounds->lower].threshold, node[number].threshold) >= 0) ||
		(bounds->upper >= 0 &&
		 type->compare(type, node[number].threshold, node[bounds->upper].threshold) >= 0))
		reject_node(path, number, "cuts outside its region");
}

static void
check_specialization(const TreePath *path, int32 number, const TreeBounds *bounds)
{
	const PartitionTree *tree = path->open->tree;
	const TreeNode *node = partition_tree_node(tree, number);
	const int32 *label = partition_tree_at(tree, node->at);
	int attribute = node->attribute;
	int level = tree_node_level(node);
	bool inside = bounds->content != TREE_NULLS && level < bounds->level;
	bool below_label = bounds->level <= partition_tree_attribute(tree, attribute)->levels;

	if (tree_node_labels(node) < 1)
		reject_node(path, number, "has no children");
	for (int32 i = 0; inside && i < tree_node_labels(node); i++)
	{
		inside = !below_label ||
				 partition_tree_number_above(tree, attribute, bounds->level,
											 label_of(tree, attribute, level, label[i])->value) ==
					 bounds->label;
		if (inside && i > 0 && label[i] <= label[i - 1])
			reject_node(path, number, "specializes to labels out of order");
	}
	if (!inside)
		reject_node(path, number, "specializes to labels that are not below its region's");
}

/*
 * Does a split fit its region?  NULL may be passed on only from where it can be; below a threshold,
 * not above.
 */
static void
check_split(const TreePath *path, int32 number, const TreeBounds *bounds)
{
	const TreeNode *node = partition_tree_node(path->open->tree, number);

	if (node->kind == PARTITION_NULL)
	{
		if (bounds->content != TREE_ANYTHING)
			reject_node(path, number, "sets NULLs apart where they have been already");
		if (node->null_child > 0 ||
			(node->null_child == 0 &&
			 !partition_tree_attribute(path->open->tree, node->attribute)->top))
			reject_node(path, number, "sends unknown values to a child that cannot take them");
		return;
	}
	if (node->null_child >= 0 && bounds->content != TREE_ANYTHING)
		reject_node(path, number, "sends on NULLs that its region does not hold");
	if (node->null_child >= (node->kind == PARTITION_CUT ? 1 : node->children))
		reject_node(path, number, "sends NULLs to a child that cannot take them");
	if (node->kind == PARTITION_CUT)
		check_cut(path, number, bounds);
	else
		check_specialization(path, number, bounds);
}

/* Attaches a node to the latest one that lacks a child. */
static void
enter_child(TreePath *path, int32 number)
{
	const PartitionTree *tree = path->open->tree;
	TreeFrame *frame;
	OpenNode *parent;
	const TreeNode *split;

	if (path->depth == 0)
		reject_node(path, number, "comes after the last leaf");
	frame = &path->frame[path->depth - 1];
	parent = &path->open->node[frame->node];
	split = partition_tree_node(tree, frame->node);
	if (split->kind == PARTITION_SPECIALIZE)
		parent->child[frame->entered] = number;
	else
		parent->second = number;
	path->bounds[split->attribute] = child_bounds(tree, frame->node, frame->entered, frame->here);
	frame->entered++;
}

/* Goes from a split down to its first child. */
static void
push_split(TreePath *path, int32 number)
{
	path->frame = budget_room(path->open->budget, path->frame, &path->capacity, path->depth + 1,
							  sizeof(TreeFrame), PURPOSE);
	path->frame[path->depth++] =
		(TreeFrame){.node = number,
					.here = path->bounds[partition_tree_node(path->open->tree, number)->attribute]};
}

/* Goes from a leaf up to the latest node that lacks a child. */
static void
leave_finished(TreePath *path)
{
	while (path->depth > 0)
	{
		const TreeFrame *frame = &path->frame[path->depth - 1];
		const TreeNode *node = partition_tree_node(path->open->tree, frame->node);

		if (frame->entered < node->children)
			break;
		path->bounds[node->attribute] = frame->here;
		path->depth--;
	}
}

static void
open_node(TreePath *path, int32 number, TreeValueText *conversions)
{
	OpenTree *open = path->open;
	const TreeNode *node = partition_tree_node(open->tree, number);

	open->node[number].kind = node->kind;
	open->node[number].attribute = node->attribute;
	if (number > 0)
		enter_child(path, number);
	if (node->kind == PARTITION_LEAF)
	{
		if (node->rows < open->tree->k)
			reject_node(path, number,
						psprintf("has " INT64_FORMAT " rows, fewer than k", node->rows));
		open->node[number].class_number = ++path->classes;
		leave_finished(path);
		return;
	}
	if (node->kind == PARTITION_CUT)
		open->node[number].threshold =
			tree_type_read(&conversions[node->attribute], partition_tree_at(open->tree, node->at));
	if (node->kind == PARTITION_SPECIALIZE)
		open->node[number].child =
			budget_allocate(open->budget, node->children, sizeof(int32), PURPOSE);
	check_split(path, number, &path->bounds[node->attribute]);
	push_split(path, number);
}

/* ---- open */

/* Checks that every label of a level has one parent. */
static void
check_level(const OpenTree *open, int attribute, int level)
{
	const PartitionTree *tree = open->tree;

	for (int32 value = 0; value < partition_tree_attribute(tree, attribute)->values; value++)
	{
		int32 label = partition_tree_number_above(tree, attribute, level, value);
		int32 first = label_of(tree, attribute, level, label)->value;

		CHECK_FOR_INTERRUPTS();
		if (partition_tree_number_above(tree, attribute, level + 1, value) !=
			partition_tree_number_above(tree, attribute, level + 1, first))
			partition_tree_reject(
				open->sqlstate,
				psprintf("Label \"%s\" of attribute \"%s\" has two labels above it.",
						 partition_tree_label(tree, attribute, level, label),
						 partition_tree_name(tree, attribute)));
	}
}

/* Opens an attribute: its type and ground values. */
static void
open_attribute(OpenTree *open, int number, TreeValueText *conversion)
{
	const TreeAttribute *attribute = partition_tree_attribute(open->tree, number);
	Oid collation = tree_type_resolve_collation(
		attribute->collation, partition_tree_at(open->tree, attribute->collation_name));

	for (int other = 0; other < number; other++)
		if (strcmp(partition_tree_name(open->tree, number),
				   partition_tree_name(open->tree, other)) == 0)
			partition_tree_reject(open->sqlstate, psprintf("Attribute \"%s\" occurs twice.",
														   partition_tree_name(open->tree, other)));
	tree_type_check(open->sqlstate, partition_tree_name(open->tree, number), attribute->type,
					collation);
	tree_type_prepare(conversion, attribute->type);
	open->type[number] = type_query_value_type(attribute->type, collation);
	if (attribute->top == 0)
		return;
	open->ground[number] = dictionary_create(&open->type[number], open->budget);
	for (int32 value = 0; value < attribute->values; value++)
	{
		const char *text = partition_tree_label(open->tree, number, 0, value);

		CHECK_FOR_INTERRUPTS();
		if (dictionary_encode(open->ground[number], tree_type_read(conversion, text)) != value)
			partition_tree_reject(open->sqlstate,
								  psprintf("Value \"%s\" of attribute \"%s\" occurs twice.", text,
										   partition_tree_name(open->tree, number)));
	}
	for (int level = 1; level < attribute->levels; level++)
		check_level(open, number, level);
}

static void
open_nodes(TreePath *path, TreeValueText *conversions)
{
	OpenTree *open = path->open;
	int32 nodes = open->tree->nodes;

	open->node = budget_allocate(open->budget, nodes, sizeof(OpenNode), PURPOSE);
	for (int32 i = 0; i < nodes; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (i % VALUES_UNASKED == 0)
			budget_check(open->budget, 0, PURPOSE);
		open_node(path, i, conversions);
	}
	if (nodes == 0 || path->depth > 0)
		partition_tree_reject(open->sqlstate, "It ends before its last leaf.");
	if (path->frame)
		pfree(path->frame);
}

OpenTree *
partition_tree_open(const PartitionTree *tree, int sqlstate, Budget *budget)
{
	OpenTree *open = palloc0(sizeof(OpenTree));
	TreePath path = {.open = open};
	int nest_level = text_settings_begin();
	TreeValueText *conversions;

	partition_tree_check_version(tree);
	if (tree->attributes == 0)
		partition_tree_reject(sqlstate, "It has no attributes.");
	if (split_takes_target(tree->split) != (tree->target != 0))
		partition_tree_reject(sqlstate, "A target goes with infogain and regression.");
	open->tree = tree;
	open->sqlstate = sqlstate;
	open->budget = budget;
	open->context = CurrentMemoryContext;
	open->type = palloc0(sizeof(ValueType) * tree->attributes);
	open->ground = palloc0(sizeof(Dictionary *) * tree->attributes);
	path.bounds = palloc(sizeof(TreeBounds) * tree->attributes);
	conversions = palloc0(sizeof(TreeValueText) * tree->attributes);
	for (int i = 0; i < tree->attributes; i++)
	{
		open_attribute(open, i, &conversions[i]);
		path.bounds[i] = whole_space(partition_tree_attribute(tree, i));
	}
	if (tree->split == TREE_RULES)
		open->rules = tree_rules_open(open, conversions);
	else
		open_nodes(&path, conversions);
	text_settings_end(nest_level);
	return open;
}

/* ---- locate */

/*
 * The child of a specialization to which a value goes, or -1; an unknown value goes where NULL
 * goes.
 */
static int32
choose_label(const OpenTree *open, const TreeNode *node, Datum value)
{
	const int32 *labels = partition_tree_at(open->tree, node->at);
	int32 ground = dictionary_find(open->ground[node->attribute], value);
	int32 label;
	const int32 *found;

	if (ground < 0)
		return node->null_child;
	label = partition_tree_number_above(open->tree, node->attribute, tree_node_level(node), ground);
	found = bsearch(&label, labels, tree_node_labels(node), sizeof(int32), interrupt_compare_int32);
	if (found == NULL)
		return tree_node_rest(node) ? tree_node_labels(node) : -1;
	return (int32) (found - labels);
}

/* The child to which a row goes, or -1. */
static int32
choose_child(const OpenTree *open, int32 number, Datum value, bool is_null)
{
	const OpenNode *node = &open->node[number];
	const ValueType *type = &open->type[node->attribute];

	if (node->kind == PARTITION_NULL)
		return is_null || (partition_tree_node(open->tree, number)->null_child == 0 &&
						   dictionary_find(open->ground[node->attribute], value) < 0)
				   ? 0
				   : 1;
	if (is_null)
		return partition_tree_node(open->tree, number)->null_child;
	if (node->kind == PARTITION_CUT)
		return type->compare(type, value, node->threshold) <= 0 ? 0 : 1;
	return choose_label(open, partition_tree_node(open->tree, number), value);
}

/* The same by rules. */
static int32
locate_rule(const OpenTree *open, const Datum *values, const bool *nulls, TreeBounds *bounds)
{
	int32 rule = tree_rules_find(open->rules, values, nulls);
	int32 class_number = rule < 0 ? 0 : tree_rules_class(open->rules, rule);

	for (int i = 0; bounds && class_number > 0 && i < open->tree->attributes; i++)
		bounds[i].lower = tree_rules_of_class(open->rules, class_number);
	return class_number;
}

int32
partition_tree_locate(const OpenTree *open, const Datum *values, const bool *nulls,
					  TreeBounds *bounds)
{
	int32 number = 0;

	if (open->rules)
		return locate_rule(open, values, nulls, bounds);
	for (int i = 0; bounds && i < open->tree->attributes; i++)
		bounds[i] = whole_space(partition_tree_attribute(open->tree, i));
	for (;;)
	{
		const OpenNode *node = &open->node[number];
		int attribute = node->attribute;
		int32 child;

		if (node->kind == PARTITION_LEAF)
			return node->class_number;
		child = choose_child(open, number, values[attribute], nulls[attribute]);
		if (child < 0)
			return 0;
		if (bounds)
			bounds[attribute] = child_bounds(open->tree, number, child, bounds[attribute]);
		if (node->kind == PARTITION_SPECIALIZE)
			number = node->child[child];
		else
			number = child == 0 ? number + 1 : node->second;
	}
}

/* ---- regions as text */

/* The cut of a node, or none; its text is made when it is first needed. */
static const RangeCut *
cut_of(OpenTree *open, int32 number)
{
	const TreeNode *node;
	MemoryContext previous;
	int nest_level;

	if (number < 0)
		return NULL;
	node = partition_tree_node(open->tree, number);
	if (open->cut && open->cut[number].text)
		return &open->cut[number];
	previous = MemoryContextSwitchTo(open->context);
	nest_level = text_settings_begin();
	if (open->cut == NULL)
		open->cut = budget_allocate(open->budget, open->tree->nodes, sizeof(RangeCut), PURPOSE);
	open->cut[number] =
		range_format_cut(partition_tree_attribute(open->tree, node->attribute)->type,
						 open->node[number].threshold, partition_tree_at(open->tree, node->at));
	text_settings_end(nest_level);
	MemoryContextSwitchTo(previous);
	return &open->cut[number];
}

char *
tree_region_text(OpenTree *open, int attribute, const TreeBounds *bounds)
{
	const PartitionTree *tree = open->tree;
	const TreeAttribute *described = partition_tree_attribute(tree, attribute);

	if (open->rules)
		return tree_rules_text(open, attribute, bounds->lower);
	if (bounds->content == TREE_NULLS)
		return NULL;
	if (bounds->content == TREE_ANYTHING)
		return pstrdup(described->top ? partition_tree_at(tree, described->top) : HIDDEN_TEXT);
	if (described->top)
		return pstrdup(partition_tree_label(tree, attribute, bounds->level, bounds->label));
	return range_format_between(cut_of(open, bounds->lower), cut_of(open, bounds->upper));
}
