/*
 * table_source.c
 *		See table_source.h.
 */
#include "postgres.h"

#include "table_source.h"

#include "data/dictionary.h"
#include "frequency/ground_builder.h"
#include "port.h"

/* One attribute, as far as the table was read. */
typedef struct Domain
{
	const Attribute *attribute;
	int number;
	ValueType type;
	Dictionary *dictionary;
	int *value_of_code;   /* [code of the dictionary] */
	int32 *final_code;    /* [provisional code] */
	int32 *code_of_value; /* [value]: code of the ground level */
	int32 null_code;
} Domain;

typedef struct TableSource
{
	FrequencySource source; /* first */
	const Table *table;
	Budget *budget;
	Domain *domain; /* [attribute] */
} TableSource;

/* The provisional code of a cell: 0 for NULL. */
static int32
encode(const TableSource *source, Domain *domain, int row)
{
	int cell = source->table->cell[row * source->table->attributes + domain->number];
	int known = dictionary_size(domain->dictionary);
	ValueKind kind = domain->attribute->kind;
	Datum value;
	int32 code;

	if (cell == CELL_NULL)
		return 0;
	/* The dictionary must have copied it before it is freed. */
	value = value_make(kind, cell, row);
	code = dictionary_encode(domain->dictionary, value);
	value_free(kind, value);
	if (code == known)
		domain->value_of_code[code] = cell;
	else if (code < 0 || code > known || domain->value_of_code[code] != cell)
		elog(ERROR, "dictionary gave the code %d for another value", code);
	return code + 1;
}

/* By label from the top down, so that siblings lie together. */
static int
compare_paths(const void *a, const void *b, void *state)
{
	const Domain *domain = state;
	int x = domain->value_of_code[*(const int32 *) a];
	int y = domain->value_of_code[*(const int32 *) b];

	for (int level = domain->attribute->height; level >= 0; level--)
		if (domain->attribute->label[level][x] != domain->attribute->label[level][y])
			return domain->attribute->label[level][x] - domain->attribute->label[level][y];
	return 0;
}

/* Values of the dictionary in the order of their final codes. */
static int32 *
sorted_codes(Domain *domain)
{
	int32 size = dictionary_size(domain->dictionary);
	int32 *order = palloc(sizeof(int32) * size);

	for (int32 code = 0; code < size; code++)
		order[code] = code;
	qsort_arg(order, size, sizeof(int32), compare_paths, domain);
	return order;
}

static Dimension *
make_dimension(const Domain *domain, const int32 *order, bool has_null, Budget *budget)
{
	const Attribute *attribute = domain->attribute;
	int32 size = dictionary_size(domain->dictionary);
	int32 *label[TABLE_LEVELS] = {0};
	int32 *leaves[TABLE_LEVELS] = {0};
	DimensionInput input = {.height = attribute->height,
							.ground_count = size,
							.label = (const int32 *const *) label,
							.label_count = attribute->labels,
							.leaves = (const int32 *const *) leaves,
							.domain = attribute->domain,
							.has_null = has_null};
	Dimension *dimension;

	for (int level = 1; level <= attribute->height; level++)
	{
		label[level] = palloc(sizeof(int32) * size);
		leaves[level] = palloc0(sizeof(int32) * attribute->labels[level]);
		for (int32 i = 0; i < size; i++)
			label[level][i] = attribute->label[level][domain->value_of_code[order[i]]];
		for (int value = 0; value < attribute->domain; value++)
			leaves[level][attribute->label[level][value]]++;
	}
	dimension = dimension_create(&input, budget);
	for (int level = 1; level <= attribute->height; level++)
	{
		pfree(label[level]);
		pfree(leaves[level]);
	}
	return dimension;
}

/* The attribute's final codes and its marginal, from rows by provisional code. */
static Dimension *
finish_domain(Domain *domain, const int64 *rows, int64 **marginal, Budget *budget)
{
	int32 size = dictionary_size(domain->dictionary);
	int32 *order = sorted_codes(domain);
	Dimension *dimension = make_dimension(domain, order, rows[0] > 0, budget);

	*marginal = palloc0(sizeof(int64) * (size + 1));
	domain->final_code = palloc(sizeof(int32) * (size + 1));
	domain->code_of_value = palloc(sizeof(int32) * domain->attribute->domain);
	for (int32 i = 0; i < size; i++)
	{
		domain->final_code[order[i] + 1] = i;
		domain->code_of_value[domain->value_of_code[order[i]]] = i;
		(*marginal)[i] = rows[order[i] + 1];
	}
	domain->final_code[0] = domain->null_code = size;
	(*marginal)[size] = rows[0];
	pfree(order);
	return dimension;
}

static void
make_space(TableSource *source, int64 **rows)
{
	int attributes = source->table->attributes;
	Dimension **dimension = palloc(sizeof(Dimension *) * attributes);
	int64 **marginal = palloc(sizeof(int64 *) * attributes);

	for (int i = 0; i < attributes; i++)
	{
		dimension[i] = finish_domain(&source->domain[i], rows[i], &marginal[i], source->budget);
		pfree(rows[i]);
	}
	pfree(rows);
	source->source.space =
		frequency_space_create(attributes, attributes, dimension, marginal, source->budget);
}

/* Equal rows that follow each other, if they are to come together. */
static int
equal_rows(const Table *table, int row)
{
	const int *cell = table->cell + row * table->attributes;
	int count = 1;

	while (table->counted && row + count < table->rows &&
		   memcmp(cell, cell + count * table->attributes, sizeof(int) * table->attributes) == 0)
		count++;
	return count;
}

static void
count_rows(TableSource *source, GroundBuilder *builder, int32 *codes)
{
	const Table *table = source->table;
	int count;

	for (int row = 0; row < table->rows; row += count)
	{
		count = equal_rows(table, row);
		for (int i = 0; i < table->attributes; i++)
			codes[i] = encode(source, &source->domain[i], row);
		ground_builder_add(builder, codes, count);
	}
	if (ground_builder_rows(builder) != table->rows)
		elog(ERROR, "the ground builder counted " INT64_FORMAT " rows",
			 ground_builder_rows(builder));
}

static FrequencySet *
read_ground(FrequencySource *self)
{
	TableSource *source = (TableSource *) self;
	int attributes = source->table->attributes;
	GroundBuilder *builder = ground_builder_create(attributes, source->budget);
	int32 *codes = palloc(sizeof(int32) * attributes);
	int32 **final_code = palloc(sizeof(int32 *) * attributes);
	FrequencySet *set;

	count_rows(source, builder, codes);
	for (int i = 0; i < attributes; i++)
		codes[i] = dictionary_size(source->domain[i].dictionary) + 1;
	make_space(source, ground_builder_marginals(builder, codes));
	for (int i = 0; i < attributes; i++)
		final_code[i] = source->domain[i].final_code;
	set = ground_builder_finish(builder, self->space, frequency_space_ground(self->space),
								final_code);
	pfree(codes);
	pfree(final_code);
	return set;
}

static void
read_marginals(FrequencySource *self)
{
	TableSource *source = (TableSource *) self;
	const Table *table = source->table;
	int64 **rows = palloc(sizeof(int64 *) * table->attributes);

	for (int i = 0; i < table->attributes; i++)
	{
		rows[i] = palloc0(sizeof(int64) * (table->attribute[i].domain + 1));
		for (int row = 0; row < table->rows; row++)
			rows[i][encode(source, &source->domain[i], row)]++;
	}
	make_space(source, rows);
}

int
table_source_compare(const void *a, const void *b, void *words)
{
	for (int w = 0; w < *(int *) words; w++)
		if (((const uint64 *) a)[w] != ((const uint64 *) b)[w])
			return ((const uint64 *) a)[w] < ((const uint64 *) b)[w] ? -1 : 1;
	return 0;
}

int32
table_source_code(const FrequencySource *self, int row, int attribute)
{
	const TableSource *source = (const TableSource *) self;
	const Domain *domain = &source->domain[attribute];
	int cell = source->table->cell[row * source->table->attributes + attribute];

	return cell == CELL_NULL ? domain->null_code : domain->code_of_value[cell];
}

/* The key of a row at a node. */
static void
pack(const FrequencySource *source, int row, const Level *node, uint64 *key)
{
	const FrequencySpace *space = source->space;

	memset(key, 0, sizeof(uint64) * space->words);
	for (int i = 0; i < space->attributes; i++)
	{
		int32 code = table_source_code(source, row, i);

		if (node[i] != LEVEL_ALL)
			key[space->field[i].word] |= (uint64) space->dimension[i]->ancestor[node[i]][code]
										 << space->field[i].shift;
	}
}

uint64 *
table_source_count(FrequencySource *self, const Level *node, int64 *entries)
{
	int words = self->space->words;
	int width = words + 1;
	int rows = ((const TableSource *) self)->table->rows;
	uint64 *counted = palloc(sizeof(uint64) * width * rows);

	*entries = 0;
	for (int row = 0; row < rows; row++)
	{
		pack(self, row, node, counted + row * width);
		counted[row * width + words] = 1;
	}
	qsort_arg(counted, rows, sizeof(uint64) * width, table_source_compare, &words);
	for (int row = 0; row < rows; row++)
	{
		uint64 *entry = counted + row * width;
		uint64 *next = counted + *entries * width;

		if (*entries > 0 && table_source_compare(next - width, entry, &words) == 0)
			next[-1]++;
		else
		{
			memmove(next, entry, sizeof(uint64) * width);
			(*entries)++;
		}
	}
	return counted;
}

/* A part of a group as an entry of its own. */
static void
append_in_parts(FrequencySet *set, const uint64 *entry, int words)
{
	uint64 part[TABLE_ATTRIBUTES + 1];

	memcpy(part, entry, sizeof(uint64) * (words + 1));
	for (uint64 left = entry[words]; left > 0; left -= part[words])
	{
		part[words] = (left + 1) / 2;
		frequency_set_append(set, part);
	}
}

static FrequencySet *
read_node(FrequencySource *self, const Level *node)
{
	const TableSource *source = (const TableSource *) self;
	int words = self->space->words;
	int64 entries;
	uint64 *counted = table_source_count(self, node, &entries);
	FrequencySet *set = frequency_set_create(self->space, node, entries);

	if (source->table->split_sets)
		set->partial = true;
	for (int64 i = 0; i < entries; i++)
		if (source->table->split_sets)
			append_in_parts(set, counted + i * (words + 1), words);
		else
			frequency_set_append(set, counted + i * (words + 1));
	pfree(counted);
	return set;
}

FrequencySource *
table_source_create(const Table *table, Budget *budget)
{
	TableSource *source = palloc0(sizeof(TableSource));

	source->source = (FrequencySource){
		.read_ground = read_ground, .read_marginals = read_marginals, .read_node = read_node};
	source->table = table;
	source->budget = budget;
	source->domain = palloc0(sizeof(Domain) * table->attributes);
	for (int i = 0; i < table->attributes; i++)
	{
		Domain *domain = &source->domain[i];

		domain->attribute = &table->attribute[i];
		domain->number = i;
		domain->type = value_type(domain->attribute->kind);
		domain->dictionary = dictionary_create(&domain->type, budget);
		domain->value_of_code = palloc(sizeof(int) * domain->attribute->domain);
	}
	return &source->source;
}
