/*
 * tree_grow.c
 *		See tree_grow.h.
 *
 * A partition's nodes speak of codes, and the children of a specialization have a
 * code under their label each, from which the label is looked up.  Ground
 * values are listed in the order of their codes and then those that did not
 * occur, so that labels, which are numbered as they first occur, have the
 * order of the codes too, and the children that of the partition.
 */
#include "postgres.h"

#include "tree/tree_grow.h"

#include "base/interrupt.h"
#include "catalog/pg_type.h"
#include "data/hidden.h"
#include "model/model_text.h"
#include "sql/value_text.h"
#include "tree/tree_type.h"
#include "utils/builtins.h"
#include "utils/datum.h"
#include "utils/lsyscache.h"

#define PURPOSE "partition tree"

typedef struct Growing
{
	const TreeGrowth *growth;
	PartitionTree *tree;
	TreeValueText *conversion; /* [attribute] */
	int **tree_level;          /* [attribute][level of the dimension]: of the tree; 0: not used */
	int64 *rows;               /* [class] */
} Growing;

static const DescribedAttribute *
quasi_identifier(const Growing *growing, int attribute)
{
	return &growing->growth->codes->shape->quasi[attribute];
}

/* Rows of each class. */
static void
look_at_classes(Growing *growing)
{
	const Partition *partition = growing->growth->partition;

	growing->rows =
		budget_allocate(growing->growth->budget, partition->classes + 1, sizeof(int64), PURPOSE);
	for (int32 number = 1; number <= partition->classes; number++)
	{
		interrupt_check(number);
		growing->rows[number] = partition->class_end[number] - partition->class_end[number - 1];
	}
}

/* The levels that are specialized to; that of the ground values is marked where there are any. */
static void
look_at_nodes(Growing *growing)
{
	const Partition *partition = growing->growth->partition;

	for (int32 number = 0; number < partition->nodes; number++)
	{
		const PartitionNode *node = &partition->node[number];

		interrupt_check(number);
		if (node->kind == PARTITION_SPECIALIZE)
			growing->tree_level[node->attribute][0] =
				growing->tree_level[node->attribute][node->level] = 1;
	}
}

/* Numbers the levels that are used 1, 2, ..; how many there are. */
static int
number_levels(int *tree_level, int height)
{
	int levels = 0;

	for (int level = 1; level <= height; level++)
		if (tree_level[level])
			tree_level[level] = ++levels;
	return levels;
}

/* The texts of all labels of a level of the dimension table. */
static const char **
level_texts(const Growing *growing, const AttributeDomain *domain, int level)
{
	int32 labels = dictionary_size(domain->label[level]);
	const char **texts = budget_allocate(growing->growth->budget, labels, sizeof(char *), PURPOSE);
	ValueText writer = value_text_writer(domain->label_type[level]);

	for (int32 label = 0; label < labels; label++)
	{
		CHECK_FOR_INTERRUPTS();
		texts[label] = value_text_write(&writer, dictionary_value(domain->label[level], label));
	}
	return texts;
}

/* Those of the levels that are used. */
static const char ***
label_texts(const Growing *growing, int attribute)
{
	const AttributeDomain *domain = quasi_identifier(growing, attribute)->domain;
	const char ***texts = palloc0(sizeof(char **) * (domain->height + 1));

	for (int level = 1; level <= domain->height; level++)
		if (growing->tree_level[attribute][level])
			texts[level] = level_texts(growing, domain, level);
	return texts;
}

/* Copies one ground value with its labels into the tree. */
static void
add_value(Growing *growing, int attribute, int32 value, const char ***texts)
{
	const AttributeDomain *domain = quasi_identifier(growing, attribute)->domain;
	Datum ground = dictionary_value(domain->ground, value);
	const char *labels[TREE_MAX_LEVELS + 1];

	CHECK_FOR_INTERRUPTS();
	for (int level = 1; level <= domain->height; level++)
		if (growing->tree_level[attribute][level])
			labels[growing->tree_level[attribute][level]] =
				texts[level][domain->label_of_ground[level][value]];
	partition_tree_add_value(growing->tree, attribute, ground,
							 tree_type_write(&growing->conversion[attribute], ground), labels);
}

/* All ground values of the dimension table: those that have codes, in their order, first. */
static void
add_values(Growing *growing, int attribute)
{
	const AttributeDomain *domain = quasi_identifier(growing, attribute)->domain;
	const char ***texts = label_texts(growing, attribute);
	const Dimension *dimension = growing->growth->codes->attribute[attribute].dimension;
	int32 codes = dimension->cardinality[0] - (dimension->has_null ? 1 : 0);

	for (int32 code = 0; code < codes; code++)
		add_value(growing, attribute, domain->value_of_code[code], texts);
	for (int32 value = 0; value < domain->declared; value++)
		if (domain->final_code[value + 1] < 0)
			add_value(growing, attribute, value, texts);
}

static const char *
top_label(const Growing *growing, int attribute)
{
	const AttributeDomain *domain = quasi_identifier(growing, attribute)->domain;

	if (!growing->growth->codes->attribute[attribute].dimension->single_top)
		return HIDDEN_TEXT;
	return level_texts(growing, domain, domain->height)[0];
}

static Oid
collation_of(const DescribedAttribute *field, Oid base_type)
{
	return OidIsValid(field->collation) ? field->collation : get_typcollation(base_type);
}

static void
add_attribute(Growing *growing, int attribute)
{
	const DescribedAttribute *source = quasi_identifier(growing, attribute);
	Oid type = getBaseType(source->type);
	PartitionTree *tree = growing->tree;

	for (int i = 0; i < attribute; i++)
		if (strcmp(tree->attribute[i].name, source->name) == 0)
			ereport(ERROR,
					(errcode(ERRCODE_DUPLICATE_COLUMN),
					 errmsg("quasi-identifier \"%s\" is named more than once", source->name)));
	if (get_typtype(type) == TYPTYPE_PSEUDO)
		ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
						errmsg("field \"%s\" cannot be an attribute of a tree", source->name),
						errdetail("Values of type %s cannot be read back from their text.",
								  format_type_be(type))));
	if (value_cast_is_checked(type))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("field \"%s\" cannot be an attribute of a tree", source->name),
				 errdetail("Values of type %s are checked by code of its owner when they are "
						   "read back.",
						   format_type_be(type))));
	tree->attribute[attribute].name = pstrdup(source->name);
	tree_type_set(tree, attribute, type, collation_of(source, type));
	tree_type_prepare(&growing->conversion[attribute], type);
	if (source->domain == NULL)
		return;
	partition_tree_set_hierarchy(
		tree, attribute, top_label(growing, attribute),
		number_levels(growing->tree_level[attribute], source->domain->height));
	if (growing->tree_level[attribute][0])
		add_values(growing, attribute);
}

static void
copy_threshold(Growing *growing, TreeNode *node, int32 code)
{
	const ValueType *type = &growing->tree->attribute[node->attribute].values;
	Datum value = dataset_column_value(growing->growth->codes->column[node->attribute], code);

	node->threshold = datumCopy(value, type->by_value, type->length);
	node->text = tree_type_write(&growing->conversion[node->attribute], node->threshold);
}

/* The label, as the tree numbers it, of a child of a specialization. */
static int32
label_of_node(const Growing *growing, int32 number, int attribute, int level)
{
	const TreeHierarchy *hierarchy = growing->tree->attribute[attribute].hierarchy;
	int32 code = growing->growth->partition->node[number].code;

	return level == 0 ? code : hierarchy->label_of_value[level][code];
}

static void
add_branches(const Growing *growing, TreeNode *node, const PartitionNode *source)
{
	node->level = source->level == 0 ? 0 : growing->tree_level[source->attribute][source->level];
	node->branch =
		budget_allocate(growing->growth->budget, source->children, sizeof(TreeBranch), PURPOSE);
	for (int32 child = 0; child < source->children; child++)
		node->branch[child].label =
			label_of_node(growing, source->first_child + child, source->attribute, node->level);
}

static void
add_node(Growing *growing, const PartitionNode *source)
{
	TreeNode *node = partition_tree_append(growing->tree);

	node->kind = source->kind;
	if (node->kind == PARTITION_LEAF)
	{
		node->class_number = source->class_number;
		node->rows = growing->rows[source->class_number];
		return;
	}
	node->attribute = source->attribute;
	node->children = source->children;
	if (node->kind != PARTITION_NULL)
		node->null_child = source->null_child;
	if (node->kind == PARTITION_CUT)
		copy_threshold(growing, node, source->threshold);
	else if (node->kind == PARTITION_SPECIALIZE)
		add_branches(growing, node, source);
}

/* In preorder.  The nodes of the partition that wait never outnumber those it has. */
static void
add_nodes(Growing *growing)
{
	const Partition *partition = growing->growth->partition;
	int32 *waiting =
		budget_allocate(growing->growth->budget, partition->nodes, sizeof(int32), PURPOSE);
	int32 count = 0;

	partition_tree_reserve(growing->tree, partition->nodes);
	waiting[count++] = 0;
	while (count > 0)
	{
		const PartitionNode *source = &partition->node[waiting[--count]];

		CHECK_FOR_INTERRUPTS();
		add_node(growing, source);
		if (source->kind == PARTITION_LEAF)
			continue;
		for (int32 child = source->children - 1; child >= 0; child--)
			waiting[count++] = source->first_child + child;
	}
	budget_give(growing->growth->budget, mul_size(sizeof(int32), partition->nodes));
	pfree(waiting);
}

PartitionTree *
tree_grow(const TreeGrowth *growth)
{
	const RecordShape *shape = growth->codes->shape;
	PartitionTree *tree = partition_tree_create(ERRCODE_INTERNAL_ERROR, growth->budget);
	Growing growing = {.growth = growth,
					   .tree = tree,
					   .conversion = palloc0(sizeof(TreeValueText) * shape->quasi_count),
					   .tree_level = palloc0(sizeof(int *) * shape->quasi_count)};
	int nest_level = tree_type_begin();

	tree->k = growth->k;
	tree->split = growth->split;
	tree->target = growth->split == SPLIT_MEDIAN ? NULL : pstrdup(shape->target->name);
	for (int i = 0; i < shape->sensitive.models; i++)
		partition_tree_add_model(tree, model_text_write(shape->sensitive.model[i]));
	partition_tree_set_attributes(tree, shape->quasi_count);
	for (int i = 0; i < shape->quasi_count; i++)
		if (shape->quasi[i].domain)
			growing.tree_level[i] = palloc0(sizeof(int) * (TREE_MAX_LEVELS + 1));
	look_at_classes(&growing);
	look_at_nodes(&growing);
	for (int i = 0; i < shape->quasi_count; i++)
		add_attribute(&growing, i);
	add_nodes(&growing);
	tree_type_end(nest_level);
	partition_tree_finish(tree);
	return tree;
}
