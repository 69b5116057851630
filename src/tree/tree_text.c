/*
 * tree_text.c
 *		See tree_builder.h.
 *
 * Texts are read by a recursive-descent parser over the tokens of PostgreSQL's own JSON lexer.  It
 * builds nothing but the tree, so the size of the text does not matter.
 */
#include "postgres.h"

#include "tree/tree_builder.h"

#include "base/compat.h"
#include "base/context.h"
#include "common/jsonapi.h"
#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "model/model.h"
#include "partition/partition.h"
#include "sql/text_settings.h"
#include "utils/builtins.h"
#include "utils/json.h"
#include "utils/memutils.h"

/* Deeper nodes are not indented further: the text must not grow with the square of the depth. */
#define MAX_INDENT 40

static void
write_member(StringInfo text, const char *key, const char *value)
{
	appendStringInfoString(text, key);
	escape_json(text, value);
}

static void
write_hierarchy(StringInfo text, const PartitionTree *tree, int attribute)
{
	const TreeAttribute *source = partition_tree_attribute(tree, attribute);

	write_member(text, ", \"top\": ", partition_tree_at(tree, source->top));
	appendStringInfo(text, ", \"levels\": %d, \"values\": [", source->levels);
	for (int32 value = 0; value < source->values; value++)
	{
		CHECK_FOR_INTERRUPTS();
		appendStringInfoString(text, value > 0 ? ",\n   [" : "\n   [");
		for (int level = 0; level <= source->levels; level++)
		{
			if (level > 0)
				appendStringInfoString(text, ", ");
			escape_json(text, partition_tree_label_above(tree, attribute, level, value));
		}
		appendStringInfoChar(text, ']');
	}
	appendStringInfoChar(text, ']');
}

static void
write_attribute(StringInfo text, const PartitionTree *tree, int attribute)
{
	const TreeAttribute *source = partition_tree_attribute(tree, attribute);

	appendStringInfoString(text, attribute > 0 ? ",\n  {" : "\n  {");
	write_member(text, "\"name\": ", partition_tree_name(tree, attribute));
	write_member(text, ", \"type\": ", tree_type_name(source->type));
	if (OidIsValid(source->collation))
	{
		Oid collation = tree_type_resolve_collation(
			source->collation, partition_tree_at(tree, source->collation_name));

		write_member(text, ", \"collation\": ", tree_type_collation_name(collation));
	}
	if (source->top)
		write_hierarchy(text, tree, attribute);
	appendStringInfoChar(text, '}');
}

static void
write_node(StringInfo text, const PartitionTree *tree, const TreeNode *node, int32 *classes)
{
	const char *attribute = partition_tree_name(tree, node->attribute);

	switch (node->kind)
	{
		case PARTITION_LEAF:
			appendStringInfo(text, "\"class\": %d, \"rows\": " INT64_FORMAT, ++*classes,
							 node->rows);
			return;
		case PARTITION_NULL:
			write_member(text, "\"null\": ", attribute);
			if (node->null_child >= 0)
				appendStringInfo(text, ", \"unknown\": %d", node->null_child + 1);
			return;
		case PARTITION_CUT:
			write_member(text, "\"cut\": ", attribute);
			write_member(text, ", \"at\": ", partition_tree_at(tree, node->at));
			break;
		case PARTITION_SPECIALIZE:
			write_member(text, "\"specialize\": ", attribute);
			appendStringInfo(text, ", \"level\": %d, \"into\": [", tree_node_level(node));
			for (int32 i = 0; i < tree_node_labels(node); i++)
			{
				const int32 *labels = partition_tree_at(tree, node->at);

				if (i > 0)
					appendStringInfoString(text, ", ");
				escape_json(text, partition_tree_label(tree, node->attribute, tree_node_level(node),
													   labels[i]));
			}
			appendStringInfoString(text, tree_node_rest(node) ? "], \"rest\": true" : "]");
			break;
	}
	if (node->null_child >= 0)
		appendStringInfo(text, ", \"null\": %d", node->null_child + 1);
}

static void
write_test(StringInfo text, const PartitionTree *tree, int attribute, const TreeTest *test)
{
	if (test->content == TREE_NULLS)
		appendStringInfoString(text, "null");
	else if (test->level == TREE_ANY_VALUE)
		appendStringInfoString(text, "true");
	else if (partition_tree_attribute(tree, attribute)->top)
	{
		appendStringInfo(text, "[%d, ", test->level);
		escape_json(text, partition_tree_label(tree, attribute, test->level, test->low));
		appendStringInfoChar(text, ']');
	}
	else
	{
		write_member(text, "[", partition_tree_at(tree, test->low));
		write_member(text, ", ", partition_tree_at(tree, test->high));
		appendStringInfoChar(text, ']');
	}
}

static void
write_rule(StringInfo text, const PartitionTree *tree, const TreeNode *node)
{
	const TreeTest *test = partition_tree_at(tree, node->test);
	const char *separator = "";

	appendStringInfo(text, "\"class\": %d", node->null_child);
	if (node->class_rows > 0)
		appendStringInfo(text, ", \"rows\": %d", node->class_rows);
	appendStringInfoString(text, ", \"where\": {");
	for (int i = 0; i < tree->attributes; i++)
	{
		if (test[i].content == TREE_ANYTHING)
			continue;
		write_member(text, separator, partition_tree_name(tree, i));
		appendStringInfoString(text, ": ");
		write_test(text, tree, i, &test[i]);
		separator = ", ";
	}
	appendStringInfoChar(text, '}');
}

/* Writes the rules of a list. */
static void
write_rules(StringInfo text, const PartitionTree *tree)
{
	for (int32 number = 1; number < tree->nodes; number++)
	{
		CHECK_FOR_INTERRUPTS();
		appendStringInfoString(text, number > 1 ? ",\n  {" : "\n  {");
		write_rule(text, tree, partition_tree_node(tree, number));
		appendStringInfoChar(text, '}');
	}
}

/*
 * Writes all nodes in preorder, with a stack of the children still missing; its height is the
 * depth.
 */
static void
write_nodes(StringInfo text, const PartitionTree *tree)
{
	int32 classes = 0;
	List *missing = NIL;

	for (int32 number = 0; number < tree->nodes; number++)
	{
		const TreeNode *node = partition_tree_node(tree, number);

		CHECK_FOR_INTERRUPTS();
		appendStringInfoString(text, number > 0 ? ",\n  " : "\n  ");
		appendStringInfoSpaces(text, Min(list_length(missing), MAX_INDENT));
		appendStringInfoChar(text, '{');
		write_node(text, tree, node, &classes);
		appendStringInfoChar(text, '}');
		if (missing)
			llast_int(missing)--;
		if (node->kind != PARTITION_LEAF)
			missing = lappend_int(missing, node->children);
		while (missing && llast_int(missing) == 0)
			missing = list_delete_last(missing);
	}
}

char *
tree_text_write(const PartitionTree *tree)
{
	const int32 *model = partition_tree_at(tree, tree->model);
	StringInfoData text;

	partition_tree_check_version(tree);
	initStringInfo(&text);
	appendStringInfo(&text, "{\"k\": " INT64_FORMAT, tree->k);
	if (tree->split == TREE_RULES)
		appendStringInfoString(&text, ", \"recoding\": \"local\"");
	else
		write_member(&text, ", \"split\": ", split_names[tree->split]);
	if (tree->target)
		write_member(&text, ", \"target\": ", partition_tree_at(tree, tree->target));
	for (int i = 0; i < tree->models; i++)
	{
		appendStringInfoString(&text, i == 0 ? ", \"models\": [" : ", ");
		escape_json(&text, partition_tree_at(tree, model[i]));
	}
	appendStringInfoString(&text,
						   tree->models > 0 ? "],\n \"attributes\": [" : ",\n \"attributes\": [");
	for (int i = 0; i < tree->attributes; i++)
		write_attribute(&text, tree, i);
	appendStringInfo(&text, "],\n \"%s\": [", tree->split == TREE_RULES ? "rules" : "nodes");
	if (tree->split == TREE_RULES)
		write_rules(&text, tree);
	else
		write_nodes(&text, tree);
	appendStringInfoString(&text, "]}");
	return text.data;
}

/* ---- reading */

#define INVALID ERRCODE_INVALID_TEXT_REPRESENTATION

typedef struct TreeParser
{
	JsonLexContext *json; /* positioned at the next token */
	TreeBuilder *builder;
	MemoryContext scratch; /* for the current value or node */
	int32 classes;         /* so far */
	bool rules;            /* it is a list of rules */
} TreeParser;

pg_noreturn static void reject(const TreeParser *parser, const char *detail);

static void
reject(const TreeParser *parser, const char *detail)
{
	ereport(ERROR, (errcode(INVALID), errmsg("invalid input syntax for type %s", "kanon_tree"),
					errdetail("Line %d: %s", parser->json->line_number, detail)));
}

pg_noreturn static void reject_token(const TreeParser *parser, const char *expected);

static void
reject_token(const TreeParser *parser, const char *expected)
{
	const JsonLexContext *json = parser->json;
	int length;

	if (json->token_type == JSON_TOKEN_END)
		reject(parser, psprintf("expected %s, but the input ends.", expected));
	length = (int) (json->token_terminator - json->token_start);
	reject(parser, psprintf("expected %s, found \"%.*s\".", expected,
							pg_mbcliplen(json->token_start, length, 40), json->token_start));
}

static void
advance(TreeParser *parser)
{
	JsonParseErrorType error = json_lex(parser->json);

	if (error != JSON_SUCCESS)
		reject(parser, json_errdetail(error, parser->json));
}

/* Takes a token if it is next. */
static bool
accept(TreeParser *parser, JsonTokenType token)
{
	if (parser->json->token_type != token)
		return false;
	advance(parser);
	return true;
}

static void
expect(TreeParser *parser, JsonTokenType token)
{
	static const char *const names[] = {
		[JSON_TOKEN_OBJECT_START] = "\"{\"", [JSON_TOKEN_OBJECT_END] = "\"}\"",
		[JSON_TOKEN_ARRAY_START] = "\"[\"",  [JSON_TOKEN_ARRAY_END] = "\"]\"",
		[JSON_TOKEN_COMMA] = "\",\"",        [JSON_TOKEN_COLON] = "\":\"",
		[JSON_TOKEN_TRUE] = "true",          [JSON_TOKEN_END] = "the end"};

	if (parser->json->token_type != token)
		reject_token(parser, names[token]);
	if (token != JSON_TOKEN_END)
		advance(parser);
}

/* Takes "name": if it is next. */
static bool
accept_key(TreeParser *parser, const char *name)
{
	if (parser->json->token_type != JSON_TOKEN_STRING ||
		strcmp(parser->json->strval->data, name) != 0)
		return false;
	advance(parser);
	expect(parser, JSON_TOKEN_COLON);
	return true;
}

static void
expect_key(TreeParser *parser, const char *name)
{
	if (!accept_key(parser, name))
		reject_token(parser, psprintf("\"%s\":", name));
}

/* Requires the comma and name of another member. */
static void
expect_member(TreeParser *parser, const char *name)
{
	expect(parser, JSON_TOKEN_COMMA);
	expect_key(parser, name);
}

static char *
read_string(TreeParser *parser)
{
	char *string;

	if (parser->json->token_type != JSON_TOKEN_STRING)
		reject_token(parser, "a string");
	string = pstrdup(parser->json->strval->data);
	advance(parser);
	return string;
}

/* An integer without fraction or exponent. */
static int64
read_integer(TreeParser *parser, int64 least, int64 most)
{
	const JsonLexContext *json = parser->json;
	long long number = 0;
	char *end = NULL;

	errno = 0;
	if (json->token_type == JSON_TOKEN_NUMBER)
		number = strtoll(json->token_start, &end, 10);
	if (end == NULL || end != json->token_terminator || errno != 0 || number < least ||
		number > most)
		reject_token(parser,
					 psprintf("an integer from " INT64_FORMAT " to " INT64_FORMAT, least, most));
	advance(parser);
	return number;
}

/* Is there another element in a list? number: elements read so far. */
static bool
next_element(TreeParser *parser, int32 number)
{
	CHECK_FOR_INTERRUPTS();
	if (accept(parser, JSON_TOKEN_ARRAY_END))
		return false;
	if (number > 0)
		expect(parser, JSON_TOKEN_COMMA);
	return true;
}

/* Reads a ground value with its labels into the latest attribute. */
static void
read_ground_value(TreeParser *parser, int attribute, int levels)
{
	const char *labels[TREE_MAX_LEVELS + 1];
	Datum value;

	expect(parser, JSON_TOKEN_ARRAY_START);
	value = tree_builder_read(parser->builder, attribute, read_string(parser));
	for (int level = 1; level <= levels; level++)
	{
		expect(parser, JSON_TOKEN_COMMA);
		labels[level] = read_string(parser);
	}
	expect(parser, JSON_TOKEN_ARRAY_END);
	tree_builder_add_value(parser->builder, value, labels);
}

static void
read_hierarchy(TreeParser *parser, int attribute)
{
	const char *top;
	int levels;

	expect_key(parser, "top");
	top = read_string(parser);
	expect_member(parser, "levels");
	levels = (int) read_integer(parser, 0, TREE_MAX_LEVELS);
	tree_builder_set_hierarchy(parser->builder, top, levels);
	expect_member(parser, "values");
	expect(parser, JSON_TOKEN_ARRAY_START);
	for (int32 number = 0; next_element(parser, number); number++)
	{
		MemoryContext context = MemoryContextSwitchTo(parser->scratch);

		read_ground_value(parser, attribute, levels);
		MemoryContextSwitchTo(context);
		MemoryContextReset(parser->scratch);
	}
}

static void
read_attribute(TreeParser *parser)
{
	const char *name;
	Oid type;
	Oid collation = InvalidOid;
	bool more;
	int attribute;

	expect(parser, JSON_TOKEN_OBJECT_START);
	expect_key(parser, "name");
	name = read_string(parser);
	expect_member(parser, "type");
	type = tree_type_find(INVALID, read_string(parser));
	more = accept(parser, JSON_TOKEN_COMMA);
	if (more && accept_key(parser, "collation"))
	{
		collation = tree_type_find_collation(INVALID, read_string(parser));
		more = accept(parser, JSON_TOKEN_COMMA);
	}
	attribute = tree_builder_add_attribute(parser->builder, name, type, collation);
	if (more)
		read_hierarchy(parser, attribute);
	expect(parser, JSON_TOKEN_OBJECT_END);
}

/* Reads an attribute's name; returns its number. */
static int
read_attribute_name(TreeParser *parser)
{
	const char *name = read_string(parser);
	int attribute = tree_builder_find_attribute(parser->builder, name);

	if (attribute < 0)
		partition_tree_reject(INVALID, psprintf("There is no attribute \"%s\".", name));
	return attribute;
}

/* Reads whether there is a rest part, which only such nodes say. */
static bool
read_rest(TreeParser *parser, bool *more)
{
	*more = accept(parser, JSON_TOKEN_COMMA);
	if (!*more || !accept_key(parser, "rest"))
		return false;
	expect(parser, JSON_TOKEN_TRUE);
	*more = accept(parser, JSON_TOKEN_COMMA);
	return true;
}

/* Reads the child that takes NULL as well, or -1. */
static int32
read_child(TreeParser *parser, const char *key, bool more)
{
	if (!more)
		return -1;
	expect_key(parser, key);
	return (int32) read_integer(parser, 1, PG_INT32_MAX) - 1;
}

static void
read_cut(TreeParser *parser)
{
	int attribute = read_attribute_name(parser);
	Datum threshold;

	expect_member(parser, "at");
	threshold = tree_builder_read(parser->builder, attribute, read_string(parser));
	tree_builder_add_node(
		parser->builder,
		(TreeNode){.kind = PARTITION_CUT,
				   .attribute = attribute,
				   .null_child = read_child(parser, "null", accept(parser, JSON_TOKEN_COMMA)),
				   .children = 2},
		threshold, NULL);
}

static int32
read_label(TreeParser *parser, int attribute, int level)
{
	const char *text = read_string(parser);
	Datum label = level == 0 ? tree_builder_read(parser->builder, attribute, text)
							 : CStringGetTextDatum(text);
	int32 number = tree_builder_find_label(parser->builder, attribute, level, label);

	if (number < 0)
		partition_tree_reject(INVALID,
							  psprintf("Attribute \"%s\" has no label \"%s\" at level %d.",
									   tree_builder_name(parser->builder, attribute), text, level));
	return number;
}

static void
read_specialization(TreeParser *parser)
{
	int attribute = read_attribute_name(parser);
	int levels = tree_builder_levels(parser->builder, attribute);
	StringInfoData labels;
	int32 children = 0;
	bool more;
	bool rest;
	int level;

	if (levels < 0)
		partition_tree_reject(INVALID, psprintf("Attribute \"%s\" has no hierarchy.",
												tree_builder_name(parser->builder, attribute)));
	expect_member(parser, "level");
	level = (int) read_integer(parser, 0, levels);
	expect_member(parser, "into");
	expect(parser, JSON_TOKEN_ARRAY_START);
	initStringInfo(&labels);
	for (; next_element(parser, children); children++)
	{
		int32 label = read_label(parser, attribute, level);

		appendBinaryStringInfo(&labels, (char *) &label, sizeof(label));
	}
	rest = read_rest(parser, &more);
	tree_builder_add_node(parser->builder,
						  (TreeNode){.kind = PARTITION_SPECIALIZE,
									 .attribute = attribute,
									 .level = level | (rest ? TREE_REST : 0),
									 .null_child = read_child(parser, "null", more),
									 .children = children + (rest ? 1 : 0)},
						  (Datum) 0, (int32 *) labels.data);
}

/* Node "number", from 0. */
static void
read_node(TreeParser *parser, int32 number)
{
	TreeNode node = {.kind = PARTITION_LEAF, .null_child = -1};

	expect(parser, JSON_TOKEN_OBJECT_START);
	if (accept_key(parser, "cut"))
		read_cut(parser);
	else if (accept_key(parser, "specialize"))
		read_specialization(parser);
	else
	{
		if (accept_key(parser, "null"))
		{
			node.kind = PARTITION_NULL;
			node.attribute = read_attribute_name(parser);
			node.null_child = read_child(parser, "unknown", accept(parser, JSON_TOKEN_COMMA));
			node.children = 2;
		}
		else
		{
			int32 class_number;

			expect_key(parser, "class");
			class_number = (int32) read_integer(parser, 1, PG_INT32_MAX);
			expect_member(parser, "rows");
			node.rows = read_integer(parser, 1, PG_INT64_MAX);
			if (class_number != ++parser->classes)
				partition_tree_reject(INVALID, psprintf("Node %d has class %d where %d comes next.",
														number + 1, class_number, parser->classes));
		}
		tree_builder_add_node(parser->builder, node, (Datum) 0, NULL);
	}
	expect(parser, JSON_TOKEN_OBJECT_END);
}

/* ---- rules */

/* A label with its level, or the ends of a range. */
static void
read_values_test(TreeParser *parser, int attribute, RuleTest *test)
{
	int levels = tree_builder_levels(parser->builder, attribute);

	expect(parser, JSON_TOKEN_ARRAY_START);
	if (levels >= 0)
	{
		test->level = (int) read_integer(parser, 0, levels);
		expect(parser, JSON_TOKEN_COMMA);
		test->label = read_label(parser, attribute, test->level);
	}
	else
	{
		test->low = tree_builder_read(parser->builder, attribute, read_string(parser));
		expect(parser, JSON_TOKEN_COMMA);
		test->high = tree_builder_read(parser->builder, attribute, read_string(parser));
	}
	expect(parser, JSON_TOKEN_ARRAY_END);
}

static void
read_test(TreeParser *parser, RuleTest *test)
{
	int attribute = read_attribute_name(parser);

	if (test[attribute].content != TREE_ANYTHING)
		reject(parser, psprintf("the rule tests \"%s\" twice.",
								tree_builder_name(parser->builder, attribute)));
	test += attribute;
	expect(parser, JSON_TOKEN_COLON);
	test->content = TREE_VALUES;
	test->level = TREE_ANY_VALUE;
	if (accept(parser, JSON_TOKEN_NULL))
		test->content = TREE_NULLS;
	else if (!accept(parser, JSON_TOKEN_TRUE))
	{
		test->level = 0;
		read_values_test(parser, attribute, test);
	}
}

static void
read_rule(TreeParser *parser)
{
	RuleTest *test = palloc0(sizeof(RuleTest) * Max(tree_builder_attributes(parser->builder), 1));
	int32 class_number;
	int32 rows = 0;

	expect(parser, JSON_TOKEN_OBJECT_START);
	expect_key(parser, "class");
	class_number = (int32) read_integer(parser, 0, PG_INT32_MAX);
	expect(parser, JSON_TOKEN_COMMA);
	if (accept_key(parser, "rows"))
	{
		rows = (int32) read_integer(parser, 1, PG_INT32_MAX);
		expect(parser, JSON_TOKEN_COMMA);
	}
	expect_key(parser, "where");
	expect(parser, JSON_TOKEN_OBJECT_START);
	if (parser->json->token_type != JSON_TOKEN_OBJECT_END)
		do
			read_test(parser, test);
		while (accept(parser, JSON_TOKEN_COMMA));
	expect(parser, JSON_TOKEN_OBJECT_END);
	expect(parser, JSON_TOKEN_OBJECT_END);
	tree_builder_add_rule(parser->builder, class_number, rows, test);
}

/* ---- the whole */

/* Reads the members before the attributes; makes the builder. */
static void
read_head(TreeParser *parser, Budget *budget)
{
	const char *target = NULL;
	const char *name;
	int split = 0;
	int64 k;

	expect(parser, JSON_TOKEN_OBJECT_START);
	expect_key(parser, "k");
	k = read_integer(parser, 1, PG_INT32_MAX);
	expect(parser, JSON_TOKEN_COMMA);
	parser->rules = accept_key(parser, "recoding");
	if (!parser->rules)
		expect_key(parser, "split");
	name = read_string(parser);
	if (parser->rules && strcmp(name, "local") != 0)
		partition_tree_reject(INVALID, psprintf("Recoding \"%s\" makes no rules.", name));
	while (!parser->rules && split_names[split] && strcmp(split_names[split], name) != 0)
		split++;
	if (split_names[split] == NULL)
		partition_tree_reject(INVALID, psprintf("Split criterion \"%s\" is unknown.", name));
	if (parser->rules)
		split = TREE_RULES;
	expect(parser, JSON_TOKEN_COMMA);
	if (accept_key(parser, "target"))
	{
		target = read_string(parser);
		expect(parser, JSON_TOKEN_COMMA);
	}
	parser->builder = tree_builder_create(INVALID, k, split, target, budget);
	if (!accept_key(parser, "models"))
		return;
	/* At least one: a tree without models has no such member. */
	expect(parser, JSON_TOKEN_ARRAY_START);
	do
	{
		CHECK_FOR_INTERRUPTS();
		tree_builder_add_model(parser->builder,
							   model_text_write(model_text_read(read_string(parser))));
	} while (accept(parser, JSON_TOKEN_COMMA));
	expect(parser, JSON_TOKEN_ARRAY_END);
	expect(parser, JSON_TOKEN_COMMA);
}

PartitionTree *
tree_text_read(const char *text, Budget *budget)
{
	TreeParser parser = {.json = compat_json_lexer(text),
						 .scratch = AllocSetContextCreate(CurrentMemoryContext, "kanon tree text",
														  CONTEXT_SMALL_SIZES)};
	int nest_level = text_settings_begin();

	advance(&parser);
	read_head(&parser, budget);
	expect_key(&parser, "attributes");
	expect(&parser, JSON_TOKEN_ARRAY_START);
	for (int32 number = 0; next_element(&parser, number); number++)
		read_attribute(&parser);
	expect_member(&parser, parser.rules ? "rules" : "nodes");
	expect(&parser, JSON_TOKEN_ARRAY_START);
	for (int32 number = 0; next_element(&parser, number); number++)
	{
		MemoryContext context = MemoryContextSwitchTo(parser.scratch);

		if (parser.rules)
			read_rule(&parser);
		else
			read_node(&parser, number);
		MemoryContextSwitchTo(context);
		MemoryContextReset(parser.scratch);
	}
	expect(&parser, JSON_TOKEN_OBJECT_END);
	expect(&parser, JSON_TOKEN_END);
	text_settings_end(nest_level);
	return tree_builder_finish(parser.builder);
}
