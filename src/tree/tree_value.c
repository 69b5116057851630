/*
 * tree_value.c
 *		See tree_value.h.
 *
 *	version	1; 2: with models
 *	k	int64
 *	split	byte
 *	target	text, only without 'm'
 *	models	int32, for each a text, only with version 2
 *	attributes	int32, and for each
 *		name	text
 *		type	OID where stored, otherwise text
 *		collation	where stored OID (0: none), and text (empty: none)
 *		hierarchical	byte, and if so
 *			top	text
 *			levels	int32, for each the number of labels and these
 *			values	int32, for each text and label numbers
 *	nodes	int32, and for each
 *		'C'	attribute, threshold
 *		'S'	attribute, level, number of children and their labels
 *		'c'	as 'C', the first child takes NULL as well
 *		's'	as 'S', and the number of the child that takes NULL as well
 *		'N'	attribute
 *		'L'	rows (int64); classes are numbered by the order
 *
 * A text is its length and its bytes, where stored with a zero behind so that it
 * is used in place.
 */
#include "postgres.h"

#include "tree/tree_value.h"

#include "base/compat.h"
#include "lib/stringinfo.h"
#include "libpq/pqformat.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "model/model_text.h"
#include "tree/tree_type.h"
#include "utils/fmgrprotos.h"

#define PURPOSE "partition tree"
#define VERSION 1
#define VERSION_WITH_MODELS 2

static const char split_codes[] = {
	[SPLIT_MEDIAN] = 'm', [SPLIT_INFOGAIN] = 'i', [SPLIT_REGRESSION] = 'r'};
/* Added to the kind of a node one of whose children takes NULL as well. */
#define TAKES_NULL (PARTITION_NULL + 1 - PARTITION_CUT)

static const char kind_codes[] = {[PARTITION_LEAF] = 'L',
								  [PARTITION_CUT] = 'C',
								  [PARTITION_SPECIALIZE] = 'S',
								  [PARTITION_NULL] = 'N',
								  [TAKES_NULL + PARTITION_CUT] = 'c',
								  [TAKES_NULL + PARTITION_SPECIALIZE] = 's'};

typedef struct TreeWriter
{
	StringInfoData bytes;
	bool stored;
} TreeWriter;

typedef struct TreeReader
{
	const char *at;
	const char *end;
	bool stored;
	PartitionTree *tree;
	TreeValueText *conversion; /* [attribute] */
} TreeReader;

static void
write_text(TreeWriter *writer, const char *text)
{
	if (writer->stored)
	{
		pq_sendint32(&writer->bytes, strlen(text));
		appendBinaryStringInfo(&writer->bytes, text, strlen(text) + 1);
	}
	else
		compat_send_counted_text(&writer->bytes, text);
}

static void
write_type(TreeWriter *writer, const TreeAttribute *attribute)
{
	if (writer->stored)
	{
		pq_sendint32(&writer->bytes, attribute->type);
		pq_sendint32(&writer->bytes, attribute->collation);
	}
	else
		write_text(writer, tree_type_name(attribute->type));
	write_text(writer, OidIsValid(attribute->collation)
						   ? tree_type_collation_name(attribute->collation)
						   : "");
}

static void
write_hierarchy(TreeWriter *writer, const PartitionTree *tree, int attribute)
{
	const TreeHierarchy *hierarchy = tree->attribute[attribute].hierarchy;

	write_text(writer, hierarchy->top);
	pq_sendint32(&writer->bytes, hierarchy->levels);
	for (int level = 1; level <= hierarchy->levels; level++)
	{
		int32 labels = dictionary_size(hierarchy->label[level]);

		pq_sendint32(&writer->bytes, labels);
		for (int32 label = 0; label < labels; label++)
		{
			CHECK_FOR_INTERRUPTS();
			write_text(writer, partition_tree_label(tree, attribute, level, label));
		}
	}
	pq_sendint32(&writer->bytes, hierarchy->values);
	for (int32 value = 0; value < hierarchy->values; value++)
	{
		CHECK_FOR_INTERRUPTS();
		write_text(writer, hierarchy->value_text[value]);
		for (int level = 1; level <= hierarchy->levels; level++)
			pq_sendint32(&writer->bytes, hierarchy->label_of_value[level][value]);
	}
}

static void
write_attribute(TreeWriter *writer, const PartitionTree *tree, int attribute)
{
	const TreeAttribute *source = &tree->attribute[attribute];

	write_text(writer, source->name);
	write_type(writer, source);
	pq_sendbyte(&writer->bytes, source->hierarchy ? 1 : 0);
	if (source->hierarchy)
		write_hierarchy(writer, tree, attribute);
}

static void
write_node(TreeWriter *writer, const TreeNode *node)
{
	pq_sendbyte(&writer->bytes, kind_codes[node->kind + (node->null_child < 0 ? 0 : TAKES_NULL)]);
	if (node->kind == PARTITION_LEAF)
	{
		pq_sendint64(&writer->bytes, node->rows);
		return;
	}
	pq_sendint32(&writer->bytes, node->attribute);
	if (node->kind == PARTITION_CUT)
		write_text(writer, node->text);
	if (node->kind == PARTITION_SPECIALIZE)
	{
		pq_sendint32(&writer->bytes, node->level);
		pq_sendint32(&writer->bytes, node->children);
		for (int32 i = 0; i < node->children; i++)
			pq_sendint32(&writer->bytes, node->branch[i].label);
		if (node->null_child >= 0)
			pq_sendint32(&writer->bytes, node->null_child);
	}
}

static void
write_tree(TreeWriter *writer, const PartitionTree *tree)
{
	pq_sendbyte(&writer->bytes, tree->models > 0 ? VERSION_WITH_MODELS : VERSION);
	pq_sendint64(&writer->bytes, tree->k);
	pq_sendbyte(&writer->bytes, split_codes[tree->split]);
	if (tree->split != SPLIT_MEDIAN)
		write_text(writer, tree->target);
	if (tree->models > 0)
		pq_sendint32(&writer->bytes, tree->models);
	for (int i = 0; i < tree->models; i++)
		write_text(writer, tree->model[i]);
	pq_sendint32(&writer->bytes, tree->attributes);
	for (int i = 0; i < tree->attributes; i++)
		write_attribute(writer, tree, i);
	pq_sendint32(&writer->bytes, tree->nodes);
	for (int32 i = 0; i < tree->nodes; i++)
	{
		CHECK_FOR_INTERRUPTS();
		write_node(writer, &tree->node[i]);
	}
}

/* SHA-256 of what comes after it. */
static void
write_digest(struct varlena *value)
{
	Size offset = VARHDRSZ + TREE_VALUE_DIGEST;
	Size length = VARSIZE(value) - offset;
	bytea *content = palloc(length + VARHDRSZ);
	bytea *digest;

	SET_VARSIZE(content, length + VARHDRSZ);
	memcpy(VARDATA(content), (char *) value + offset, length);
	digest = DatumGetByteaPP(DirectFunctionCall1(sha256_bytea, PointerGetDatum(content)));
	Assert(VARSIZE_ANY_EXHDR(digest) == TREE_VALUE_DIGEST);
	memcpy(VARDATA(value), VARDATA_ANY(digest), TREE_VALUE_DIGEST);
	pfree(digest);
	pfree(content);
}

struct varlena *
tree_value_write(const PartitionTree *tree)
{
	static const char room[VARHDRSZ + TREE_VALUE_DIGEST] = {0};
	TreeWriter writer = {.stored = true};
	struct varlena *value;

	initStringInfo(&writer.bytes);
	appendBinaryStringInfo(&writer.bytes, room, sizeof(room));
	write_tree(&writer, tree);
	value = (struct varlena *) writer.bytes.data;
	SET_VARSIZE(value, writer.bytes.len);
	write_digest(value);
	return value;
}

struct varlena *
tree_value_send(const PartitionTree *tree)
{
	TreeWriter writer = {.stored = false};

	pq_begintypsend(&writer.bytes);
	write_tree(&writer, tree);
	return (struct varlena *) pq_endtypsend(&writer.bytes);
}

static const char *
take(TreeReader *reader, Size length)
{
	const char *bytes = reader->at;

	if ((Size) (reader->end - reader->at) < length)
		partition_tree_reject(reader->tree, "It ends too early.");
	reader->at += length;
	return bytes;
}

static int
take_byte(TreeReader *reader)
{
	return (unsigned char) *take(reader, 1);
}

static int32
take_int32(TreeReader *reader)
{
	uint32 number;

	memcpy(&number, take(reader, sizeof(number)), sizeof(number));
	return (int32) pg_ntoh32(number);
}

static int64
take_int64(TreeReader *reader)
{
	uint64 number;

	memcpy(&number, take(reader, sizeof(number)), sizeof(number));
	return (int64) pg_ntoh64(number);
}

/* How many things follow of at least "size" bytes each. */
static int32
take_count(TreeReader *reader, int32 most, Size size)
{
	int32 count = take_int32(reader);

	if (count < 0 || count > most || (Size) (reader->end - reader->at) / size < (Size) count)
		partition_tree_reject(reader->tree, psprintf("A count of %d is out of range.", count));
	return count;
}

static const char *
take_text(TreeReader *reader)
{
	int32 length = take_count(reader, PG_INT32_MAX, 1);
	const char *bytes = take(reader, length);
	char *text;

	if (reader->stored)
	{
		if (*take(reader, 1) != '\0')
			partition_tree_reject(reader->tree, "A text does not end.");
		return bytes;
	}
	if (memchr(bytes, '\0', length) != NULL)
		partition_tree_reject(reader->tree, "A text has a zero byte.");
	text = pg_client_to_server(bytes, length);
	if (text == bytes)
		text = pnstrdup(bytes, length);
	return text;
}

/* A value and its text, which may come in another spelling. */
static Datum
take_value(TreeReader *reader, int attribute, const char **text)
{
	TreeValueText *conversion = &reader->conversion[attribute];
	Datum value;

	*text = take_text(reader);
	value = tree_type_read(conversion, *text);
	if (!reader->stored)
		*text = tree_type_write(conversion, value);
	return value;
}

static void
take_type(TreeReader *reader, int attribute)
{
	const char *name;
	Oid type;
	Oid collation;

	if (reader->stored)
	{
		type = take_int32(reader);
		collation = take_int32(reader);
		collation = tree_type_resolve_collation(reader->tree, collation, take_text(reader));
	}
	else
	{
		type = tree_type_find(reader->tree, take_text(reader));
		name = take_text(reader);
		collation = tree_type_find_collation(reader->tree, *name ? name : NULL);
	}
	tree_type_set(reader->tree, attribute, type, collation);
	tree_type_prepare(&reader->conversion[attribute], type);
}

/* The labels of one level. */
static const char **
take_labels(TreeReader *reader, int32 *count)
{
	const char **labels;

	*count = take_count(reader, PG_INT32_MAX, sizeof(int32));
	labels = budget_allocate(reader->tree->budget, *count, sizeof(char *), PURPOSE);
	for (int32 i = 0; i < *count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		labels[i] = take_text(reader);
	}
	return labels;
}

static void
take_ground_value(TreeReader *reader, int attribute, const char ***table, const int32 *counts,
				  const char **labels)
{
	const TreeHierarchy *hierarchy = reader->tree->attribute[attribute].hierarchy;
	const char *text;
	Datum value = take_value(reader, attribute, &text);
	int32 number[TREE_MAX_LEVELS + 1];

	for (int level = 1; level <= hierarchy->levels; level++)
	{
		number[level] = take_int32(reader);
		if (number[level] < 0 || number[level] >= counts[level])
			partition_tree_reject(reader->tree, psprintf("There is no label %d.", number[level]));
		labels[level] = table[level][number[level]];
	}
	partition_tree_add_value(reader->tree, attribute, value, text, labels);
	for (int level = 1; level <= hierarchy->levels; level++)
		if (hierarchy->label_of_value[level][hierarchy->values - 1] != number[level])
			partition_tree_reject(reader->tree, "Labels are not numbered as they occur.");
}

static void
take_hierarchy(TreeReader *reader, int attribute)
{
	const char *top = take_text(reader);
	int levels = take_count(reader, TREE_MAX_LEVELS, sizeof(int32));
	const char **table[TREE_MAX_LEVELS + 1];
	const char *labels[TREE_MAX_LEVELS + 1];
	int32 counts[TREE_MAX_LEVELS + 1];
	int32 values;

	partition_tree_set_hierarchy(reader->tree, attribute, top, levels);
	for (int level = 1; level <= levels; level++)
		table[level] = take_labels(reader, &counts[level]);
	values = take_count(reader, PG_INT32_MAX, sizeof(int32) * (levels + 1));
	for (int32 i = 0; i < values; i++)
	{
		CHECK_FOR_INTERRUPTS();
		take_ground_value(reader, attribute, table, counts, labels);
	}
	for (int level = 1; level <= levels; level++)
	{
		budget_give(reader->tree->budget, mul_size(counts[level], sizeof(char *)));
		pfree(table[level]);
	}
}

static void
take_attribute(TreeReader *reader, int attribute)
{
	int hierarchical;

	reader->tree->attribute[attribute].name = take_text(reader);
	take_type(reader, attribute);
	hierarchical = take_byte(reader);
	if (hierarchical > 1)
		partition_tree_reject(reader->tree, "An attribute is neither ordered nor hierarchical.");
	if (hierarchical)
		take_hierarchy(reader, attribute);
}

/* The place of a character in a table of codes. */
static int
take_code(TreeReader *reader, const char *codes, int count)
{
	int code = take_byte(reader);

	for (int i = 0; i < count; i++)
		if (codes[i] == code)
			return i;
	partition_tree_reject(reader->tree, psprintf("Code %d is unknown.", code));
}

static void
take_branches(TreeReader *reader, TreeNode *node)
{
	node->level = take_int32(reader);
	node->children = take_count(reader, PG_INT32_MAX, sizeof(int32));
	node->branch =
		budget_allocate(reader->tree->budget, node->children, sizeof(TreeBranch), PURPOSE);
	for (int32 i = 0; i < node->children; i++)
		node->branch[i].label = take_int32(reader);
}

static void
take_kind(TreeReader *reader, TreeNode *node)
{
	int code = take_code(reader, kind_codes, lengthof(kind_codes));

	node->kind = code > PARTITION_NULL ? code - TAKES_NULL : code;
	node->null_child = code > PARTITION_NULL ? 0 : -1;
}

static void
take_null_child(TreeReader *reader, TreeNode *node)
{
	node->null_child = take_int32(reader);
	if (node->null_child < 0)
		partition_tree_reject(reader->tree, psprintf("There is no child %d.", node->null_child));
}

static void
take_node(TreeReader *reader)
{
	PartitionTree *tree = reader->tree;
	TreeNode *node = partition_tree_append(tree);

	take_kind(reader, node);
	if (node->kind == PARTITION_LEAF)
	{
		node->rows = take_int64(reader);
		node->class_number = ++tree->classes;
		return;
	}
	node->attribute = take_int32(reader);
	node->children = 2;
	if (node->attribute < 0 || node->attribute >= tree->attributes)
		partition_tree_reject(tree, psprintf("There is no attribute %d.", node->attribute));
	if (node->kind == PARTITION_CUT)
		node->threshold = take_value(reader, node->attribute, &node->text);
	if (node->kind == PARTITION_SPECIALIZE)
		take_branches(reader, node);
	if (node->kind == PARTITION_SPECIALIZE && node->null_child >= 0)
		take_null_child(reader, node);
}

static void
take_models(TreeReader *reader)
{
	int32 models = take_count(reader, TREE_MAX_MODELS, sizeof(int32));

	if (models == 0)
		partition_tree_reject(reader->tree, "Its privacy models are missing.");
	for (int32 i = 0; i < models; i++)
		partition_tree_add_model(reader->tree,
								 model_text_write(model_text_read(take_text(reader))));
}

static void
take_header(TreeReader *reader)
{
	PartitionTree *tree = reader->tree;
	int version = take_byte(reader);

	if (version != VERSION && version != VERSION_WITH_MODELS)
		partition_tree_reject(tree, psprintf("Version %d is unknown.", version));
	tree->k = take_int64(reader);
	tree->split = take_code(reader, split_codes, lengthof(split_codes));
	if (tree->split != SPLIT_MEDIAN)
		tree->target = take_text(reader);
	if (version == VERSION_WITH_MODELS)
		take_models(reader);
	partition_tree_set_attributes(tree, take_count(reader, TREE_MAX_ATTRIBUTES, 13));
}

static void
read_tree(TreeReader *reader)
{
	PartitionTree *tree = reader->tree;
	int nest_level = tree_type_begin();
	int32 nodes;

	take_header(reader);
	reader->conversion = palloc0(sizeof(TreeValueText) * Max(tree->attributes, 1));
	for (int i = 0; i < tree->attributes; i++)
		take_attribute(reader, i);
	nodes = take_count(reader, PG_INT32_MAX, 5);
	partition_tree_reserve(tree, nodes);
	for (int32 i = 0; i < nodes; i++)
	{
		CHECK_FOR_INTERRUPTS();
		take_node(reader);
	}
	if (reader->at != reader->end)
		partition_tree_reject(tree, "Something follows its last node.");
	tree_type_end(nest_level);
	partition_tree_finish(tree);
}

PartitionTree *
tree_value_read(const struct varlena *value, Budget *budget)
{
	TreeReader reader = {.at = VARDATA_ANY(value),
						 .end = (const char *) VARDATA_ANY(value) + VARSIZE_ANY_EXHDR(value),
						 .stored = true,
						 .tree = partition_tree_create(ERRCODE_DATA_CORRUPTED, budget)};

	(void) take(&reader, TREE_VALUE_DIGEST);
	read_tree(&reader);
	return reader.tree;
}

PartitionTree *
tree_value_receive(const char *bytes, Size length, Budget *budget)
{
	TreeReader reader = {.at = bytes,
						 .end = bytes + length,
						 .stored = false,
						 .tree =
							 partition_tree_create(ERRCODE_INVALID_BINARY_REPRESENTATION, budget)};

	read_tree(&reader);
	return reader.tree;
}
