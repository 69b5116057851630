/*
 * tree_grow.c
 *		See tree_builder.h.
 *
 * Nodes of a partition hold codes; each child of a specialization has a code below its label, from
 * which the label is looked up.  Ground values are listed in code order, then those that did not
 * occur.  Labels are numbered by first occurrence, so they follow the order of the codes, too, and
 * the children keep the partition's order.
 */
#include "postgres.h"

#include "tree/tree_builder.h"

#include "base/interrupt.h"
#include "catalog/pg_type.h"
#include "model/model.h"
#include "record/record_codes.h"
#include "sql/text_settings.h"
#include "sql/value_text.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"

#define PURPOSE "partition tree"
#define NODES_OF_CLASS 4 /* two at worst, while their array is doubled */

typedef struct Growing
{
	const RecordCodes *codes;    /* finished */
	const PartitionNodes *nodes; /* the partition's division */
	TreeBuilder *builder;
	int32 *end;       /* [node]: the one behind the last below it */
	int **tree_level; /* [attribute][level of the dimension]: level in the tree; 0: not used */
} Growing;

static const DescribedAttribute *
quasi_identifier(const Growing *growing, int attribute)
{
	return growing->codes->description->quasi[attribute];
}

/* Do rows have values that the attribute's dimension lacks? */
static bool
has_unknown(const Growing *growing, int attribute)
{
	const Dimension *dimension = growing->codes->column[attribute]->codes.dimension;

	return dimension && dimension->has_unknown;
}

/* The texts of all labels of a level of the dimension table. */
static const char **
level_texts(const Growing *growing, const AttributeDomain *domain, int level)
{
	int32 labels = dictionary_size(domain->level[level].labels);
	const char **texts = budget_allocate(growing->codes->budget, labels, sizeof(char *), PURPOSE);

	for (int32 label = 0; label < labels; label++)
	{
		CHECK_FOR_INTERRUPTS();
		texts[label] = dimension_query_label_text(domain, level, label);
	}
	return texts;
}

/* Adds one ground value with its labels. */
static void
add_value(const Growing *growing, int attribute, int32 value, const char **const *texts)
{
	const AttributeDomain *domain = quasi_identifier(growing, attribute)->domain;
	const int *tree_level = growing->tree_level[attribute];
	const char *labels[TREE_MAX_LEVELS + 1];

	for (int level = 1; level <= domain->height; level++)
		if (tree_level[level])
			labels[tree_level[level]] = texts[level][domain->level[level].label_of_ground[value]];
	tree_builder_add_value(growing->builder, dictionary_value(domain->ground, value), labels);
}

/* Adds all ground values of the dimension table: first those that have codes, in code order. */
static void
add_values(const Growing *growing, int attribute)
{
	const AttributeDomain *domain = quasi_identifier(growing, attribute)->domain;
	const Dimension *dimension = growing->codes->column[attribute]->codes.dimension;
	int32 codes = dimension->cardinality[0] - (dimension->has_null ? 1 : 0);
	const char **texts[TREE_MAX_LEVELS + 1];

	for (int level = 1; level <= domain->height; level++)
		if (growing->tree_level[attribute][level])
			texts[level] = level_texts(growing, domain, level);
	for (int32 code = 0; code < codes; code++)
		add_value(growing, attribute, domain->value_of_code[code], texts);
	for (int32 value = 0; value < domain->declared; value++)
		if (domain->final_code[value + 1] < 0)
			add_value(growing, attribute, value, texts);
}

static void
add_attribute(Growing *growing, int attribute)
{
	const DescribedAttribute *source = quasi_identifier(growing, attribute);
	const AttributeDomain *domain = source->domain;
	int *tree_level = growing->tree_level[attribute];
	int levels = 0;
	Oid type = getBaseType(source->type);
	const char *fault = NULL;

	if (tree_builder_find_attribute(growing->builder, source->name) >= 0)
		ereport(ERROR, (errcode(ERRCODE_DUPLICATE_COLUMN),
						errmsg("quasi-identifier \"%s\" is named more than once", source->name)));
	if (get_typtype(type) == TYPTYPE_PSEUDO)
		fault = "Values of type %s cannot be read back from their text.";
	else if (value_cast_is_checked(type))
		fault = "Values of type %s are checked by code of its owner when they are read back.";
	if (fault)
		ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
						errmsg("field \"%s\" cannot be an attribute of a tree", source->name),
						errdetail(fault, format_type_be(type))));
	tree_builder_add_attribute(growing->builder, source->name, type, source->collation);
	if (domain == NULL)
		return;
	/* The used levels become 1, 2, .. */
	for (int level = 1; level <= domain->height; level++)
		if (tree_level[level])
			tree_level[level] = ++levels;
	tree_builder_set_hierarchy(growing->builder, dimension_query_top(domain), levels);
	if (tree_level[0])
		add_values(growing, attribute);
}

static void
add_node(const Growing *growing, int32 number)
{
	const PartitionNode *source = &growing->nodes->node[number];
	int attribute = source->attribute;
	TreeNode node = {.kind = source->kind, .attribute = attribute, .null_child = -1};
	Datum threshold = (Datum) 0;
	int32 *labels = NULL;

	if (source->kind == PARTITION_LEAF)
		node.rows = source->rows;
	else
		node.children = source->children;
	if (source->kind == PARTITION_NULL)
		node.null_child = has_unknown(growing, attribute) ? 0 : -1;
	else if (source->kind != PARTITION_LEAF)
		node.null_child = source->null_child;
	if (source->kind == PARTITION_CUT)
		threshold = dataset_column_value(growing->codes->column[attribute], source->threshold);
	else if (source->kind == PARTITION_SPECIALIZE)
	{
		int32 child = number + 1;

		node.level = source->level == 0 ? 0 : growing->tree_level[attribute][source->level];
		labels = palloc(sizeof(int32) * source->children);
		for (int32 i = 0; i < source->children; i++, child = growing->end[child])
			labels[i] = tree_builder_label_above(growing->builder, attribute, node.level,
												 growing->nodes->node[child].code);
	}
	tree_builder_add_node(growing->builder, node, threshold, labels);
	if (labels)
		pfree(labels);
}

/* Sets growing->end: a node ends where its last child does, and nodes below it come after it. */
static void
find_ends(Growing *growing)
{
	const PartitionNodes *nodes = growing->nodes;
	int32 *end = budget_allocate(growing->codes->budget, nodes->count, sizeof(int32), PURPOSE);

	for (int32 number = nodes->count - 1; number >= 0; number--)
	{
		interrupt_check(number);
		end[number] = number + 1;
		for (int32 child = 0; child < nodes->node[number].children; child++)
			end[number] = end[end[number]];
	}
	growing->end = end;
}

/* Marks the levels of specializations; that of the ground values if there are any. */
static void
mark_levels(Growing *growing)
{
	const Description *description = growing->codes->description;

	growing->tree_level = palloc0(sizeof(int *) * description->quasi_count);
	for (int i = 0; i < description->quasi_count; i++)
		if (description->quasi[i]->domain)
			growing->tree_level[i] = palloc0(sizeof(int) * (TREE_MAX_LEVELS + 1));
	for (int32 number = 0; number < growing->nodes->count; number++)
	{
		const PartitionNode *node = &growing->nodes->node[number];

		interrupt_check(number);
		if (node->kind == PARTITION_SPECIALIZE)
			growing->tree_level[node->attribute][0] =
				growing->tree_level[node->attribute][node->level] = 1;
		else if (node->kind == PARTITION_NULL && has_unknown(growing, node->attribute))
			growing->tree_level[node->attribute][0] = 1;
	}
}

/* Divides the records and frees them; false: they do not satisfy. */
static bool
divide(RecordCodes *codes, int k, PartitionNodes *nodes)
{
	Recoding *recoding = record_codes_recode(
		codes, mondrian_recode, (RecodeOptions){.k = k, .nodes = nodes, .by_class = true});

	while (recoding && recoding->next && recoding->next(recoding))
		;
	if (codes->dataset->tape == NULL)
		dataset_free(codes->dataset);
	return recoding != NULL;
}

Size
tree_grow_class_bytes(int k)
{
	return NODES_OF_CLASS * sizeof(PartitionNode) / k;
}

PartitionTree *
tree_grow(RecordCodes *codes, int k)
{
	const Description *description = codes->description;
	PartitionNodes nodes = {0};
	Growing growing = {.codes = codes, .nodes = &nodes};
	int nest_level;

	codes->request.class_bytes = tree_grow_class_bytes(k);
	if (!divide(codes, k, &nodes))
		return NULL;
	nest_level = text_settings_begin();
	growing.builder = tree_builder_create(
		ERRCODE_INTERNAL_ERROR, k, codes->request.split,
		codes->request.split == SPLIT_MEDIAN ? NULL : description->target->name, codes->budget);
	mark_levels(&growing);
	for (int i = 0; i < description->demand.models; i++)
		tree_builder_add_model(growing.builder, model_text_write(description->demand.model[i]));
	for (int i = 0; i < description->quasi_count; i++)
		add_attribute(&growing, i);
	find_ends(&growing);
	for (int32 number = 0; number < nodes.count; number++)
		add_node(&growing, number);
	text_settings_end(nest_level);
	return tree_builder_finish(growing.builder);
}
