/*
 * tree_builder.c
 *		See tree_builder.h.
 *
 * The tree grows from its front in "bytes": space for its head, then texts and lists of branches.
 * Arrays such as the nodes are kept separately and appended at the end.
 */
#include "postgres.h"

#include "tree/tree_builder.h"

#include "base/context.h"
#include "base/random.h"
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "sql/type_query.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

/* A level of a hierarchy. */
typedef struct LevelBuilder
{
	Dictionary *dictionary;        /* of level 0 by value, of the others by text */
	StringInfoData label;          /* TreeLabel[] */
	StringInfoData label_of_value; /* int32[] */
} LevelBuilder;

typedef struct AttributeBuilder
{
	TreeAttribute attribute;
	ValueType type;
	TreeValueText conversion;
	LevelBuilder *level; /* [levels + 1]; NULL: no hierarchy */
} AttributeBuilder;

struct TreeBuilder
{
	int sqlstate;
	Budget *budget;
	Size room; /* bytes allocated for the two long arrays */
	MemoryContext scratch;
	PartitionTree head;
	StringInfoData bytes;
	StringInfoData node; /* TreeNode[] */
	int32 model[TREE_MAX_MODELS];
	AttributeBuilder *attribute[TREE_MAX_ATTRIBUTES];
};

static const ValueType label_type = {.length = -1, .equality = VALUE_EQUAL_BYTES};

/* Appends a text to the tree; returns its offset. */
static int32
keep_text(TreeBuilder *builder, const char *text)
{
	int32 offset = builder->bytes.len;

	appendBinaryStringInfo(&builder->bytes, text, (int) strlen(text) + 1);
	return offset;
}

static int32
keep_array(TreeBuilder *builder, const void *array, int bytes)
{
	int32 offset;

	while (builder->bytes.len % MAXIMUM_ALIGNOF != 0)
		appendStringInfoChar(&builder->bytes, '\0');
	offset = builder->bytes.len;
	appendBinaryStringInfo(&builder->bytes, array, bytes);
	return offset;
}

static int32
keep_value(TreeBuilder *builder, int attribute, Datum value)
{
	MemoryContext caller = MemoryContextSwitchTo(builder->scratch);
	int32 offset = keep_text(
		builder, OutputFunctionCall(&builder->attribute[attribute]->conversion.output, value));

	MemoryContextSwitchTo(caller);
	MemoryContextReset(builder->scratch);
	return offset;
}

/* Checks the budget when one of the two long arrays has grown. */
static void
check_room(TreeBuilder *builder)
{
	Size bytes = (Size) builder->bytes.maxlen + builder->node.maxlen;

	CHECK_FOR_INTERRUPTS();
	if (bytes > builder->room)
		budget_check(builder->budget, 0, "partition tree");
	builder->room = bytes;
}

static void
add_node(TreeBuilder *builder, TreeNode node)
{
	appendBinaryStringInfo(&builder->node, (char *) &node, sizeof(node));
	builder->head.nodes++;
	check_room(builder);
}

TreeBuilder *
tree_builder_create(int sqlstate, int64 k, int split, const char *target, Budget *budget)
{
	TreeBuilder *builder = palloc0(sizeof(TreeBuilder));

	builder->sqlstate = sqlstate;
	builder->budget = budget;
	builder->scratch =
		AllocSetContextCreate(CurrentMemoryContext, "kanon tree value", CONTEXT_SMALL_SIZES);
	initStringInfo(&builder->bytes);
	initStringInfo(&builder->node);
	appendBinaryStringInfo(&builder->bytes, (char *) &builder->head, sizeof(PartitionTree));
	builder->head.version = TREE_VERSION;
	builder->head.k = k;
	builder->head.split = split;
	if (target)
		builder->head.target = keep_text(builder, target);
	if (split == TREE_RULES)
		add_node(builder, (TreeNode){.kind = TREE_LIST});
	return builder;
}

void
tree_builder_add_model(TreeBuilder *builder, const char *text)
{
	if (builder->head.models == TREE_MAX_MODELS)
		partition_tree_reject(builder->sqlstate, "It has too many privacy models.");
	builder->model[builder->head.models++] = keep_text(builder, text);
}

int
tree_builder_add_attribute(TreeBuilder *builder, const char *name, Oid type, Oid collation)
{
	AttributeBuilder *added = palloc0(sizeof(AttributeBuilder));

	if (builder->head.attributes == TREE_MAX_ATTRIBUTES)
		partition_tree_reject(builder->sqlstate, "It has too many attributes.");
	tree_type_check(builder->sqlstate, name, type, collation);
	tree_type_prepare(&added->conversion, type);
	added->type = type_query_value_type(type, collation);
	added->attribute.name = keep_text(builder, name);
	added->attribute.type = type;
	added->attribute.collation = collation;
	added->attribute.collation_name =
		keep_text(builder, OidIsValid(collation) ? tree_type_collation_name(collation) : "");
	builder->attribute[builder->head.attributes] = added;
	return builder->head.attributes++;
}

void
tree_builder_set_hierarchy(TreeBuilder *builder, const char *top, int levels)
{
	AttributeBuilder *latest = builder->attribute[builder->head.attributes - 1];

	latest->attribute.top = keep_text(builder, top);
	latest->attribute.levels = levels;
	latest->level = palloc(sizeof(LevelBuilder) * (levels + 1));
	for (int level = 0; level <= levels; level++)
	{
		latest->level[level].dictionary =
			dictionary_create(level == 0 ? &latest->type : &label_type, builder->budget);
		initStringInfo(&latest->level[level].label);
		initStringInfo(&latest->level[level].label_of_value);
	}
}

void
tree_builder_add_value(TreeBuilder *builder, Datum value, const char *const *labels)
{
	int number = builder->head.attributes - 1;
	AttributeBuilder *latest = builder->attribute[number];
	TreeLabel ground = {.text = keep_value(builder, number, value),
						.value = latest->attribute.values++};

	for (int level = 0; level <= latest->attribute.levels; level++)
	{
		LevelBuilder *target = &latest->level[level];
		int32 known = dictionary_size(target->dictionary);
		Datum key = level == 0 ? value : CStringGetTextDatum(labels[level]);
		int32 label = dictionary_encode(target->dictionary, key);

		if (level == 0 && label != known)
			partition_tree_reject(builder->sqlstate,
								  psprintf("Value \"%s\" of attribute \"%s\" occurs twice.",
										   builder->bytes.data + ground.text,
										   tree_builder_name(builder, number)));
		appendBinaryStringInfo(&target->label_of_value, (char *) &label, sizeof(label));
		if (label == known)
		{
			TreeLabel new_label = ground;

			if (level > 0)
				new_label.text = keep_text(builder, labels[level]);
			appendBinaryStringInfo(&target->label, (char *) &new_label, sizeof(new_label));
		}
		if (level > 0)
			pfree(DatumGetPointer(key));
	}
	check_room(builder);
}

int
tree_builder_attributes(const TreeBuilder *builder)
{
	return builder->head.attributes;
}

const char *
tree_builder_name(const TreeBuilder *builder, int attribute)
{
	return builder->bytes.data + builder->attribute[attribute]->attribute.name;
}

int
tree_builder_find_attribute(const TreeBuilder *builder, const char *name)
{
	for (int i = 0; i < builder->head.attributes; i++)
		if (strcmp(tree_builder_name(builder, i), name) == 0)
			return i;
	return -1;
}

int
tree_builder_levels(const TreeBuilder *builder, int attribute)
{
	return builder->attribute[attribute]->level ? builder->attribute[attribute]->attribute.levels
												: -1;
}

Datum
tree_builder_read(TreeBuilder *builder, int attribute, const char *text)
{
	return tree_type_read(&builder->attribute[attribute]->conversion, text);
}

int32
tree_builder_find_label(const TreeBuilder *builder, int attribute, int level, Datum label)
{
	return dictionary_find(builder->attribute[attribute]->level[level].dictionary, label);
}

int32
tree_builder_label_above(const TreeBuilder *builder, int attribute, int level, int32 value)
{
	return ((const int32 *) builder->attribute[attribute]->level[level].label_of_value.data)[value];
}

void
tree_builder_add_node(TreeBuilder *builder, TreeNode node, Datum threshold, const int32 *labels)
{
	if (node.kind == PARTITION_CUT)
		node.at = keep_value(builder, node.attribute, threshold);
	else if (node.kind == PARTITION_SPECIALIZE)
		node.at = keep_array(builder, labels, (int) sizeof(int32) * tree_node_labels(&node));
	add_node(builder, node);
}

/* What the tree keeps of a test. */
static TreeTest
keep_test(TreeBuilder *builder, int attribute, const RuleTest *test)
{
	TreeTest kept = {.content = test->content};

	if (test->content != TREE_VALUES)
		return kept;
	kept.level = (uint8) test->level;
	kept.low = test->label;
	if (builder->attribute[attribute]->level == NULL && test->level != TREE_ANY_VALUE)
	{
		kept.low = keep_value(builder, attribute, test->low);
		kept.high = keep_value(builder, attribute, test->high);
	}
	return kept;
}

void
tree_builder_add_rule(TreeBuilder *builder, int32 class_number, int32 rows, const RuleTest *test)
{
	TreeTest *kept = palloc(sizeof(TreeTest) * builder->head.attributes);
	TreeNode node = {.kind = TREE_RULE, .null_child = class_number, .class_rows = rows};

	for (int i = 0; i < builder->head.attributes; i++)
		kept[i] = keep_test(builder, i, &test[i]);
	node.test = keep_array(builder, kept, (int) sizeof(TreeTest) * builder->head.attributes);
	pfree(kept);
	add_node(builder, node);
}

/* Appends the attributes with their hierarchies to the tree. */
static int32
keep_attributes(TreeBuilder *builder)
{
	TreeAttribute *attributes = palloc(sizeof(TreeAttribute) * Max(builder->head.attributes, 1));
	TreeLevel levels[TREE_MAX_LEVELS + 1];

	for (int i = 0; i < builder->head.attributes; i++)
	{
		AttributeBuilder *built = builder->attribute[i];

		for (int level = 0; level <= tree_builder_levels(builder, i); level++)
		{
			const StringInfoData *label = &built->level[level].label;
			const StringInfoData *label_of_value = &built->level[level].label_of_value;

			levels[level].labels = label->len / (int) sizeof(TreeLabel);
			levels[level].label = keep_array(builder, label->data, label->len);
			levels[level].label_of_value =
				keep_array(builder, label_of_value->data, label_of_value->len);
		}
		if (built->level)
			built->attribute.level = keep_array(
				builder, levels, (int) sizeof(TreeLevel) * (built->attribute.levels + 1));
		attributes[i] = built->attribute;
	}
	return keep_array(builder, attributes, (int) sizeof(TreeAttribute) * builder->head.attributes);
}

PartitionTree *
tree_builder_finish(TreeBuilder *builder)
{
	const Size offset = offsetof(PartitionTree, version);
	PartitionTree *head = &builder->head;
	PartitionTree *tree;
	RandomKey digest;

	if (head->split == TREE_RULES)
		((TreeNode *) builder->node.data)->children = head->nodes - 1;
	head->model = keep_array(builder, builder->model, (int) sizeof(int32) * head->models);
	head->attribute = keep_attributes(builder);
	head->node = keep_array(builder, builder->node.data, builder->node.len);
	check_room(builder);
	tree = (PartitionTree *) builder->bytes.data;
	*tree = *head;
	SET_VARSIZE(tree, builder->bytes.len);
	/* Checks that the tree is sound. */
	(void) partition_tree_open(tree, builder->sqlstate, builder->budget);
	/* The digest covers all that follows it. */
	StaticAssertStmt(sizeof(digest) == TREE_DIGEST, "a digest is SHA-256");
	digest = random_key_of((char *) tree + offset, VARSIZE(tree) - offset);
	memcpy(tree->digest, &digest, TREE_DIGEST);
	return tree;
}
