/*
 * release_node_shown.c
 *		See release_node_shown.h.
 */
#include "postgres.h"

#include "release/release_node_shown.h"

#include "base/context.h"
#include "base/interrupt.h"
#include "catalog/pg_type.h"
#include "cell/cell_format.h"

/* A label, and the ground codes that it stands for. */
typedef struct ShownLabel
{
	const char *text;
	int32 first;
	int32 count;
} ShownLabel;

static int
compare_labels(const void *a, const void *b)
{
	const ShownLabel *one = a;
	const ShownLabel *other = b;
	int texts = strcmp(one->text, other->text);

	CHECK_FOR_INTERRUPTS();
	if (texts != 0)
		return texts;
	if (one->first != other->first)
		return one->first < other->first ? -1 : 1;
	return one->count < other->count ? -1 : one->count > other->count;
}

/* The ground codes but NULL's. */
static int32
count_ground(const Dimension *dimension)
{
	return dimension->cardinality[0] - (dimension->null_code[0] >= 0 ? 1 : 0);
}

/* Lists the labels of a level, runs of ground codes; returns how many. */
static int32
list_labels(const DatasetColumn *column, int level, ShownLabel *label)
{
	const Dimension *dimension = column->codes.dimension;
	const int32 *ancestor = dimension->ancestor[level];
	int32 ground = count_ground(dimension);
	int32 labels = 0;

	for (int32 code = 0; code < ground; code++)
	{
		interrupt_check(code);
		if (labels > 0 && ancestor[code] == ancestor[code - 1])
			label[labels - 1].count++;
		else
			label[labels++] =
				(ShownLabel){.text = dimension_query_text(column->domain, level,
														  column->domain->value_of_code[code]),
							 .first = code,
							 .count = 1};
	}
	return labels;
}

/*
 * Does each text stand for the same values wherever it is a cell?  Not if an inner node of a
 * taxonomy is a value, too.
 */
static bool
has_clear_labels(const DatasetColumn *column)
{
	const Dimension *dimension = column->codes.dimension;
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "kanon labels", CONTEXT_SMALL_SIZES);
	MemoryContext previous = MemoryContextSwitchTo(context);
	int32 ground = count_ground(dimension);
	ShownLabel *label = palloc_extended(
		sizeof(ShownLabel) * ((Size) ground * (dimension->height + 1) + 1), MCXT_ALLOC_HUGE);
	int32 labels = 0;
	bool clear = true;

	for (int level = 0; level <= dimension->height; level++)
		labels += list_labels(column, level, label + labels);
	label[labels++] = (ShownLabel){.text = dimension_query_top(column->domain), .count = ground};
	qsort(label, labels, sizeof(ShownLabel), compare_labels);
	for (int32 i = 1; clear && i < labels; i++)
		clear = strcmp(label[i].text, label[i - 1].text) != 0 ||
				(label[i].first == label[i - 1].first && label[i].count == label[i - 1].count);
	MemoryContextSwitchTo(previous);
	MemoryContextDelete(context);
	return clear;
}

/* .. of a column of the plan, asked once. */
static bool
is_clear(NodesPlan *plan, int attribute)
{
	if (plan->clear[attribute] == 0)
		plan->clear[attribute] = has_clear_labels(plan->codes->column[attribute]) ? 1 : -1;
	return plan->clear[attribute] > 0;
}

/* Has at most one child of a specialization several labels?  NULL is one of them. */
static bool
tells_labels(const GrowingTree *tree, const GrowingNode *node)
{
	int32 labels = growing_node_labels(tree, node);
	int32 *count = palloc0(sizeof(int32) * node->split.children);
	int several = 0;

	for (int32 i = 0; i < labels; i++)
		if (node->child_of[i] >= 0)
			count[node->child_of[i]]++;
	if (node->split.null_child >= 0)
		count[node->split.null_child]++;
	for (int32 child = 0; child < node->split.children; child++)
		several += count[child] > 1 ? 1 : 0;
	pfree(count);
	return several <= 1;
}

bool
node_shown(NodesPlan *plan, const GrowingTree *tree, const GrowingNode *node)
{
	const RecordCodes *codes = plan->codes;
	int attribute = node->split.attribute;
	const DescribedAttribute *quasi = codes->description->quasi[attribute];
	const CellFormat *format;

	if (node->split.kind == PARTITION_SPECIALIZE)
		return is_clear(plan, attribute) && tells_labels(tree, node);
	if (codes->column[attribute]->hierarchical || quasi->plain)
		return false;
	/* A text can be written as a range is. */
	format = cell_format_choose(quasi->type, false, false, codes->request.spans);
	return codes->request.spans && cell_format_type(format, quasi->type) != TEXTOID;
}

bool
node_shown_all(NodesPlan *plan, const GrowingTree *tree)
{
	for (int32 i = 0; i < tree->nodes; i++)
	{
		interrupt_check(i);
		if (growing_node_is_divided(&tree->node[i]) && !node_shown(plan, tree, &tree->node[i]))
			return false;
	}
	return true;
}
