/*
 * counted_tree.c
 *		See counted_tree.h.
 *
 * The numbers are those of the nodes in the order in which they were made:
 *
 *	kind, attribute, threshold, level, null_child, first_child, lowest_label, labels, child_of[..]
 *	PARTITION_LEAF, name, counted [, minimum and maximum of each attribute, if it is counted]
 *
 * A counted leaf has, for each attribute, a slot for NULL and one for each code of its range, as a
 * frequency group has, and for each slot 1 number, of the rows, and one for each value of each
 * side.  Codes beyond the range count in its last slot.  A specialization with labels that belong
 * to no child (-1) has one number, of the rows with such labels.
 */
#include "postgres.h"

#include "rothko/counted_tree.h"

#include "base/interrupt.h"
#include "utils/memutils.h"

#define PURPOSE "partition tree"
#define NODE_NUMBERS 8
#define LEAF_NUMBERS 3

/* ---- written, where the tree grows */

static int64
numbers_of(const GrowingNode *node, int32 labels, int attributes)
{
	if (growing_node_is_divided(node))
		return NODE_NUMBERS + labels;
	return LEAF_NUMBERS + (node->group ? 2 * attributes : 0);
}

static int32 *
write_node(const GrowingNode *node, int32 labels, int32 *at)
{
	const Split *split = &node->split;
	int32 numbers[NODE_NUMBERS] = {
		split->kind,       split->attribute,  split->threshold,   split->level,
		split->null_child, node->first_child, node->lowest_label, labels};

	memcpy(at, numbers, sizeof(numbers));
	if (labels > 0)
		memcpy(at + NODE_NUMBERS, node->child_of, sizeof(int32) * labels);
	return at + NODE_NUMBERS + labels;
}

static int32 *
write_leaf(const GrowingNode *node, int32 name, int attributes, int32 *at)
{
	*at++ = PARTITION_LEAF;
	*at++ = name;
	*at++ = node->group ? 1 : 0;
	for (int i = 0; node->group && i < attributes; i++)
	{
		*at++ = node->group->bounds[i].minimum;
		*at++ = node->group->bounds[i].maximum;
	}
	return at;
}

int32 *
counted_tree_write(const GrowingTree *tree, const int32 *name, int64 *count)
{
	int attributes = tree->layout->attributes;
	int32 *numbers;
	int32 *at;

	*count = 0;
	for (int32 i = 0; i < tree->nodes; i++)
	{
		interrupt_check(i);
		*count += numbers_of(&tree->node[i], growing_node_labels(tree, &tree->node[i]), attributes);
	}
	numbers = at = budget_allocate(tree->budget, *count, sizeof(int32), PURPOSE);
	for (int32 i = 0; i < tree->nodes; i++)
	{
		const GrowingNode *node = &tree->node[i];

		interrupt_check(i);
		at = growing_node_is_divided(node) ? write_node(node, growing_node_labels(tree, node), at)
										   : write_leaf(node, name ? name[i] : 0, attributes, at);
	}
	return numbers;
}

/* ---- counts, back where it grows */

static void
take_slot(FrequencyGroup *group, int attribute, int64 slot, const int64 *numbers)
{
	int32 code = frequency_group_code(group, attribute, slot);
	int64 rows = *numbers++;

	if (rows == 0)
		return;
	group->rows[slot] = (int32) rows;
	if (code == DATASET_NULL)
		group->nulls[attribute] = rows;
	group->lowest[attribute] = Min(group->lowest[attribute], (uint32) code);
	group->highest[attribute] = Max(group->highest[attribute], code);
	for (int side = 0; side < group->sides; side++)
		for (int32 value = 0; value < group->side[side].values; value++)
			group->side[side].rows[slot * group->side[side].values + value] = (int32) *numbers++;
}

/* Takes those of a group; returns where the next one's begin. */
static const int64 *
take_group(FrequencyGroup *group, const int64 *numbers, const int64 *end)
{
	int64 width = 1;

	for (int side = 0; side < group->sides; side++)
		width += group->side[side].values;
	if ((end - numbers) / width < group->first_slot[group->attributes])
		elog(ERROR, "counts of a partition tree are missing");
	for (int i = 0; i < group->attributes; i++)
		for (int64 slot = group->first_slot[i]; slot < group->first_slot[i + 1]; slot++)
		{
			interrupt_check(slot);
			group->counted += i == 0 ? *numbers : 0;
			take_slot(group, i, slot, numbers);
			numbers += width;
		}
	return numbers;
}

/* Are there labels that belong to none of the children? */
static bool
may_stray(const int32 *child_of, int32 labels)
{
	for (int32 i = 0; i < labels; i++)
	{
		interrupt_check(i);
		if (child_of[i] < 0)
			return true;
	}
	return false;
}

void
counted_tree_take(GrowingTree *tree, const int64 *numbers, int64 size)
{
	const int64 *end = numbers + size;

	for (int32 i = 0; i < tree->nodes; i++)
	{
		GrowingNode *node = &tree->node[i];

		if (node->group)
			numbers = take_group(node->group, numbers, end);
		else if (may_stray(node->child_of, growing_node_labels(tree, node)) && numbers < end)
			node->strayed = *numbers++ > 0;
	}
}

/* ---- a row, back where it grows */

void
counted_tree_decode(const FrequencyGroup *leaf, const int32 *place, int32 *code)
{
	int64 width = 1;
	int64 first = 0;
	int32 *side = code + leaf->attributes + 1;

	for (int s = 0; s < leaf->sides; s++)
		width += leaf->side[s].values;
	for (int i = 0; i < leaf->attributes; i++)
	{
		int64 slots = leaf->first_slot[i + 1] - leaf->first_slot[i];
		int64 slot = (*place++ - first) / width;
		int64 at = first + slot * width + 1;

		if (slot < 0 || slot >= slots)
			elog(ERROR, "a row counts nowhere in a partition tree");
		code[i] = frequency_group_code(leaf, i, leaf->first_slot[i] + slot);
		for (int s = 0; s < leaf->sides; s++)
		{
			side[s] = (int32) (*place++ - at);
			at += leaf->side[s].values;
		}
		first += slots * width;
	}
}

/* ---- read, where the rows are */

typedef struct CountedNode
{
	Split split;
	int32 first_child;
	int32 lowest_label;
	int32 labels;
	const int32 *child_of;
	const int32 *bounds; /* of a counted leaf: [2 * attribute] minimum, then maximum; or NULL */
	int64 first;         /* .. and the place of its first number; of a specialization, where rows
						  * count that stray, or -1 */
	int32 name;
} CountedNode;

struct CountedTree
{
	const RecodingColumn *column;
	int attributes;
	bool *asks; /* [attribute] */
	const int32 *side_values;
	int sides;
	bool strays; /* rows that stray count */
	int64 width; /* numbers of a slot */
	int64 size;
	int32 nodes;
	int64 capacity;
	CountedNode *node;
};

pg_noreturn static void
report_malformed(void)
{
	ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("malformed partition tree")));
}

static inline int64
slots_of(const CountedNode *node, int attribute)
{
	const int32 *bounds = node->bounds + 2 * attribute;

	return Max((int64) bounds[1] - bounds[0] + 2, 1);
}

/* Reads a leaf; returns its end. */
static const int32 *
read_leaf(CountedTree *tree, CountedNode *node, const int32 *at, const int32 *end)
{
	if (end - at < LEAF_NUMBERS || (at[2] && end - at < LEAF_NUMBERS + 2 * tree->attributes))
		report_malformed();
	node->name = at[1];
	if (!at[2])
		return at + LEAF_NUMBERS;
	node->bounds = at + LEAF_NUMBERS;
	memset(tree->asks, true, sizeof(bool) * tree->attributes);
	node->first = tree->size;
	for (int i = 0; i < tree->attributes; i++)
	{
		if (node->bounds[2 * i] < 0)
			report_malformed();
		tree->size += slots_of(node, i) * tree->width;
		if (tree->size > (int64) (MaxAllocSize / sizeof(int64) / 2))
			report_malformed();
	}
	return node->bounds + 2 * tree->attributes;
}

static void
note_child(CountedNode *node, int32 child)
{
	if (child == PG_INT32_MAX)
		report_malformed();
	node->split.children = Max(node->split.children, child + 1);
}

static const int32 *
read_node(CountedTree *tree, CountedNode *node, const int32 *at, const int32 *end)
{
	const Dimension *dimension;

	if (end - at < NODE_NUMBERS || at[1] < 0 || at[1] >= tree->attributes || at[7] < 0 ||
		end - at - NODE_NUMBERS < at[7])
		report_malformed();
	node->split = (Split){.kind = (PartitionNodeKind) at[0],
						  .attribute = at[1],
						  .threshold = at[2],
						  .level = at[3],
						  .null_child = at[4],
						  .children = 2};
	node->first_child = at[5];
	node->lowest_label = at[6];
	node->labels = at[7];
	node->child_of = at + NODE_NUMBERS;
	tree->asks[at[1]] = true;
	node->first = may_stray(node->child_of, node->labels) ? tree->size++ : -1;
	dimension = tree->column[at[1]].dimension;
	if (node->split.kind == PARTITION_SPECIALIZE &&
		(dimension == NULL || at[3] < 0 || at[3] > dimension->height))
		report_malformed();
	for (int32 i = 0; i < node->labels; i++)
	{
		interrupt_check(i);
		note_child(node, node->child_of[i]);
	}
	note_child(node, node->split.null_child);
	return node->child_of + node->labels;
}

/* Children come after their parents, so that all ways end. */
static void
check_children(const CountedTree *tree)
{
	for (int32 i = 0; i < tree->nodes; i++)
	{
		const CountedNode *node = &tree->node[i];

		interrupt_check(i);
		if (node->split.kind != PARTITION_LEAF &&
			(node->first_child <= i ||
			 (int64) node->first_child + node->split.children > tree->nodes))
			report_malformed();
	}
	if (tree->nodes == 0)
		report_malformed();
}

CountedTree *
counted_tree_read(const int32 *numbers, int64 count, const RecodingColumn *column, int attributes,
				  const int32 *side_values, int sides, bool strays, const Budget *budget)
{
	CountedTree *tree = palloc0(sizeof(CountedTree));
	const int32 *end = numbers + count;

	*tree = (CountedTree){.column = column,
						  .attributes = attributes,
						  .asks = palloc0(sizeof(bool) * Max(attributes, 1)),
						  .side_values = side_values,
						  .sides = sides,
						  .strays = strays,
						  .width = 1};
	for (int i = 0; i < sides; i++)
		tree->width += side_values[i];
	while (numbers < end)
	{
		CountedNode *node;

		interrupt_check(tree->nodes);
		tree->node = budget_room(budget, tree->node, &tree->capacity, (int64) tree->nodes + 1,
								 sizeof(CountedNode), PURPOSE);
		node = &tree->node[tree->nodes++];
		*node = (CountedNode){.split.kind = PARTITION_LEAF};
		switch (*numbers)
		{
			case PARTITION_LEAF:
				numbers = read_leaf(tree, node, numbers, end);
				break;
			case PARTITION_CUT:
			case PARTITION_SPECIALIZE:
			case PARTITION_NULL:
				numbers = read_node(tree, node, numbers, end);
				break;
			default:
				report_malformed();
		}
	}
	check_children(tree);
	return tree;
}

int64
counted_tree_size(const CountedTree *tree)
{
	return tree->size;
}

const bool *
counted_tree_asks(const CountedTree *tree)
{
	return tree->asks;
}

int
counted_tree_most_places(const CountedTree *tree)
{
	return tree->attributes * (1 + tree->sides) + 1;
}

static int32
child_of(const CountedTree *tree, const CountedNode *node, int32 code)
{
	const Split *split = &node->split;
	int32 label;

	if (split->kind != PARTITION_SPECIALIZE)
		return code > split->threshold;
	if (code == DATASET_NULL)
		return split->null_child;
	label =
		tree->column[split->attribute].dimension->ancestor[split->level][code] - node->lowest_label;
	return label >= 0 && label < node->labels ? node->child_of[label] : -1;
}

/* Sets where the row strays; -1: nowhere. */
static const CountedNode *
find_leaf(const CountedTree *tree, const int32 *code, int64 *strayed)
{
	const CountedNode *node = &tree->node[0];

	*strayed = -1;
	while (node->split.kind != PARTITION_LEAF)
	{
		int32 child = child_of(tree, node, code[node->split.attribute]);

		if (child < 0 && *strayed < 0)
			*strayed = node->first;
		node = &tree->node[node->first_child + Max(child, 0)];
	}
	return node;
}

int32
counted_tree_places(const CountedTree *tree, const int32 *code, int32 *place, int *places)
{
	int64 strayed;
	const CountedNode *leaf = find_leaf(tree, code, &strayed);
	const int32 *side = code + tree->attributes;
	int64 first = leaf->first;
	int count = 0;

	for (int i = 0; leaf->bounds && i < tree->attributes; i++)
	{
		int64 slots = slots_of(leaf, i);
		int64 slot = code[i] == DATASET_NULL ? 0 : (int64) code[i] - leaf->bounds[2 * i] + 1;
		int64 at = first + Max(Min(slot, slots - 1), 0) * tree->width;

		place[count++] = (int32) at++;
		for (int s = 0; s < tree->sides; s++)
		{
			place[count++] = (int32) (at + side[s]);
			at += tree->side_values[s];
		}
		first += slots * tree->width;
	}
	if (tree->strays && strayed >= 0)
		place[count++] = (int32) strayed;
	*places = count;
	return leaf->name;
}
