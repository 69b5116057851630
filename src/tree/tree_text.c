/*
 * tree_text.c
 *		See tree_text.h.
 */
#include "postgres.h"

#include "tree/tree_text.h"

#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "partition/split_name.h"
#include "tree/tree_type.h"
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
			appendStringInfo(text, ", \"level\": %d, \"into\": [", node->level);
			for (int32 i = 0; i < node->children; i++)
			{
				const int32 *labels = partition_tree_at(tree, node->at);

				if (i > 0)
					appendStringInfoString(text, ", ");
				escape_json(text,
							partition_tree_label(tree, node->attribute, node->level, labels[i]));
			}
			appendStringInfoChar(text, ']');
			break;
	}
	if (node->null_child >= 0)
		appendStringInfo(text, ", \"null\": %d", node->null_child + 1);
}

/*
 * Writes all nodes in preorder, with a stack of the children still missing; its height is the
 * depth.
 */
static void
write_nodes(StringInfo text, const PartitionTree *tree)
{
	int32 capacity = 64;
	int32 depth = 0;
	int32 classes = 0;
	int32 *missing = palloc(sizeof(int32) * capacity);

	for (int32 number = 0; number < tree->nodes; number++)
	{
		const TreeNode *node = partition_tree_node(tree, number);

		CHECK_FOR_INTERRUPTS();
		appendStringInfoString(text, number > 0 ? ",\n  " : "\n  ");
		appendStringInfoSpaces(text, Min(depth, MAX_INDENT));
		appendStringInfoChar(text, '{');
		write_node(text, tree, node, &classes);
		appendStringInfoChar(text, '}');
		if (depth > 0)
			missing[depth - 1]--;
		if (depth == capacity)
			missing = repalloc_huge(missing, mul_size(sizeof(int32), capacity *= 2));
		if (partition_tree_children(node) > 0)
			missing[depth++] = partition_tree_children(node);
		while (depth > 0 && missing[depth - 1] == 0)
			depth--;
	}
	pfree(missing);
}

char *
tree_text_write(const PartitionTree *tree)
{
	const int32 *model = partition_tree_at(tree, tree->model);
	StringInfoData text;

	partition_tree_check_version(tree);
	initStringInfo(&text);
	appendStringInfo(&text, "{\"k\": " INT64_FORMAT ", \"split\": \"%s\"", tree->k,
					 split_name(tree->split));
	if (tree->target)
	{
		write_member(&text, ", \"target\": ", partition_tree_at(tree, tree->target));
	}
	for (int i = 0; i < tree->models; i++)
	{
		appendStringInfoString(&text, i == 0 ? ", \"models\": [" : ", ");
		escape_json(&text, partition_tree_at(tree, model[i]));
	}
	appendStringInfoString(&text,
						   tree->models > 0 ? "],\n \"attributes\": [" : ",\n \"attributes\": [");
	for (int i = 0; i < tree->attributes; i++)
		write_attribute(&text, tree, i);
	appendStringInfoString(&text, "],\n \"nodes\": [");
	write_nodes(&text, tree);
	appendStringInfoString(&text, "]}");
	return text.data;
}
