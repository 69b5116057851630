/*
 * partition_tree.c
 *		See partition_tree.h.
 *
 * Example: five people cut at age 30, those above 30 cut at zip 53710.
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

#include "common/hashfn.h"
#include "miscadmin.h"

#define PURPOSE "partition tree"

/* A node on the way from the root to the one at hand. */
typedef struct TreeFrame
{
	int32 node;
	int32 entered;   /* children that have been entered */
	TreeBounds here; /* its region in the attribute it splits */
} TreeFrame;

typedef struct TreePath
{
	TreeFrame *frame;
	int32 depth;
	int32 capacity;
	TreeBounds *bounds; /* [attribute] */
} TreePath;

static uint32
cstring_hash(const ValueType *type, Datum value)
{
	const char *string = DatumGetPointer(value);

	(void) type;
	return hash_bytes((const unsigned char *) string, (int) strlen(string));
}

static int
cstring_compare(const ValueType *type, Datum a, Datum b)
{
	(void) type;
	return strcmp(DatumGetPointer(a), DatumGetPointer(b));
}

static const ValueType cstring_type = {.length = -2,
									   .by_value = false,
									   .equality = VALUE_EQUAL_BY_FUNCTION,
									   .hash = cstring_hash,
									   .compare = cstring_compare};

void
partition_tree_reject(const PartitionTree *tree, const char *detail)
{
	ereport(ERROR, (errcode(tree->sqlstate), errmsg("malformed kanon_tree"),
					errdetail_internal("%s", detail)));
}

PartitionTree *
partition_tree_create(int sqlstate, Budget *budget)
{
	PartitionTree *tree = palloc0(sizeof(PartitionTree));

	tree->sqlstate = sqlstate;
	tree->budget = budget;
	return tree;
}

void
partition_tree_set_attributes(PartitionTree *tree, int attributes)
{
	tree->attributes = attributes;
	tree->attribute = palloc0(sizeof(TreeAttribute) * Max(attributes, 1));
}

void
partition_tree_add_model(PartitionTree *tree, const char *text)
{
	if (tree->models == TREE_MAX_MODELS)
		partition_tree_reject(tree, "It has too many privacy models.");
	if (tree->model == NULL)
		tree->model = palloc(sizeof(char *) * TREE_MAX_MODELS);
	tree->model[tree->models++] = text;
}

void
partition_tree_set_hierarchy(PartitionTree *tree, int attribute, const char *top, int levels)
{
	TreeHierarchy *hierarchy = palloc0(sizeof(TreeHierarchy));

	hierarchy->top = top;
	hierarchy->levels = levels;
	hierarchy->value = dictionary_create(&tree->attribute[attribute].values, tree->budget);
	hierarchy->label = palloc0(sizeof(Dictionary *) * (levels + 1));
	hierarchy->label_of_value = palloc0(sizeof(int32 *) * (levels + 1));
	hierarchy->value_of_label = palloc0(sizeof(int32 *) * (levels + 1));
	for (int level = 1; level <= levels; level++)
		hierarchy->label[level] = dictionary_create(&cstring_type, tree->budget);
	tree->attribute[attribute].hierarchy = hierarchy;
}

/* An array that has room for one entry more than "used". */
static void *
make_room(PartitionTree *tree, void *array, int32 used, int32 *capacity, Size size)
{
	if (used < *capacity)
		return array;
	if (*capacity > PG_INT32_MAX / 2)
		partition_tree_reject(tree, "It is too large.");
	*capacity = *capacity == 0 ? 16 : *capacity * 2;
	return budget_enlarge(tree->budget, array, used, *capacity, size, PURPOSE);
}

static void
grow_values(PartitionTree *tree, TreeHierarchy *hierarchy)
{
	int32 capacity = hierarchy->capacity;

	if (hierarchy->values < capacity)
		return;
	for (int level = 1; level <= hierarchy->levels; level++)
	{
		capacity = hierarchy->capacity;
		hierarchy->label_of_value[level] = make_room(tree, hierarchy->label_of_value[level],
													 hierarchy->values, &capacity, sizeof(int32));
	}
	hierarchy->value_text = make_room(tree, hierarchy->value_text, hierarchy->values,
									  &hierarchy->capacity, sizeof(char *));
}

void
partition_tree_add_value(PartitionTree *tree, int attribute, Datum value, const char *text,
						 const char *const *labels)
{
	TreeHierarchy *hierarchy = tree->attribute[attribute].hierarchy;
	int32 number = hierarchy->values;

	grow_values(tree, hierarchy);
	if (dictionary_encode(hierarchy->value, value) != number)
		partition_tree_reject(tree, psprintf("Value \"%s\" of attribute \"%s\" stands twice.", text,
											 tree->attribute[attribute].name));
	hierarchy->value_text[number] = text;
	for (int level = 1; level <= hierarchy->levels; level++)
		hierarchy->label_of_value[level][number] =
			dictionary_encode(hierarchy->label[level], CStringGetDatum(labels[level]));
	hierarchy->values++;
}

int32
partition_tree_find_label(const PartitionTree *tree, int attribute, int level, Datum label)
{
	const TreeHierarchy *hierarchy = tree->attribute[attribute].hierarchy;

	return dictionary_find(level == 0 ? hierarchy->value : hierarchy->label[level], label);
}

const char *
partition_tree_label(const PartitionTree *tree, int attribute, int level, int32 label)
{
	const TreeHierarchy *hierarchy = tree->attribute[attribute].hierarchy;

	if (level > hierarchy->levels)
		return hierarchy->top;
	if (level == 0)
		return hierarchy->value_text[label];
	return DatumGetCString(dictionary_value(hierarchy->label[level], label));
}

void
partition_tree_reserve(PartitionTree *tree, int32 nodes)
{
	Assert(tree->node == NULL);
	tree->capacity = nodes;
	tree->node = budget_allocate(tree->budget, nodes, sizeof(TreeNode), PURPOSE);
}

TreeNode *
partition_tree_append(PartitionTree *tree)
{
	TreeNode *node;

	tree->node = make_room(tree, tree->node, tree->nodes, &tree->capacity, sizeof(TreeNode));
	node = &tree->node[tree->nodes++];
	memset(node, 0, sizeof(TreeNode));
	node->null_child = -1;
	return node;
}

static int32
labels_of(const TreeHierarchy *hierarchy, int level)
{
	return level == 0 ? hierarchy->values : dictionary_size(hierarchy->label[level]);
}

/* The label of a ground value at a level. */
static int32
label_above(const TreeHierarchy *hierarchy, int level, int32 value)
{
	return level == 0 ? value : hierarchy->label_of_value[level][value];
}

/* A ground value under a label. */
static int32
value_below(const TreeHierarchy *hierarchy, int level, int32 label)
{
	return level == 0 ? label : hierarchy->value_of_label[level][label];
}

static void
check_parent(const PartitionTree *tree, int attribute, int level, int32 value)
{
	const TreeHierarchy *hierarchy = tree->attribute[attribute].hierarchy;
	int32 label = label_above(hierarchy, level, value);
	int32 first = value_below(hierarchy, level, label);

	if (label_above(hierarchy, level + 1, value) != label_above(hierarchy, level + 1, first))
		partition_tree_reject(tree,
							  psprintf("Label \"%s\" of attribute \"%s\" has two labels above it.",
									   partition_tree_label(tree, attribute, level, label),
									   tree->attribute[attribute].name));
}

static void
finish_hierarchy(const PartitionTree *tree, int attribute)
{
	TreeHierarchy *hierarchy = tree->attribute[attribute].hierarchy;

	for (int level = 1; level <= hierarchy->levels; level++)
	{
		hierarchy->value_of_label[level] =
			budget_allocate(tree->budget, labels_of(hierarchy, level), sizeof(int32), PURPOSE);
		for (int32 value = hierarchy->values - 1; value >= 0; value--)
		{
			CHECK_FOR_INTERRUPTS();
			hierarchy->value_of_label[level][label_above(hierarchy, level, value)] = value;
		}
	}
	for (int level = 1; level < hierarchy->levels; level++)
		for (int32 value = 0; value < hierarchy->values; value++)
		{
			CHECK_FOR_INTERRUPTS();
			check_parent(tree, attribute, level, value);
		}
}

static TreeBounds
whole_space(const TreeAttribute *attribute)
{
	return (TreeBounds){.content = TREE_ANYTHING,
						.lower = -1,
						.upper = -1,
						.level = attribute->hierarchy ? attribute->hierarchy->levels + 1 : 0};
}

/* What the region of a child is in the attribute that its parent splits. */
static TreeBounds
child_bounds(const TreeNode *node, int32 number, int32 child, TreeBounds bounds)
{
	switch (node->kind)
	{
		case PARTITION_CUT:
			bounds.content = child == node->null_child ? TREE_ANYTHING : TREE_VALUES;
			if (child == 0)
				bounds.upper = number;
			else
				bounds.lower = number;
			break;
		case PARTITION_SPECIALIZE:
			bounds.content = child == node->null_child ? TREE_ANYTHING : TREE_VALUES;
			bounds.level = node->level;
			bounds.label = node->branch[child].label;
			break;
		case PARTITION_NULL:
			bounds.content = child == 0 ? TREE_NULLS : TREE_VALUES;
			break;
		case PARTITION_LEAF:
			break;
	}
	return bounds;
}

static void
reject_node(const PartitionTree *tree, int32 number, const char *fault)
{
	partition_tree_reject(tree, psprintf("Node %d %s.", number + 1, fault));
}

static void
check_leaf(PartitionTree *tree, int32 number)
{
	const TreeNode *node = &tree->node[number];

	if (node->class_number != tree->classes + 1)
		reject_node(
			tree, number,
			psprintf("has class %d where %d comes next", node->class_number, tree->classes + 1));
	if (node->rows < tree->k)
		reject_node(tree, number, psprintf("has " INT64_FORMAT " rows, fewer than k", node->rows));
	tree->classes++;
}

static void
check_cut(const PartitionTree *tree, int32 number, const TreeBounds *bounds)
{
	const TreeNode *node = &tree->node[number];
	const ValueType *type = &tree->attribute[node->attribute].values;

	if (tree->attribute[node->attribute].hierarchy)
		reject_node(tree, number, "cuts an attribute that has a hierarchy");
	if (bounds->content == TREE_NULLS ||
		(bounds->lower >= 0 &&
		 type->compare(type, tree->node[bounds->lower].threshold, node->threshold) >= 0) ||
		(bounds->upper >= 0 &&
		 type->compare(type, node->threshold, tree->node[bounds->upper].threshold) >= 0))
		reject_node(tree, number, "cuts outside its region");
}

static void
check_specialization(const PartitionTree *tree, int32 number, const TreeBounds *bounds)
{
	const TreeNode *node = &tree->node[number];
	const TreeHierarchy *hierarchy = tree->attribute[node->attribute].hierarchy;

	if (hierarchy == NULL)
		reject_node(tree, number, "specializes an attribute that has no hierarchy");
	if (bounds->content == TREE_NULLS || node->level < 0 || node->level >= bounds->level)
		reject_node(tree, number, "specializes to labels that are not below its region's");
	for (int32 i = 0; i < node->children; i++)
	{
		int32 label = node->branch[i].label;

		if (label < 0 || label >= labels_of(hierarchy, node->level) ||
			(bounds->level <= hierarchy->levels &&
			 label_above(hierarchy, bounds->level, value_below(hierarchy, node->level, label)) !=
				 bounds->label))
			reject_node(tree, number, "specializes to labels that are not below its region's");
		if (i > 0 && label <= node->branch[i - 1].label)
			reject_node(tree, number, "specializes to labels out of order");
	}
}

/* NULL goes on to a child only from where it is; below a threshold, not above. */
static void
check_null_child(const PartitionTree *tree, int32 number, const TreeBounds *bounds)
{
	const TreeNode *node = &tree->node[number];

	if (node->null_child < 0)
		return;
	if (bounds->content != TREE_ANYTHING)
		reject_node(tree, number, "sends on NULLs that its region does not hold");
	if (node->null_child >= (node->kind == PARTITION_CUT ? 1 : node->children))
		reject_node(tree, number, "sends NULLs to a child that cannot take them");
}

static void
check_split(const PartitionTree *tree, int32 number, const TreeBounds *bounds)
{
	const TreeNode *node = &tree->node[number];

	if (node->children < (node->kind == PARTITION_SPECIALIZE ? 1 : 2))
		reject_node(tree, number, "has no children");
	check_null_child(tree, number, bounds);
	if (node->kind == PARTITION_CUT)
		check_cut(tree, number, bounds);
	else if (node->kind == PARTITION_SPECIALIZE)
		check_specialization(tree, number, bounds);
	else if (bounds->content != TREE_ANYTHING)
		reject_node(tree, number, "sets NULLs apart where they have been already");
}

/* Hangs a node below the latest one that lacks a child. */
static void
enter_child(PartitionTree *tree, TreePath *path, int32 number)
{
	TreeFrame *frame;
	TreeNode *parent;

	if (path->depth == 0)
		reject_node(tree, number, "comes after the last leaf");
	frame = &path->frame[path->depth - 1];
	parent = &tree->node[frame->node];
	if (parent->kind == PARTITION_SPECIALIZE)
		parent->branch[frame->entered].node = number;
	else if (frame->entered == 1)
		parent->second = number;
	path->bounds[parent->attribute] =
		child_bounds(parent, frame->node, frame->entered, frame->here);
	frame->entered++;
}

static void
push_split(PartitionTree *tree, TreePath *path, int32 number)
{
	path->frame = make_room(tree, path->frame, path->depth, &path->capacity, sizeof(TreeFrame));
	path->frame[path->depth++] = (TreeFrame){
		.node = number, .entered = 0, .here = path->bounds[tree->node[number].attribute]};
}

/* From a leaf up to the latest node that lacks a child. */
static void
leave_finished(const PartitionTree *tree, TreePath *path)
{
	while (path->depth > 0)
	{
		const TreeFrame *frame = &path->frame[path->depth - 1];
		const TreeNode *node = &tree->node[frame->node];

		if (frame->entered < node->children)
			break;
		path->bounds[node->attribute] = frame->here;
		path->depth--;
	}
}

static void
walk_nodes(PartitionTree *tree, TreePath *path)
{
	for (int32 number = 0; number < tree->nodes; number++)
	{
		const TreeNode *node = &tree->node[number];

		CHECK_FOR_INTERRUPTS();
		if (number > 0)
			enter_child(tree, path, number);
		if (node->kind == PARTITION_LEAF)
		{
			check_leaf(tree, number);
			leave_finished(tree, path);
			continue;
		}
		check_split(tree, number, &path->bounds[node->attribute]);
		push_split(tree, path, number);
	}
}

static void
check_header(const PartitionTree *tree)
{
	if (tree->k < 1)
		partition_tree_reject(tree, "k is below 1.");
	if ((tree->split == SPLIT_MEDIAN) != (tree->target == NULL))
		partition_tree_reject(tree, "A target goes with all criteria but the median.");
	if (tree->attributes < 1)
		partition_tree_reject(tree, "It has no attributes.");
	for (int i = 0; i < tree->attributes; i++)
		for (int j = 0; j < i; j++)
			if (strcmp(tree->attribute[i].name, tree->attribute[j].name) == 0)
				partition_tree_reject(
					tree, psprintf("Attribute \"%s\" stands twice.", tree->attribute[i].name));
}

void
partition_tree_finish(PartitionTree *tree)
{
	TreePath path = {.bounds = palloc(sizeof(TreeBounds) * Max(tree->attributes, 1))};

	check_header(tree);
	for (int i = 0; i < tree->attributes; i++)
	{
		path.bounds[i] = whole_space(&tree->attribute[i]);
		if (tree->attribute[i].hierarchy)
			finish_hierarchy(tree, i);
	}
	tree->classes = 0;
	walk_nodes(tree, &path);
	if (tree->nodes == 0 || path.depth > 0)
		partition_tree_reject(tree, "It ends before its last leaf.");
	if (path.frame)
	{
		budget_give(tree->budget, mul_size(path.capacity, sizeof(TreeFrame)));
		pfree(path.frame);
	}
	pfree(path.bounds);
}

static int
compare_branches(const void *a, const void *b)
{
	int32 x = ((const TreeBranch *) a)->label;
	int32 y = ((const TreeBranch *) b)->label;

	return x < y ? -1 : x > y;
}

/* The branch that a value takes, or -1. */
static int32
choose_branch(const PartitionTree *tree, const TreeNode *node, Datum value)
{
	const TreeHierarchy *hierarchy = tree->attribute[node->attribute].hierarchy;
	int32 ground = dictionary_find(hierarchy->value, value);
	TreeBranch key;
	TreeBranch *found;

	if (ground < 0)
		return -1;
	key.label = label_above(hierarchy, node->level, ground);
	found = bsearch(&key, node->branch, node->children, sizeof(TreeBranch), compare_branches);
	return found == NULL ? -1 : (int32) (found - node->branch);
}

/* The child that a row goes to, or -1. */
static int32
choose_child(const PartitionTree *tree, const TreeNode *node, Datum value, bool is_null)
{
	const ValueType *type = &tree->attribute[node->attribute].values;

	if (node->kind == PARTITION_NULL)
		return is_null ? 0 : 1;
	if (is_null)
		return node->null_child;
	if (node->kind == PARTITION_CUT)
		return type->compare(type, value, node->threshold) <= 0 ? 0 : 1;
	return choose_branch(tree, node, value);
}

int32
partition_tree_locate(const PartitionTree *tree, const Datum *values, const bool *nulls,
					  TreeBounds *bounds)
{
	int32 number = 0;

	for (int i = 0; bounds && i < tree->attributes; i++)
		bounds[i] = whole_space(&tree->attribute[i]);
	while (tree->node[number].kind != PARTITION_LEAF)
	{
		const TreeNode *node = &tree->node[number];
		int attribute = node->attribute;
		int32 child = choose_child(tree, node, values[attribute], nulls[attribute]);

		if (child < 0)
			return -1;
		if (bounds)
			bounds[attribute] = child_bounds(node, number, child, bounds[attribute]);
		if (node->kind == PARTITION_SPECIALIZE)
			number = node->branch[child].node;
		else
			number = child == 0 ? number + 1 : node->second;
	}
	return number;
}
