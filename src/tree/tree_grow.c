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
#include "metric/loss.h"
#include "model/model.h"
#include "partition/region.h"
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

		int level = source->level == 0 ? 0 : growing->tree_level[attribute][source->level];

		node.level = level | (source->rest ? TREE_REST : 0);
		labels = palloc(sizeof(int32) * source->children);
		for (int32 i = 0; i < tree_node_labels(&node); i++, child = growing->end[child])
			labels[i] = tree_builder_label_above(growing->builder, attribute, level,
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

/* The builder of the tree, with its models and attributes. */
static void
begin_tree(Growing *growing, int64 k, int split, const char *target)
{
	const Description *description = growing->codes->description;

	growing->builder =
		tree_builder_create(ERRCODE_INTERNAL_ERROR, k, split, target, growing->codes->budget);
	for (int i = 0; i < description->demand.models; i++)
		tree_builder_add_model(growing->builder, model_text_write(description->demand.model[i]));
	for (int i = 0; i < description->quasi_count; i++)
		add_attribute(growing, i);
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
	mark_levels(&growing);
	begin_tree(&growing, k, codes->request.split,
			   split_takes_target(codes->request.split) ? description->target->name : NULL);
	find_ends(&growing);
	for (int32 number = 0; number < nodes.count; number++)
		add_node(&growing, number);
	text_settings_end(nest_level);
	return tree_builder_finish(growing.builder);
}

/* ---- rules */

/* A class, as a rule. */
typedef struct ClassRule
{
	double loss;
	int32 class_number;
} ClassRule;

typedef struct Ruling
{
	Growing growing;
	const Recoding *recoding;
	Region *region;
	ClassRule *rule; /* [class - 1]: those of least loss first */
	RuleTest *test;  /* [attribute] of one rule */
} Ruling;

static int
compare_rules(const void *a, const void *b)
{
	const ClassRule *one = a;
	const ClassRule *other = b;
	int by_loss = interrupt_compare_double(&one->loss, &other->loss);

	return by_loss != 0 ? by_loss : one->class_number < other->class_number ? -1 : 1;
}

/* The classes, those of least loss first, so that few rows fit another before their own. */
static void
order_classes(Ruling *ruling)
{
	const Recoding *recoding = ruling->recoding;
	const RecordCodes *codes = ruling->growing.codes;
	RecodedCell *cell = palloc(sizeof(RecodedCell) * recoding->columns);

	ruling->rule = budget_allocate(codes->budget, recoding->groups, sizeof(ClassRule), PURPOSE);
	for (int32 class = 1; class <= recoding->groups; class ++)
	{
		ClassRule *rule = &ruling->rule[class - 1];

		interrupt_check(class);
		*rule = (ClassRule){.class_number = class};
		recoding->cells(recoding, class, cell);
		for (int i = 0; i < recoding->columns; i++)
			rule->loss += loss_of_cell(&recoding->column[i], &cell[i]);
	}
	qsort(ruling->rule, recoding->groups, sizeof(ClassRule), compare_rules);
}

/* The level of a label, or TREE_ANY_VALUE. */
static int
level_of_codes(const Dimension *dimension, int32 minimum, int32 maximum)
{
	int level = dimension_common_level(dimension, minimum, maximum);
	bool top = level > dimension->height || (level == dimension->height && dimension->single_top);

	return top && minimum != maximum ? TREE_ANY_VALUE : level;
}

/* What the rule of rows with these codes asks; DATASET_NULL as in a region. */
static RuleTest
test_of_codes(const Ruling *ruling, int attribute, int32 minimum, int32 maximum)
{
	const Growing *growing = &ruling->growing;
	const DatasetColumn *column = growing->codes->column[attribute];
	const Dimension *dimension = column->codes.dimension;
	RuleTest test = {.content = TREE_VALUES};

	if (maximum == DATASET_NULL)
		test.content = TREE_NULLS;
	else if (minimum == DATASET_NULL)
		test.content = TREE_ANYTHING;
	else if (dimension)
		test.level = level_of_codes(dimension, minimum, maximum);
	else if (column->codes.plain && minimum != maximum)
		test.level = TREE_ANY_VALUE;
	else
	{
		test.low = dataset_column_value(column, minimum);
		test.high = dataset_column_value(column, maximum);
	}
	/* Ground values are listed in the order of their codes. */
	if (test.content == TREE_VALUES && dimension && test.level != TREE_ANY_VALUE)
	{
		if (growing->builder == NULL)
			growing->tree_level[attribute][test.level] = 1;
		else
		{
			test.level = test.level == 0 ? 0 : growing->tree_level[attribute][test.level];
			test.label = tree_builder_label_above(growing->builder, attribute, test.level, minimum);
		}
	}
	return test;
}

/* Finds what the rule of a class asks; while there is no builder yet, marks its levels. */
static void
test_class(const Ruling *ruling, int32 class)
{
	const Recoding *recoding = ruling->recoding;

	region_measure(ruling->region, recoding->dataset, recoding->class_end[class - 1],
				   recoding->class_end[class]);
	for (int i = 0; i < recoding->columns; i++)
		ruling->test[i] =
			test_of_codes(ruling, i, ruling->region->minimum[i], ruling->region->maximum[i]);
}

static void
add_classes(const Ruling *ruling)
{
	const Recoding *recoding = ruling->recoding;

	for (int32 i = 0; i < recoding->groups; i++)
	{
		int32 class = ruling->rule[i].class_number;

		interrupt_check(i);
		test_class(ruling, class);
		tree_builder_add_rule(ruling->growing.builder, class,
							  (int32) recoding_group_rows(recoding, class), ruling->test);
	}
}

/* The class that a record's values have by the rules so far. */
static int32
locate_record(const Ruling *ruling, const OpenTree *open, const int32 *record, Datum *values,
			  bool *nulls)
{
	for (int i = 0; i < ruling->recoding->columns; i++)
	{
		nulls[i] = record[i] == DATASET_NULL;
		if (!nulls[i])
			values[i] = dataset_column_value(ruling->growing.codes->column[i], record[i]);
	}
	return partition_tree_locate(open, values, nulls, NULL);
}

/* Adds an exception for each record of a class, 0 for those left out, that has another by rules. */
static void
add_exceptions_of(Ruling *ruling, const OpenTree *open, int32 class, int64 begin, int64 end)
{
	const Dataset *dataset = ruling->recoding->dataset;
	int attributes = dataset->attributes;
	Datum *values = palloc0(sizeof(Datum) * attributes);
	bool *nulls = palloc(sizeof(bool) * attributes);
	const int32 *before = NULL;

	for (int64 at = begin; at < end; at++)
	{
		const int32 *record = dataset_record(dataset, at);
		bool same = before && memcmp(before, record, sizeof(int32) * attributes) == 0;

		CHECK_FOR_INTERRUPTS(); /* finding a rule may take long */
		before = record;
		if (same || locate_record(ruling, open, record, values, nulls) == class)
			continue;
		for (int i = 0; i < attributes; i++)
			ruling->test[i] = test_of_codes(ruling, i, record[i], record[i]);
		tree_builder_add_rule(ruling->growing.builder, class, 0, ruling->test);
	}
	pfree(values);
	pfree(nulls);
}

/* Adds what keeps classes apart whose labels overlap, by the rules of the classes alone. */
static void
add_exceptions(Ruling *ruling, const PartitionTree *classes)
{
	const Recoding *recoding = ruling->recoding;
	OpenTree *open =
		partition_tree_open(classes, ERRCODE_INTERNAL_ERROR, ruling->growing.codes->budget);

	for (int32 class = 1; class <= recoding->groups; class ++)
		add_exceptions_of(ruling, open, class, recoding->class_end[class - 1],
						  recoding->class_end[class]);
	add_exceptions_of(ruling, open, 0, recoding->class_end[recoding->groups],
					  recoding->dataset->rows);
}

/* Marks the levels that rules ask for. */
static void
mark_levels_of_classes(Ruling *ruling)
{
	const Description *description = ruling->growing.codes->description;

	ruling->growing.tree_level = palloc0(sizeof(int *) * description->quasi_count);
	for (int i = 0; i < description->quasi_count; i++)
		if (description->quasi[i]->domain)
		{
			ruling->growing.tree_level[i] = palloc0(sizeof(int) * (TREE_MAX_LEVELS + 1));
			ruling->growing.tree_level[i][0] = 1;
		}
	for (int32 class = 1; class <= ruling->recoding->groups; class ++)
	{
		interrupt_check(class);
		test_class(ruling, class);
	}
}

PartitionTree *
tree_grow_rules(RecordCodes *codes, int k, double suppression)
{
	const Recoding *recoding = record_codes_recode(
		codes, local_recode, (RecodeOptions){.k = k, .suppression = suppression, .by_class = true});
	Ruling ruling = {.growing = {.codes = codes}, .recoding = recoding};
	PartitionTree *classes;
	int nest_level;

	if (recoding == NULL)
		return NULL;
	ruling.region = region_create(recoding->dataset);
	ruling.test = palloc(sizeof(RuleTest) * recoding->columns);
	order_classes(&ruling);
	nest_level = text_settings_begin();
	mark_levels_of_classes(&ruling);
	begin_tree(&ruling.growing, k, TREE_RULES, NULL);
	add_classes(&ruling);
	classes = tree_builder_finish(ruling.growing.builder);
	begin_tree(&ruling.growing, k, TREE_RULES, NULL);
	add_exceptions(&ruling, classes);
	add_classes(&ruling);
	text_settings_end(nest_level);
	return tree_builder_finish(ruling.growing.builder);
}
