/*
 * sample_tree.c
 *		See sample_tree.h.
 *
 * Growing: nodes are divided in the order in which they were made, so level by level, by the same
 * function that divides records in memory, with tests instead of conditions.
 *
 * The sample lacks some values.  If it has no NULLs, NULLs go to the first part of a cut, as
 * everywhere, and to the child with the fewest rows in a specialization.  A value of a label that
 * the sample lacks, or that belongs to none of the children, shows that a specialization was wrong:
 * such rows are led to any leaf below, which will be merged with all others there.
 *
 * Pruning: nodes are examined from the last to the first, so after all nodes below them.  Their
 * counts are then complete, and it is known whether they remain divided.
 *
 * Example, k = 2: the root has the leaves 1 and 2 and the third child 3 with the leaves 4 and 5.
 * One row is at 5: 3 becomes a leaf with the rows of 4 and 5.
 */
#include "postgres.h"

#include "rothko/sample_tree.h"

#include "base/context.h"
#include "base/interrupt.h"
#include "partition/part.h"
#include "utils/memutils.h"

#define PURPOSE "partition tree"

struct TreePopulation
{
	GrowingTree *tree;
	const RowModels *models; /* NULL: row counts suffice */
	RowJudge *judge;
	int64 least; /* rows that a part needs */
	int codes;   /* of all sensitive columns together */
	/* [node] */
	int32 *values; /* [node * codes + code]: rows */
	bool *nulls;   /* [node]: rows came with NULL in its attribute */
	bool *strayed; /* .. or with a value of none of its children */
	int32 *now;    /* [node]: itself, or the leaf above that it is part of */
	int32 *leaf;   /* [leaf]: node */
	int32 leaves;
};

static int
count_codes(const RowModels *models)
{
	int codes = 0;

	for (int i = 0; models && i < models->demand.columns; i++)
		codes += models->demand.domain[i]->codes;
	return codes;
}

Size
sample_tree_node_bytes(const RowLayout *layout, const PartitionRequest *request)
{
	return 2 * (sizeof(GrowingNode) + sizeof(Part)) + sizeof(CodeBounds) * layout->attributes +
		   8 * sizeof(int32) + sizeof(int32) * count_codes(request->models);
}

/* State of growing. */
typedef struct SampleGrower
{
	GrowingTree *tree;
	SampleGrowth growth;
	int64 sample; /* rows */
	PartitionRun *run;
	Part *part;  /* [node] */
	int *height; /* [node] */
} SampleGrower;

/* Makes the children of a specialization, with the bounds of their codes. */
static void
make_labels(SampleGrower *grower, int32 number)
{
	GrowingTree *tree = grower->tree;
	int32 first = growing_tree_append(tree, tree->node[number].split.children);
	GrowingNode *node = &tree->node[number];
	const PartChildren *labels = grower->run->labels->chosen;
	int attribute = node->split.attribute;
	int32 rest = node->split.rest ? node->split.children - 1 : -1;
	const CodeBounds *bounds = &node->bounds[attribute];
	const int32 *ancestor = tree->column[attribute].dimension->ancestor[node->split.level];

	node->first_child = first;
	growing_tree_number_labels(tree, number);
	for (int32 i = 0; i < node->split.children; i++)
	{
		Part part = grower->run->child[i];

		if (i != rest)
			node->child_of[labels->code[i] - node->lowest_label] = i;
		growing_tree_make(tree, first + i, node->bounds, part_rows(part));
		tree->node[first + i].bounds[attribute].minimum = PG_INT32_MAX;
		if (node->split.null_child < 0 ||
			part_rows(part) < part_rows(grower->run->child[node->split.null_child]))
			node->split.null_child = i;
	}
	for (int32 code = bounds->minimum; code <= bounds->maximum; code++)
	{
		int32 child = node->child_of[ancestor[code] - node->lowest_label];
		CodeBounds *of_child = child < 0 ? NULL : &tree->node[first + child].bounds[attribute];

		interrupt_check(code);
		if (of_child == NULL)
			continue;
		of_child->minimum = Min(of_child->minimum, code);
		of_child->maximum = code;
		tree->node[first + child].code = of_child->minimum;
	}
}

/* Divides the node if its split is clear and there is room for the children. */
static void
grow_node(SampleGrower *grower, int32 number)
{
	GrowingTree *tree = grower->tree;
	GrowingNode *node = &tree->node[number];
	Part part = grower->part[number];
	double rows =
		(double) part_rows(part) * (double) grower->growth.population / (double) grower->sample;
	int32 first = tree->nodes;

	if (rows <= (double) grower->growth.enough || grower->height[number] >= grower->growth.height ||
		!part_choose(grower->run, part, &node->split) ||
		node->split.children > grower->growth.nodes - tree->nodes)
	{
		node->split = (Split){.kind = PARTITION_LEAF};
		return;
	}
	node->known = true;
	part_divide(grower->run, part, &node->split);
	if (node->split.kind == PARTITION_SPECIALIZE)
		make_labels(grower, number);
	else
		growing_tree_halve(tree, number);
	for (int32 i = 0; i < tree->nodes - first; i++)
	{
		grower->part[first + i] = grower->run->child[i];
		grower->height[first + i] = grower->height[number] + 1;
	}
}

GrowingTree *
sample_tree_grow(LoadedRows *sample, const RowLayout *layout, const PartitionRequest *request,
				 const CodeBounds *bounds, SampleGrowth growth)
{
	int64 rows = sample->dataset->rows;
	SampleTest test = {.sample = rows, .population = growth.population, .alpha = growth.alpha};
	SampleGrower grower = {.growth = growth, .sample = rows};
	MemoryContext tree_context = CurrentMemoryContext;
	MemoryContext scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon growing", CONTEXT_SMALL_SIZES);

	sample_test_split(&test, 2);
	grower.tree = growing_tree_plant(layout, request, bounds, rows);
	MemoryContextSwitchTo(scratch);
	sample->request.test = &test;
	sample->models.test = &test;
	grower.run = part_run_create(sample->dataset, &sample->request, request->column);
	grower.part = budget_allocate(request->budget, growth.nodes, sizeof(Part), PURPOSE);
	grower.height = budget_allocate(request->budget, growth.nodes, sizeof(int), PURPOSE);
	grower.part[0] = (Part){0, rows};
	MemoryContextSwitchTo(tree_context);
	for (int32 i = 0; i < grower.tree->nodes; i++)
	{
		CHECK_FOR_INTERRUPTS();
		grow_node(&grower, i);
	}
	growing_tree_list_leaves(grower.tree);
	MemoryContextDelete(scratch);
	return grower.tree;
}

TreePopulation *
tree_population_create(GrowingTree *tree, const PartitionRequest *request)
{
	TreePopulation *population = palloc0(sizeof(TreePopulation));
	Budget *budget = request->budget;
	int32 nodes = tree->nodes;

	population->tree = tree;
	population->models = request->models;
	population->least = request->k;
	population->codes = count_codes(request->models);
	if (request->models)
	{
		population->judge = row_judge_create(request->models, budget);
		population->least = Max(request->k, demand_least_rows(&request->models->demand));
	}
	population->values =
		budget_allocate(budget, mul_size(nodes, population->codes), sizeof(int32), PURPOSE);
	population->nulls = budget_allocate(budget, nodes, sizeof(bool), PURPOSE);
	population->strayed = budget_allocate(budget, nodes, sizeof(bool), PURPOSE);
	population->now = budget_allocate(budget, nodes, sizeof(int32), PURPOSE);
	population->leaf = budget_allocate(budget, tree->leaves, sizeof(int32), PURPOSE);
	population->leaves = tree->leaves;
	for (int32 i = 0; i < tree->leaves; i++)
	{
		interrupt_check(i);
		population->leaf[i] = tree->order[tree->leaf[i]];
	}
	for (int32 i = 0; i < nodes; i++)
	{
		interrupt_check(i);
		tree->node[i].rows = 0;
	}
	return population;
}

int32
tree_population_count(TreePopulation *population, const int32 *tuple)
{
	GrowingTree *tree = population->tree;
	const int32 *side = coded_rows_sides(tree->layout, tuple);
	int columns = population->models ? population->models->demand.columns : 0;
	bool strayed = false;
	int32 number = 0;
	int32 *values;

	while (growing_node_is_divided(&tree->node[number]))
	{
		const GrowingNode *node = &tree->node[number];
		int32 code = tuple[node->split.attribute];
		int32 child = strayed ? 0 : growing_tree_child(tree, node, code);

		if (!strayed && code == DATASET_NULL)
			population->nulls[number] = true;
		if (child < 0)
			population->strayed[number] = strayed = true;
		number = node->first_child + Max(child, 0);
	}
	tree->node[number].rows++;
	values = population->values + (Size) number * population->codes;
	for (int i = 0; i < columns; i++)
	{
		values[side[tree->layout->sides - columns + i]]++;
		values += population->models->demand.domain[i]->codes;
	}
	return tree->leaf_of_node[number];
}

/* Takes the rows of a leaf. */
static void
take_leaf(TreePopulation *population, int32 number)
{
	GrowingNode *node = &population->tree->node[number];
	const FrequencyGroup *group = node->group;
	int32 *values = population->values + (Size) number * population->codes;
	int columns = population->models ? population->models->demand.columns : 0;

	node->rows = group->counted;
	for (int i = 0; i < columns; i++)
	{
		const FrequencySide *side = &group->side[group->sides - columns + i];

		for (int64 at = group->first_slot[0] * side->values;
			 at < group->first_slot[1] * side->values; at++)
		{
			interrupt_check(at);
			values[at % side->values] += side->rows[at];
		}
		values += side->values;
	}
}

void
tree_population_take(TreePopulation *population)
{
	GrowingTree *tree = population->tree;
	int32 *parent = budget_allocate(tree->budget, tree->nodes, sizeof(int32), PURPOSE);

	for (int32 i = 0; i < tree->nodes; i++)
	{
		GrowingNode *node = &tree->node[i];

		CHECK_FOR_INTERRUPTS();
		population->strayed[i] = node->strayed;
		for (int32 child = 0; growing_node_is_divided(node) && child < node->split.children;
			 child++)
			parent[node->first_child + child] = i;
		if (node->group == NULL)
			continue;
		take_leaf(population, i);
		for (int32 at = i; at > 0; at = parent[at])
			population->nulls[parent[at]] |=
				node->group->nulls[tree->node[parent[at]].split.attribute] > 0;
		frequency_group_free(node->group);
		node->group = NULL;
	}
	pfree(parent);
}

static bool
satisfies(TreePopulation *population, int32 number)
{
	const RowModels *models = population->models;
	const int32 *values = population->values + (Size) number * population->codes;

	if (population->tree->node[number].rows < population->least)
		return false;
	if (models == NULL)
		return true;
	row_judge_begin(population->judge);
	for (int i = 0; i < models->demand.columns; i++)
	{
		for (int32 code = 0; code < models->demand.domain[i]->codes; code++)
		{
			interrupt_check(code);
			if (values[code] > 0)
				row_judge_add_rows(population->judge, i, code, values[code]);
		}
		values += models->demand.domain[i]->codes;
	}
	row_judge_end(population->judge);
	return row_judge_holds(population->judge, GROUP_REST);
}

/*
 * Adds the counts of a child, which are complete, to its parent's, which becomes a leaf if the
 * child does not satisfy.  A divided child satisfies because all its children do.
 */
static void
add_child(TreePopulation *population, int32 parent, int32 child)
{
	GrowingNode *node = population->tree->node;
	int32 *values = population->values + (Size) parent * population->codes;
	const int32 *of_child = population->values + (Size) child * population->codes;

	if (!growing_node_is_divided(&node[child]) && !satisfies(population, child))
		node[parent].known = false;
	node[parent].rows += node[child].rows;
	for (int code = 0; code < population->codes; code++)
	{
		interrupt_check(code);
		values[code] += of_child[code];
	}
}

int32
tree_population_prune(TreePopulation *population)
{
	GrowingTree *tree = population->tree;
	int32 pruned = 0;

	for (int32 i = tree->nodes - 1; i >= 0; i--)
	{
		GrowingNode *node = &tree->node[i];

		CHECK_FOR_INTERRUPTS();
		if (population->strayed[i])
			node->known = false;
		if (node->split.kind == PARTITION_CUT || !population->nulls[i])
			node->split.null_child = population->nulls[i] ? 0 : -1;
		for (int32 child = 0; child < node->split.children; child++)
			add_child(population, i, node->first_child + child);
	}
	/* What is below a leaf is part of it. */
	for (int32 i = 0; i < tree->nodes; i++)
	{
		const GrowingNode *node = &tree->node[i];
		bool divided = growing_node_is_divided(node);

		for (int32 child = node->first_child; child < node->first_child + node->split.children;
			 child++)
		{
			interrupt_check(child);
			population->now[child] = divided ? child : population->now[i];
			tree->node[child].known &= divided;
			tree->node[child].rows *= divided ? 1 : 0;
			pruned += divided ? 0 : 1;
		}
	}
	growing_tree_list_leaves(tree);
	return pruned;
}

int32
tree_population_leaf(const TreePopulation *population, int32 leaf)
{
	return population->tree->leaf_of_node[population->now[population->leaf[leaf]]];
}
