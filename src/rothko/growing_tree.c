/*
 * growing_tree.c
 *		See growing_tree.h.
 *
 * Nodes wait to be counted in the order in which they were made, so level by level.  In each round,
 * as many of them as the budget allows get a frequency group; one scan counts the rows of all
 * these; and each is divided by the same function that divides records in memory.  Rounds end when
 * no waiting node has too many rows, or when those that can be counted at once hold so few of the
 * rows that spreading the parts over tapes is cheaper than another scan.
 *
 * Example, 8 rows, 3 of which are few enough, room for two groups: the first round counts the root
 * and divides it into 4 and 4 rows, the second counts both, and each gets parts of 2 rows.  Four
 * leaves.
 */
#include "postgres.h"

#include "rothko/growing_tree.h"

#include "base/progress.h"
#include "partition/part.h"

#define PURPOSE "partition tree"
#define LEAST_SHARE 4 /* a scan must count at least this fraction of the rows */

TreeGrower *
tree_grower_create(const RowLayout *layout, const PartitionRequest *request)
{
	TreeGrower *grower = palloc0(sizeof(TreeGrower));
	Dataset *none = dataset_create(DATASET_RECORDS, layout->attributes, request->budget);
	int most = 3 + 2 * (request->models ? request->models->demand.columns : 0);

	grower->context = CurrentMemoryContext;
	grower->request = request;
	grower->layout = layout;
	grower->run = part_run_create(none, request, request->column);
	grower->side_values = palloc(sizeof(int32) * most);
	grower->sides = part_list_sides(request, grower->side_values, palloc(sizeof(int) * most));
	return grower;
}

int32
growing_tree_append(GrowingTree *tree, int32 count)
{
	int32 first = tree->nodes;

	tree->node = budget_room(tree->budget, tree->node, &tree->capacity, (int64) first + count,
							 sizeof(GrowingNode), PURPOSE);
	tree->nodes += count;
	return first;
}

GrowingNode *
growing_tree_make(GrowingTree *tree, int32 number, const CodeBounds *bounds, int64 rows)
{
	int attributes = tree->layout->attributes;
	GrowingNode *node = &tree->node[number];

	*node = (GrowingNode){
		.rows = rows,
		.bounds = budget_allocate(tree->budget, attributes, sizeof(CodeBounds), PURPOSE)};
	memcpy(node->bounds, bounds, sizeof(CodeBounds) * attributes);
	return node;
}

GrowingTree *
growing_tree_plant(const RowLayout *layout, const PartitionRequest *request,
				   const CodeBounds *bounds, int64 rows)
{
	GrowingTree *tree = palloc0(sizeof(GrowingTree));

	tree->layout = layout;
	tree->column = request->column;
	tree->budget = request->budget;
	growing_tree_append(tree, 1);
	growing_tree_make(tree, 0, bounds, rows);
	return tree;
}

/*
 * The attributes to count.  By median, the one most likely to be divided is enough at first, plus
 * those found missing; rows elsewhere tell nothing of attributes that they do not count.
 */
static AttributeSet
codes_to_count(const TreeGrower *grower, const GrowingNode *node)
{
	const RecodingColumn *column = grower->request->column;
	int attributes = grower->layout->attributes;
	double most = -1;
	int widest = 0;

	if (grower->request->split != SPLIT_MEDIAN || grower->counter)
		return attributes == 64 ? ~UINT64CONST(0) : (UINT64CONST(1) << attributes) - 1;
	for (int i = 0; i < attributes; i++)
	{
		const CodeBounds *bounds = &node->bounds[i];
		double width = bounds->maximum < bounds->minimum
						   ? -1
						   : split_median_width(&column[i], bounds->minimum, bounds->maximum);

		if (width > most)
		{
			most = width;
			widest = i;
		}
	}
	return node->codes | UINT64CONST(1) << widest;
}

static FrequencyRequest
group_of(const TreeGrower *grower, const GrowingNode *node, const CodeBounds *bounds)
{
	return (FrequencyRequest){.attributes = grower->layout->attributes,
							  .bounds = bounds,
							  .codes = codes_to_count(grower, node),
							  .side_values = grower->side_values,
							  .sides = grower->sides,
							  .target = grower->layout->target > 0 ? &node->target : NULL};
}

Size
tree_grower_bytes(const TreeGrower *grower, const CodeBounds *bounds)
{
	FrequencyRequest all = {.attributes = grower->layout->attributes,
							.bounds = bounds,
							.codes = ~UINT64CONST(0),
							.side_values = grower->side_values,
							.sides = grower->sides};

	return frequency_group_bytes(&all);
}

void
tree_grower_open(const TreeGrower *grower, GrowingNode *node, const CodeBounds *bounds)
{
	FrequencyRequest group = group_of(grower, node, bounds);

	budget_check(grower->request->budget, frequency_group_bytes(&group), "count of values");
	node->group = frequency_group_create(&group, grower->request->budget);
}

/*
 * Opens groups for the first waiting nodes, as many as fit, at least the root's; false if they are
 * not worth a scan.
 */
static bool
open_groups(const TreeGrower *grower, GrowingTree *tree, GrowthLimits limits)
{
	const Budget *budget = grower->request->budget;
	int64 counted = 0;
	bool must = false;

	for (int32 i = 0; i < tree->nodes; i++)
	{
		GrowingNode *node = &tree->node[i];
		FrequencyRequest group;
		Size bytes;

		interrupt_check(i);
		if (node->known || (i > 0 && node->rows <= limits.enough))
			continue;
		group = group_of(grower, node, node->bounds);
		bytes = frequency_group_bytes(&group);
		if (i > 0 && !budget_fits(budget, bytes + limits.room))
			break;
		tree_grower_open(grower, node, node->bounds);
		counted += node->rows;
		must |= limits.most > 0 && node->rows > limits.most;
	}
	if (must)
		return true;
	if (counted > 0 && counted >= tree->node[0].rows / LEAST_SHARE)
		return true;
	for (int32 i = 0; counted > 0 && i < tree->nodes; i++)
		if (tree->node[i].group)
		{
			frequency_group_free(tree->node[i].group);
			tree->node[i].group = NULL;
		}
	return false;
}

/* The node without children to which the codes lead. */
static int32
find_node(const GrowingTree *tree, const int32 *code)
{
	int32 number = 0;

	while (growing_node_is_divided(&tree->node[number]))
	{
		const GrowingNode *node = &tree->node[number];

		number = node->first_child + growing_tree_child(tree, node, code[node->split.attribute]);
	}
	return number;
}

static void
count_rows(const GrowingTree *tree, const CodedRows *rows)
{
	const RowLayout *layout = tree->layout;
	CodedScan scan = coded_scan_begin(rows);
	const int32 *tuple;

	progress_phase("counting rows on disk", code_tape_tuples(rows->tape));
	for (int64 row = 0; (tuple = coded_scan_next(&scan)) != NULL; row++)
	{
		FrequencyGroup *group = tree->node[find_node(tree, tuple)].group;

		progress_check(row);
		if (group)
			frequency_group_add(group, tuple, coded_rows_sides(layout, tuple),
								layout->target > 0 ? coded_rows_target(layout, tuple) : 0);
	}
}

/* The range of the target's values in the rows. */
static ValueRange
find_range(GrowingTree *tree, const CodedRows *rows)
{
	CodedScan scan = coded_scan_begin(rows);
	ValueRange range = {0};
	const int32 *tuple;

	while ((tuple = coded_scan_next(&scan)) != NULL)
		value_range_add(&range, coded_rows_target(tree->layout, tuple));
	tree->scans++;
	return range;
}

/* .. and in the children, from that of each code. */
static void
divide_range(GrowingTree *tree, int32 number)
{
	const GrowingNode *node = &tree->node[number];
	const FrequencyGroup *group = node->group;
	int attribute = node->split.attribute;

	for (int64 slot = group->first_slot[attribute];
		 group->target.value && slot < group->first_slot[attribute + 1]; slot++)
	{
		int32 child;

		interrupt_check(slot);
		if (group->rows[slot] == 0)
			continue;
		child = node->first_child +
				growing_tree_child(tree, node, frequency_group_code(group, attribute, slot));
		value_range_join(&tree->node[child].target, &group->target.value[slot].range);
	}
}

void
growing_tree_halve(GrowingTree *tree, int32 number)
{
	int32 first = growing_tree_append(tree, 2);
	GrowingNode *node = &tree->node[number];
	int attribute = node->split.attribute;
	int32 threshold = node->split.threshold;
	GrowingNode *low = growing_tree_make(tree, first, node->bounds, node->split.first);
	GrowingNode *high =
		growing_tree_make(tree, first + 1, node->bounds, node->rows - node->split.first);

	node->first_child = first;
	low->bounds[attribute].maximum = Min(threshold, low->bounds[attribute].maximum);
	high->bounds[attribute].minimum =
		Max(threshold + (node->split.dealt ? 0 : 1), high->bounds[attribute].minimum);
}

void
growing_tree_number_labels(GrowingTree *tree, int32 number)
{
	GrowingNode *node = &tree->node[number];
	const CodeBounds *bounds = &node->bounds[node->split.attribute];
	const int32 *ancestor =
		tree->column[node->split.attribute].dimension->ancestor[node->split.level];
	int32 labels;

	node->lowest_label = ancestor[bounds->minimum];
	labels = ancestor[bounds->maximum] - node->lowest_label + 1;
	node->child_of = budget_allocate(tree->budget, labels, sizeof(int32), PURPOSE);
	for (int32 label = 0; label < labels; label++)
	{
		interrupt_check(label);
		node->child_of[label] = node->split.rest ? node->split.children - 1 : -1;
	}
}

void
growing_tree_make_labels(GrowingTree *tree, int32 number, const PartChildren *labels)
{
	int32 first = growing_tree_append(tree, tree->node[number].split.children);
	GrowingNode *node = &tree->node[number];
	int attribute = node->split.attribute;

	node->first_child = first;
	growing_tree_number_labels(tree, number);
	for (int32 child = 0; child < node->split.children; child++)
	{
		bool rest = node->split.rest && child == node->split.children - 1;
		const PartLabel *label = rest ? &labels->rest : &labels->label[labels->code[child]];
		int64 nulls = child == node->split.null_child ? labels->nulls : 0;
		GrowingNode *made =
			growing_tree_make(tree, first + child, node->bounds, label->rows + nulls);

		interrupt_check(child);
		made->code = label->low;
		made->bounds[attribute] = (CodeBounds){.minimum = label->low, .maximum = label->high};
		if (!rest)
			node->child_of[labels->code[child] - node->lowest_label] = child;
	}
}

/* Sets the bounds to the codes that occur. */
static void
tighten_bounds(const PartitionRun *run, Part part, GrowingNode *node)
{
	part_measure(run, part);
	for (int i = 0; i < run->group->attributes; i++)
	{
		node->bounds[i].minimum = part_lowest_value(run, part, i);
		node->bounds[i].maximum = run->region->maximum[i];
		if (node->bounds[i].maximum == DATASET_NULL)
			node->bounds[i] = (CodeBounds){.minimum = 0, .maximum = DATASET_NULL};
	}
}

static void
keep_region(const TreeGrower *grower, GrowingNode *node)
{
	Size size = sizeof(int32) * grower->layout->attributes;

	node->minimum = memcpy(palloc(size), grower->run->region->minimum, size);
	node->maximum = memcpy(palloc(size), grower->run->region->maximum, size);
}

/* Makes scratch space to list the codes of one attribute. */
static void
make_space(TreeGrower *grower, const FrequencyGroup *group)
{
	PartitionRun *run = grower->run;
	MemoryContext previous = MemoryContextSwitchTo(grower->context);

	for (int i = 0; i < group->attributes; i++)
	{
		int64 slots = group->first_slot[i + 1] - group->first_slot[i];

		if (run->sorted)
			run->counted = budget_room(grower->request->budget, run->counted, &grower->slots, slots,
									   sizeof(SortedRow), PURPOSE);
	}
	MemoryContextSwitchTo(previous);
}

/*
 * Divides a node by its group and frees that.  Where people may be enough, but counts do not say
 * so, it is not divided here.
 */
static void
divide_node(TreeGrower *grower, GrowingTree *tree, int32 number)
{
	PartitionRun *run = grower->run;
	GrowingNode *node = &tree->node[number];
	FrequencyGroup *group = node->group;
	Part part = {0, group->counted};
	bool found;

	/* Rows elsewhere may change between two counts. */
	Assert(group->counted == node->rows || grower->counter);
	node->rows = group->counted;
	run->group = group;
	grower->missing = 0;
	run->missing = &grower->missing;
	grower->unsure = false;
	run->unsure = &grower->unsure;
	make_space(grower, group);
	tighten_bounds(run, part, node);
	found = part_choose(run, part, &node->split) && !grower->unsure;
	if (grower->unsure)
		node->split = (Split){.kind = PARTITION_LEAF};
	node->known = grower->missing == 0;
	node->codes |= grower->missing;
	if (!node->known)
		node->split = (Split){.kind = PARTITION_LEAF};
	else if (!found)
		keep_region(grower, node);
	else if (node->split.kind == PARTITION_SPECIALIZE)
		growing_tree_make_labels(tree, number, run->labels->chosen);
	else
		growing_tree_halve(tree, number);
	if (tree->node[number].split.kind != PARTITION_LEAF)
		divide_range(tree, number);
	run->group = NULL;
	tree->node[number].group = NULL;
	frequency_group_free(group);
}

void
growing_tree_list_leaves(GrowingTree *tree)
{
	const Budget *budget = tree->budget;
	int32 *waiting = budget_allocate(budget, tree->nodes, sizeof(int32), PURPOSE);
	int32 count = 0;
	int32 listed = 0;

	tree->leaves = 0;
	tree->order = budget_allocate(budget, tree->nodes, sizeof(int32), PURPOSE);
	tree->leaf = budget_allocate(budget, tree->nodes, sizeof(int32), PURPOSE);
	tree->leaf_of_node = budget_allocate(budget, tree->nodes, sizeof(int32), PURPOSE);
	waiting[count++] = 0;
	while (count > 0)
	{
		int32 number = waiting[--count];
		const GrowingNode *node = &tree->node[number];
		bool divided = growing_node_is_divided(node);

		CHECK_FOR_INTERRUPTS();
		if (!divided)
		{
			tree->leaf_of_node[number] = tree->leaves;
			tree->leaf[tree->leaves++] = listed;
		}
		tree->order[listed++] = number;
		for (int32 child = divided ? node->split.children - 1 : -1; child >= 0; child--)
			waiting[count++] = node->first_child + child;
	}
	pfree(waiting);
}

/* Counts and divides what waits, in rounds; false if the rows together do not satisfy. */
static bool
grow_on(TreeGrower *grower, GrowingTree *tree, const CodedRows *rows, bool whole,
		GrowthLimits limits)
{
	const TreeCounter *counter = grower->counter;
	PartitionRun *run = grower->run;

	while (open_groups(grower, tree, limits))
	{
		int32 nodes = tree->nodes;

		if (counter)
			counter->count(counter->state, tree);
		else
			count_rows(tree, rows);
		tree->scans++;
		if (whole && nodes == 1 && run->judge)
		{
			run->group = tree->node[0].group;
			if (!part_judge_class(run, (Part){0, run->group->counted}))
				return false;
		}
		for (int32 i = 0; i < nodes; i++)
			if (tree->node[i].group)
				divide_node(grower, tree, i);
	}
	growing_tree_list_leaves(tree);
	return true;
}

void
tree_grower_continue(TreeGrower *grower, GrowingTree *tree, GrowthLimits limits)
{
	(void) grow_on(grower, tree, NULL, false, limits);
}

GrowingTree *
tree_grower_grow(TreeGrower *grower, const CodedRows *rows, const CodeBounds *bounds, bool whole,
				 GrowthLimits limits)
{
	const TreeCounter *counter = grower->counter;
	GrowingTree *tree = growing_tree_plant(grower->layout, grower->request, bounds,
										   counter ? counter->rows : code_tape_tuples(rows->tape));

	if (grower->layout->target > 0)
		tree->node[0].target = find_range(tree, rows);
	if (grower->request->relaxed)
		limits.enough = tree->node[0].rows;
	return grow_on(grower, tree, rows, whole, limits) ? tree : NULL;
}

int32
growing_tree_leaf(const GrowingTree *tree, const int32 *code)
{
	return tree->leaf_of_node[find_node(tree, code)];
}
