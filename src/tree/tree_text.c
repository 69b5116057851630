/*
 * tree_text.c
 *		See tree_text.h.
 */
#include "postgres.h"

#include "tree/tree_text.h"

#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "model/model_text.h"
#include "partition/split_name.h"
#include "tree/json_reader.h"
#include "tree/tree_type.h"
#include "utils/json.h"

#define TYPE_NAME "kanon_tree"

/* Deeper nodes are not indented further: a text must not grow with the square of the depth. */
#define MAX_INDENT 40

typedef struct TreeParser
{
	JsonReader json;
	PartitionTree *tree;
	TreeValueText *conversion; /* [attribute] */
} TreeParser;

static void
write_member(StringInfo text, const char *name, const char *value)
{
	appendStringInfo(text, "\"%s\": ", name);
	escape_json(text, value);
}

static void
write_hierarchy(StringInfo text, const PartitionTree *tree, int attribute)
{
	const TreeHierarchy *hierarchy = tree->attribute[attribute].hierarchy;

	appendStringInfoString(text, ", ");
	write_member(text, "top", hierarchy->top);
	appendStringInfo(text, ", \"levels\": %d, \"values\": [", hierarchy->levels);
	for (int32 value = 0; value < hierarchy->values; value++)
	{
		CHECK_FOR_INTERRUPTS();
		appendStringInfoString(text, value > 0 ? ",\n   [" : "\n   [");
		escape_json(text, hierarchy->value_text[value]);
		for (int level = 1; level <= hierarchy->levels; level++)
		{
			appendStringInfoString(text, ", ");
			escape_json(text, partition_tree_label(tree, attribute, level,
												   hierarchy->label_of_value[level][value]));
		}
		appendStringInfoChar(text, ']');
	}
	appendStringInfoChar(text, ']');
}

static void
write_attribute(StringInfo text, const PartitionTree *tree, int attribute)
{
	const TreeAttribute *source = &tree->attribute[attribute];

	appendStringInfoString(text, attribute > 0 ? ",\n  {" : "\n  {");
	write_member(text, "name", source->name);
	appendStringInfoString(text, ", ");
	write_member(text, "type", tree_type_name(source->type));
	if (OidIsValid(source->collation))
	{
		appendStringInfoString(text, ", ");
		write_member(text, "collation", tree_type_collation_name(source->collation));
	}
	if (source->hierarchy)
		write_hierarchy(text, tree, attribute);
	appendStringInfoChar(text, '}');
}

static void
write_branches(StringInfo text, const PartitionTree *tree, const TreeNode *node)
{
	appendStringInfo(text, ", \"level\": %d, \"into\": [", node->level);
	for (int32 i = 0; i < node->children; i++)
	{
		if (i > 0)
			appendStringInfoString(text, ", ");
		escape_json(
			text, partition_tree_label(tree, node->attribute, node->level, node->branch[i].label));
	}
	appendStringInfoChar(text, ']');
}

/* The child that takes NULL as well, from 1. */
static void
write_null_child(StringInfo text, const TreeNode *node)
{
	if (node->null_child >= 0)
		appendStringInfo(text, ", \"null\": %d", node->null_child + 1);
}

static void
write_node(StringInfo text, const PartitionTree *tree, const TreeNode *node)
{
	const char *attribute = tree->attribute[node->attribute].name;

	switch (node->kind)
	{
		case PARTITION_LEAF:
			appendStringInfo(text, "\"class\": %d, \"rows\": " INT64_FORMAT, node->class_number,
							 node->rows);
			break;
		case PARTITION_CUT:
			write_member(text, "cut", attribute);
			appendStringInfoString(text, ", ");
			write_member(text, "at", node->text);
			write_null_child(text, node);
			break;
		case PARTITION_SPECIALIZE:
			write_member(text, "specialize", attribute);
			write_branches(text, tree, node);
			write_null_child(text, node);
			break;
		case PARTITION_NULL:
			write_member(text, "null", attribute);
			break;
	}
}

/*
 * All nodes, in preorder.  What is behind the children a node still has to get:
 * a stack of their numbers, whose height is the depth.
 */
static void
write_nodes(StringInfo text, const PartitionTree *tree)
{
	int32 capacity = 64;
	int32 depth = 0;
	int32 *missing = palloc(sizeof(int32) * capacity);

	for (int32 number = 0; number < tree->nodes; number++)
	{
		const TreeNode *node = &tree->node[number];

		CHECK_FOR_INTERRUPTS();
		appendStringInfo(text, "%s\n  %*s{", number > 0 ? "," : "", Min(depth, MAX_INDENT), "");
		write_node(text, tree, node);
		appendStringInfoChar(text, '}');
		if (depth > 0)
			missing[depth - 1]--;
		if (depth == capacity)
			missing = repalloc_huge(missing, mul_size(sizeof(int32), capacity *= 2));
		if (node->children > 0)
			missing[depth++] = node->children;
		while (depth > 0 && missing[depth - 1] == 0)
			depth--;
	}
	pfree(missing);
}

static void
write_models(StringInfo text, const PartitionTree *tree)
{
	for (int i = 0; i < tree->models; i++)
	{
		appendStringInfoString(text, i == 0 ? ", \"models\": [" : ", ");
		escape_json(text, tree->model[i]);
	}
	if (tree->models > 0)
		appendStringInfoChar(text, ']');
}

char *
tree_text_write(const PartitionTree *tree)
{
	StringInfoData text;

	initStringInfo(&text);
	appendStringInfo(&text, "{\"k\": " INT64_FORMAT ", \"split\": \"%s\"", tree->k,
					 split_name(tree->split));
	if (tree->target)
	{
		appendStringInfoString(&text, ", ");
		write_member(&text, "target", tree->target);
	}
	write_models(&text, tree);
	appendStringInfoString(&text, ",\n \"attributes\": [");
	for (int i = 0; i < tree->attributes; i++)
		write_attribute(&text, tree, i);
	appendStringInfoString(&text, "],\n \"nodes\": [");
	write_nodes(&text, tree);
	appendStringInfoString(&text, "]}");
	return text.data;
}

/* Is there another element?  number: of those read so far. */
static bool
next_element(JsonReader *json, int32 number)
{
	if (json_reader_accept(json, ']'))
		return false;
	if (number > 0)
		json_reader_expect(json, ',');
	CHECK_FOR_INTERRUPTS();
	return true;
}

static char *
read_member(JsonReader *json, const char *name)
{
	json_reader_expect_key(json, name);
	return json_reader_string(json);
}

/* A value and its text, which may come in another spelling. */
static Datum
read_value(TreeParser *parser, int attribute, const char **text)
{
	TreeValueText *conversion = &parser->conversion[attribute];
	Datum value = tree_type_read(conversion, json_reader_string(&parser->json));

	*text = tree_type_write(conversion, value);
	return value;
}

static void
read_ground_value(TreeParser *parser, int attribute)
{
	const TreeHierarchy *hierarchy = parser->tree->attribute[attribute].hierarchy;
	const char *labels[TREE_MAX_LEVELS + 1];
	const char *text;
	Datum value;

	json_reader_expect(&parser->json, '[');
	value = read_value(parser, attribute, &text);
	for (int level = 1; level <= hierarchy->levels; level++)
	{
		json_reader_expect(&parser->json, ',');
		labels[level] = json_reader_string(&parser->json);
	}
	json_reader_expect(&parser->json, ']');
	partition_tree_add_value(parser->tree, attribute, value, text, labels);
}

static void
read_hierarchy(TreeParser *parser, int attribute)
{
	JsonReader *json = &parser->json;
	const char *top = json_reader_string(json);
	int levels;

	json_reader_expect(json, ',');
	json_reader_expect_key(json, "levels");
	levels = json_reader_integer(json, 0, TREE_MAX_LEVELS);
	partition_tree_set_hierarchy(parser->tree, attribute, top, levels);
	json_reader_expect(json, ',');
	json_reader_expect_key(json, "values");
	json_reader_expect(json, '[');
	for (int32 number = 0; next_element(json, number); number++)
		read_ground_value(parser, attribute);
}

static void
read_attribute(TreeParser *parser, int attribute)
{
	JsonReader *json = &parser->json;
	PartitionTree *tree = parser->tree;
	bool hierarchical = false;
	const char *collation = NULL;
	Oid type;

	json_reader_expect(json, '{');
	tree->attribute[attribute].name = read_member(json, "name");
	json_reader_expect(json, ',');
	type = tree_type_find(tree, read_member(json, "type"));
	if (json_reader_accept(json, ','))
	{
		if (json_reader_accept_key(json, "collation"))
		{
			collation = json_reader_string(json);
			hierarchical = json_reader_accept(json, ',');
		}
		else
			hierarchical = true;
	}
	tree_type_set(tree, attribute, type, tree_type_find_collation(tree, collation));
	tree_type_prepare(&parser->conversion[attribute], type);
	if (hierarchical)
	{
		json_reader_expect_key(json, "top");
		read_hierarchy(parser, attribute);
	}
	json_reader_expect(json, '}');
}

static void
read_attributes(TreeParser *parser)
{
	PartitionTree *tree = parser->tree;
	int32 number = 0;

	partition_tree_set_attributes(tree, TREE_MAX_ATTRIBUTES);
	parser->conversion = palloc0(sizeof(TreeValueText) * TREE_MAX_ATTRIBUTES);
	json_reader_expect_key(&parser->json, "attributes");
	json_reader_expect(&parser->json, '[');
	for (; next_element(&parser->json, number); number++)
	{
		if (number == TREE_MAX_ATTRIBUTES)
			partition_tree_reject(tree, "It has too many attributes.");
		read_attribute(parser, number);
	}
	tree->attributes = number;
}

/* The number of the attribute whose name comes next. */
static int
read_attribute_name(TreeParser *parser)
{
	const char *name = json_reader_string(&parser->json);

	for (int i = 0; i < parser->tree->attributes; i++)
		if (strcmp(parser->tree->attribute[i].name, name) == 0)
			return i;
	partition_tree_reject(parser->tree, psprintf("There is no attribute \"%s\".", name));
}

static int32
read_label(TreeParser *parser, const TreeNode *node)
{
	const char *text;
	Datum label;
	int32 number;

	if (node->level == 0)
		label = read_value(parser, node->attribute, &text);
	else
	{
		text = json_reader_string(&parser->json);
		label = CStringGetDatum(text);
	}
	number = partition_tree_find_label(parser->tree, node->attribute, node->level, label);
	if (number < 0)
		partition_tree_reject(parser->tree,
							  psprintf("Attribute \"%s\" has no label \"%s\" at level %d.",
									   parser->tree->attribute[node->attribute].name, text,
									   node->level));
	return number;
}

static void
read_branches(TreeParser *parser, TreeNode *node)
{
	JsonReader *json = &parser->json;
	const TreeHierarchy *hierarchy = parser->tree->attribute[node->attribute].hierarchy;
	int32 capacity = 4;

	json_reader_expect(json, ',');
	json_reader_expect_key(json, "level");
	node->level = json_reader_integer(json, 0, hierarchy ? hierarchy->levels : 0);
	if (hierarchy == NULL)
		partition_tree_reject(parser->tree,
							  psprintf("Attribute \"%s\" has no hierarchy.",
									   parser->tree->attribute[node->attribute].name));
	json_reader_expect(json, ',');
	json_reader_expect_key(json, "into");
	json_reader_expect(json, '[');
	node->branch = palloc(sizeof(TreeBranch) * capacity);
	for (; next_element(json, node->children); node->children++)
	{
		if (node->children == capacity)
			node->branch = repalloc_huge(node->branch, mul_size(sizeof(TreeBranch), capacity *= 2));
		node->branch[node->children].label = read_label(parser, node);
	}
}

static void
read_null_child(TreeParser *parser, TreeNode *node)
{
	if (!json_reader_accept(&parser->json, ','))
		return;
	json_reader_expect_key(&parser->json, "null");
	node->null_child = (int32) json_reader_integer(&parser->json, 1, PG_INT32_MAX) - 1;
}

static void
read_node(TreeParser *parser)
{
	JsonReader *json = &parser->json;
	TreeNode *node = partition_tree_append(parser->tree);

	json_reader_expect(json, '{');
	if (json_reader_accept_key(json, "cut"))
	{
		node->kind = PARTITION_CUT;
		node->children = 2;
		node->attribute = read_attribute_name(parser);
		json_reader_expect(json, ',');
		json_reader_expect_key(json, "at");
		node->threshold = read_value(parser, node->attribute, &node->text);
		read_null_child(parser, node);
	}
	else if (json_reader_accept_key(json, "null"))
	{
		node->kind = PARTITION_NULL;
		node->children = 2;
		node->attribute = read_attribute_name(parser);
	}
	else if (json_reader_accept_key(json, "specialize"))
	{
		node->kind = PARTITION_SPECIALIZE;
		node->attribute = read_attribute_name(parser);
		read_branches(parser, node);
		read_null_child(parser, node);
	}
	else
	{
		json_reader_expect_key(json, "class");
		node->kind = PARTITION_LEAF;
		node->class_number = json_reader_integer(json, 1, PG_INT32_MAX);
		json_reader_expect(json, ',');
		json_reader_expect_key(json, "rows");
		node->rows = json_reader_integer(json, 1, PG_INT64_MAX);
	}
	json_reader_expect(json, '}');
}

static PartitionSplit
read_split(TreeParser *parser)
{
	const char *name = read_member(&parser->json, "split");
	PartitionSplit split;

	if (!split_name_find(name, &split))
		partition_tree_reject(parser->tree, psprintf("Split criterion \"%s\" is unknown.", name));
	return split;
}

/* At least one: a tree without models does not speak of them. */
static void
read_models(TreeParser *parser)
{
	json_reader_expect(&parser->json, '[');
	do
	{
		CHECK_FOR_INTERRUPTS();
		partition_tree_add_model(
			parser->tree, model_text_write(model_text_read(json_reader_string(&parser->json))));
	} while (json_reader_accept(&parser->json, ','));
	json_reader_expect(&parser->json, ']');
}

static void
read_tree(TreeParser *parser)
{
	JsonReader *json = &parser->json;
	PartitionTree *tree = parser->tree;

	json_reader_expect(json, '{');
	json_reader_expect_key(json, "k");
	tree->k = json_reader_integer(json, 1, PG_INT32_MAX);
	json_reader_expect(json, ',');
	tree->split = read_split(parser);
	json_reader_expect(json, ',');
	if (json_reader_accept_key(json, "target"))
	{
		tree->target = json_reader_string(json);
		json_reader_expect(json, ',');
	}
	if (json_reader_accept_key(json, "models"))
	{
		read_models(parser);
		json_reader_expect(json, ',');
	}
	read_attributes(parser);
	json_reader_expect(json, ',');
	json_reader_expect_key(json, "nodes");
	json_reader_expect(json, '[');
	for (int32 number = 0; next_element(json, number); number++)
		read_node(parser);
	json_reader_expect(json, '}');
	json_reader_end(json);
}

PartitionTree *
tree_text_read(const char *text, Budget *budget)
{
	TreeParser parser = {.json = json_reader_begin(TYPE_NAME, text),
						 .tree =
							 partition_tree_create(ERRCODE_INVALID_TEXT_REPRESENTATION, budget)};
	int nest_level = tree_type_begin();

	read_tree(&parser);
	tree_type_end(nest_level);
	partition_tree_finish(parser.tree);
	return parser.tree;
}
